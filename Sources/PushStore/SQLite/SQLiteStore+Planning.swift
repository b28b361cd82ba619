internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// How many installations a batch has at most.
    ///
    /// Two batches in a sender's hands are at most 2,000 notifications whose outcomes are not stored yet.
    static let batchCountMax = 1_000
    /// How many installations one step of planning looks for.
    private static let chunkCountMax = 10_000
    /// What a segment for those that moved may take to be worked off: it is due when the push is as late as it may be.
    private static let movedMilliseconds: Int64 = 60_000

    /// A segment that is due, with its push.
    private struct DueSegment: Sendable {
        var number: Int64
        var push: Int64
        var kind: PushSegment.Kind
        var timeZone: String?
        var dueAt: Instant
        var cursor: Int64
        var beganAt: Int64
    }

    /// One installation that planning found.
    private struct Found: Sendable {
        var number: Int64
        /// It was looked at and is not sent to by this segment.
        var isLeftOut = false
        /// It may be in a batch of this push already.
        var mayBeTwice: Bool
    }

    /// Writes the next installations of one due push into batches.
    public func planChunk(now: Instant) async throws(StoreError) -> Bool {
        let due = try await read { database in
            let segment = try database.first(
                """
                SELECT s.number, s.push, s.kind, s.time_zone, s.due_at, s.cursor, p.began_at
                FROM segments AS s JOIN pushes AS p ON p.number = s.push
                WHERE s.is_planned = 0 AND s.due_at <= ? AND p.state = 'running' ORDER BY s.due_at LIMIT 1
                """, [.integer(now.millisecondsSince1970)]
            ) { row throws(SQLiteError) in
                DueSegment(
                    number: try row.integer(0), push: try row.integer(1),
                    kind: PushSegment.Kind(rawValue: try row.string(2)) ?? .everybody,
                    timeZone: try row.optionalString(3),
                    dueAt: Instant(millisecondsSince1970: try row.integer(4)), cursor: try row.integer(5),
                    beganAt: try row.integer(6))
            }
            guard let segment else { return (nil, nil) as (DueSegment?, Push?) }
            return (
                segment,
                try PushRow.all(database, where: "p.number = ?", [.integer(segment.push)]).first
            )
        }
        guard let segment = due.0, let push = due.1 else { return false }
        if isTooLate(segment, push, now: now) {
            try await skip(segment, push, now: now)
            return true
        }
        let (app, isKnown) = try await appSettings(push.app)
        guard isKnown else { return false }
        let found = try await find(segment, push, app: app, now: now)
        let isLast = found.count < Self.chunkCountMax
        let kept = found.filter { !$0.mayBeTwice }.map(\.number)
        let doubtful = found.filter { $0.mayBeTwice && !$0.isLeftOut }.map(\.number)
        let cursor = found.last?.number ?? segment.cursor
        try await write { database in
            // Only one planner gets past this for each cursor.
            let moved = try database.execute(
                "UPDATE segments SET cursor = ?, is_planned = ? WHERE number = ? AND cursor = ? AND is_planned = 0",
                [.integer(cursor), Value(isLast), .integer(segment.number), .integer(segment.cursor)])
            guard moved == 1 else { return }
            let new = try doubtful.filter { !(try Self.isPlanned($0, push: push.number, database)) }
            let numbers = new.isEmpty ? kept : (kept + new).sorted()
            try Self.insertBatches(numbers, segment.dueAt, push: push, now: now, database)
        }
        return true
    }

    private func isTooLate(_ segment: DueSegment, _ push: Push, now: Instant) -> Bool {
        // What was asked for at once is never too late, nor is a segment that has begun.
        if case .now = push.request.time { return false }
        guard segment.cursor == 0, segment.kind != .moved else { return false }
        return segment.dueAt.advanced(bySeconds: Int64(push.request.lateMinutesMax) * 60) < now
    }

    /// Passes over a segment whose time is long gone, and says so in the push.
    private func skip(_ segment: DueSegment, _ push: Push, now: Instant) async throws(StoreError) {
        let minutes = (now.millisecondsSince1970 - segment.dueAt.millisecondsSince1970) / 60_000
        let text =
            segment.kind == .everybody
            ? "skipped: the service came \(minutes) minutes late"
            : "skipped in \(segment.timeZone ?? "no time zone"): its time was \(minutes) minutes ago"
        try await write { database in
            let changed = try database.execute(
                "UPDATE segments SET is_planned = 1 WHERE number = ? AND is_planned = 0",
                [.integer(segment.number)])
            guard changed == 1 else { return }
            // One sentence for each zone would grow without end.
            try database.execute(
                """
                UPDATE pushes SET updated_at = ?,
                    error = CASE WHEN error IS NULL THEN ? WHEN length(error) < 400 THEN error || '; ' || ?
                        ELSE error END
                WHERE number = ?
                """,
                [.integer(now.millisecondsSince1970), .text(text), .text(text), .integer(push.number)])
        }
    }

    private func appSettings(_ number: Int64) async throws(StoreError) -> (App, Bool) {
        if let app = try await apps().first(where: { $0.number == number }) { return (app, true) }
        return (
            App(
                number: number, id: "", name: "", topic: "", settings: AppSettings(),
                createdAt: Instant(millisecondsSince1970: 0)), false
        )
    }

    private func find(
        _ segment: DueSegment, _ push: Push, app: App, now: Instant
    ) async throws(StoreError) -> [Found] {
        let query = PushAudience(push.request, app: app, now: now, purpose: .walk)
        var sql = query.select("i.zone_changed_at, i.time_zone")
        var values = query.values
        switch segment.kind {
        case .everybody: break
        case .zone:
            sql += " AND i.time_zone IS ?"
            values.append(Value(segment.timeZone))
        case .moved:
            sql += " AND i.zone_changed_at >= ?"
            values.append(.integer(segment.beganAt))
        }
        sql += " AND \(query.number) > ? ORDER BY \(query.number) LIMIT ?"
        values += [.integer(segment.cursor), Value(Self.chunkCountMax)]
        let statement = sql
        let bound = values
        let lateMilliseconds = Int64(push.request.lateMinutesMax) * 60_000
        return try await read { database in
            try database.all(statement, bound) { row throws(SQLiteError) in
                let zoneChangedAt = try row.optionalInteger(1) ?? 0
                let number = try row.integer(0)
                guard segment.kind == .moved, case .local(let civil) = push.request.time else {
                    return Found(
                        number: number,
                        mayBeTwice: segment.kind == .zone && zoneChangedAt >= segment.beganAt)
                }
                // It moved to where the time has just passed, or where nobody else was before.
                let dueAt = PushSegment.instant(of: civil, zone: try row.optionalString(2))
                let late = now.millisecondsSince1970 - dueAt.millisecondsSince1970
                return Found(
                    number: number,
                    isLeftOut: late < 0 || late > lateMilliseconds + Self.movedMilliseconds, mayBeTwice: true)
            }
        }
    }

    /// Whether an installation is in a batch of a push.
    private static func isPlanned(
        _ installation: Int64, push: Int64, _ database: Database
    ) throws(SQLiteError) -> Bool {
        let lists = try database.all(
            "SELECT installations FROM batches WHERE push = ? AND first <= ? AND last >= ?",
            [.integer(push), .integer(installation), .integer(installation)]
        ) { row throws(SQLiteError) in try row.optionalBytes(0) ?? [] }
        return lists.contains { NumberList.decode($0)?.contains(installation) == true }
    }

    private static func insertBatches(
        _ numbers: [Int64], _ dueAt: Instant, push: Push, now: Instant, _ database: Database
    ) throws(SQLiteError) {
        guard !numbers.isEmpty else { return }
        var size = batchCountMax
        var paceAt = now.millisecondsSince1970
        if let rate = push.request.devicesPerSecondMax {
            // Four batches a second, so that the pace is even.
            size = min(size, max(1, rate / 4))
            let former = try database.first(
                "SELECT pace_at FROM pushes WHERE number = ?", [.integer(push.number)]
            ) { row throws(SQLiteError) in try row.optionalInteger(0) }
            paceAt = max(paceAt, (former ?? nil) ?? 0)
        }
        var index = 0
        while index < numbers.count {
            let part = Array(numbers[index..<min(index + size, numbers.count)])
            try insertBatch(
                part, notBefore: Instant(millisecondsSince1970: paceAt), dueAt: dueAt, badges: nil,
                articles: nil, attemptCount: 0, push: push.number, database)
            if let rate = push.request.devicesPerSecondMax {
                paceAt += Int64(part.count) * 1000 / Int64(max(1, rate))
            }
            index += part.count
        }
        if push.request.devicesPerSecondMax != nil {
            try database.execute(
                "UPDATE pushes SET pace_at = ? WHERE number = ?", [.integer(paceAt), .integer(push.number)])
        }
    }

    /// Writes one batch of installations, all pending.
    static func insertBatch(
        _ numbers: [Int64], notBefore: Instant, dueAt: Instant, badges: [Int64]?, articles: [Int]?,
        attemptCount: Int, push: Int64, _ database: Database
    ) throws(SQLiteError) {
        guard let first = numbers.first, let last = numbers.last else { return }
        try database.execute(
            """
            INSERT INTO batches (push, state, not_before, due_at, first, last, device_count, pending_count, \
            installations, outcomes, badges, articles, attempts) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(push), .integer(notBefore.millisecondsSince1970),
                .integer(dueAt.millisecondsSince1970), .integer(first), .integer(last), Value(numbers.count),
                Value(numbers.count), .blob(NumberList.encode(numbers)),
                .blob(Array(repeating: 0, count: numbers.count)), Value(badges.map(NumberList.encodeEach)),
                Value(articles.map { NumberList.encodeEach($0.map { Int64($0 + 1) }) }), Value(attemptCount),
            ])
    }

    /// Writes the batch of a push to device tokens.
    static func insertBatch(
        tokens: [String], push: Push, notBefore: Instant, attemptCount: Int, _ database: Database
    ) throws {
        guard !tokens.isEmpty else { return }
        let text: String
        do {
            text = String(
                decoding: try JSONValue.array(tokens.map(JSONValue.string)).encoded(), as: UTF8.self)
        } catch {
            throw StoreError(.invalid, "device_ids: \(error.message)")
        }
        try database.execute(
            """
            INSERT INTO batches (push, state, not_before, due_at, first, last, device_count, pending_count, \
            tokens, outcomes, attempts) VALUES (?, 0, ?, ?, 0, 0, ?, ?, ?, ?, ?)
            """,
            [
                .integer(push.number), .integer(notBefore.millisecondsSince1970),
                .integer(push.dueAt.millisecondsSince1970), Value(tokens.count), Value(tokens.count),
                .text(text), .blob(Array(repeating: 0, count: tokens.count)), Value(attemptCount),
            ])
    }
}
