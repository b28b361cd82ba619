internal import APNs
public import Recurrence
internal import SQLite
internal import Synchronization

extension SQLiteStore {
    /// How many installations a batch has at most.
    ///
    /// Two batches in a sender's hands are at most 2,000 notifications whose outcomes are not stored yet.
    static let batchCountMax = 1_000
    /// How many installations one step of planning looks for.
    static let chunkCountMax = 10_000
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
        var chunkCount: Int64
    }

    /// What a segment does for an installation.
    private enum Fate: Sendable {
        case reached
        /// It is not sent to by this segment.
        case leftOut
        /// It moved to where the time was past by more than the push may be late.
        case late
    }

    /// One installation that planning found.
    private struct Found: Sendable {
        var number: Int64
        var fate = Fate.reached
        /// It may be in a batch of this push already.
        var mayBeTwice: Bool
    }

    /// How many of an app's segments that are due are compared.
    private static let candidateCountMax = 64
    /// How often finding an audience may fail before the push is stopped.
    private static let failureCountMax = 3

    /// Writes the next installations of one due push into batches.
    public func planChunk(now: Instant) async throws(StoreError) -> Bool {
        guard let segment = try await takeSegment(now: now) else { return false }
        defer { planning.withLock { _ = $0.segments.remove(segment.number) } }
        let reading = try await read { database in try PushRow.readable(database, number: segment.push) }
        guard case .pushes(let pushes) = reading else {
            try await write { database in try Self.setAside(push: segment.push, now: now, database) }
            return true
        }
        guard let push = pushes.first else { return true }
        if isTooLate(segment, push, now: now) {
            try await skip(segment, push, now: now)
            return true
        }
        guard let app = try await apps().first(where: { $0.number == push.app }) else {
            throw StoreError(.database, "push \(push.objectID) belongs to no app")
        }
        let found: [Found]
        do throws(StoreError) {
            found = try await find(segment, push, app: app, now: now)
            planning.withLock { $0.failureCounts[segment.number] = nil }
        } catch {
            let stop = try await fail(segment, push, error, now: now)
            throw error.about(push: push.objectID, app: app.id, stop: stop)
        }
        let (batchCountMax, chunkCountMax) = (configuration.batchCountMax, configuration.chunkCountMax)
        let isLast = found.count < chunkCountMax
        let kept = found.filter { !$0.mayBeTwice }.map(\.number)
        let doubtful = found.filter { $0.mayBeTwice && $0.fate != .leftOut }
        let cursor = found.last?.number ?? segment.cursor
        try await write { database in
            // Only one planner gets past this for each cursor.
            let moved = try database.execute(
                """
                UPDATE segments SET cursor = ?, is_planned = ?, chunk_count = chunk_count + 1
                WHERE number = ? AND cursor = ? AND is_planned = 0
                """,
                [.integer(cursor), Value(isLast), .integer(segment.number), .integer(segment.cursor)])
            guard moved == 1 else { return }
            let new = try doubtful.filter { !(try Self.isPlanned($0.number, push: push.number, database)) }
            let late = new.filter { $0.fate == .late }.map(\.number)
            let reached = new.filter { $0.fate != .late }.map(\.number)
            let numbers = reached.isEmpty ? kept : (kept + reached).sorted()
            try Self.insertBatches(
                numbers, segment.dueAt, countMax: batchCountMax, push: push, now: now, database)
            // Who can no longer get it is counted all the same, unless another zone may still be theirs.
            let isOver = try !late.isEmpty && Self.isLastSegment(segment, database)
            if isOver {
                try Self.insertLate(
                    late, segment.dueAt, countMax: batchCountMax, push: push, now: now, database)
            }
        }
        return true
    }

    /// Stops a push whose audience cannot be found, after some tries: it must not take everybody's turns.
    ///
    /// - Returns: the sentence that it is stopped with; nil when it goes on, or was not running any more.
    private func fail(
        _ segment: DueSegment, _ push: Push, _ error: StoreError, now: Instant
    ) async throws(StoreError) -> String? {
        let count = planning.withLock { planning in
            planning.failureCounts[segment.number, default: 0] += 1
            return planning.failureCounts[segment.number] ?? 0
        }
        guard count >= Self.failureCountMax else { return nil }
        planning.withLock { $0.failureCounts[segment.number] = nil }
        let text = "its audience cannot be found: \(error.message)"
        return try await write { database in
            guard case .pushes(let pushes) = try PushRow.readable(database, number: push.number),
                let current = pushes.first, current.state == .running
            else { return nil }
            try Self.change(current, to: .paused, now: now, database)
            try database.execute(
                "UPDATE pushes SET error = ? WHERE number = ?", [.text(text), .integer(push.number)])
            return text
        }
    }

    /// Chooses the segment that is planned next and keeps it from this store's other planners.
    private func takeSegment(now: Instant) async throws(StoreError) -> DueSegment? {
        while true {
            let (busy, isOldest) = planning.withLock { planning in
                planning.turn += 1
                // Whoever has waited longest is never passed over for ever.
                return (planning.segments, planning.turn.isMultiple(of: 2))
            }
            let chosen = try await read { database in
                if isOldest { return try Self.oldestSegment(now: now, except: busy, database) }
                for app in try Self.appsWithSegments(now: now, database) {
                    let segments = try Self.segments(of: app, now: now, database)
                    let open = segments.filter { !busy.contains($0.number) }
                    if let next = open.min(by: { $0.chunkCount < $1.chunkCount }) { return next }
                }
                return nil
            }
            guard let chosen else { return nil }
            if planning.withLock({ $0.segments.insert(chosen.number).inserted }) { return chosen }
        }
    }

    /// A segment for everybody begins when its push is due, and stays due when the clock is set back afterwards.
    private static let isDue = "(s.due_at <= ? OR s.kind = 'everybody')"

    private static let segmentColumns = """
        s.number, s.push, s.kind, s.time_zone, s.due_at, s.cursor, p.began_at, s.chunk_count
        FROM segments AS s JOIN pushes AS p ON p.number = s.push
        """

    private static func read(segment row: borrowing Row) throws(SQLiteError) -> DueSegment {
        DueSegment(
            number: try row.integer(0), push: try row.integer(1),
            kind: PushSegment.Kind(rawValue: try row.string(2)) ?? .everybody,
            timeZone: try row.optionalString(3), dueAt: Instant(millisecondsSince1970: try row.integer(4)),
            cursor: try row.integer(5), beganAt: try row.integer(6), chunkCount: try row.integer(7))
    }

    private static func oldestSegment(
        now: Instant, except busy: Set<Int64>, _ database: Database
    ) throws(SQLiteError) -> DueSegment? {
        try database.all(
            """
            SELECT \(segmentColumns)
            WHERE s.is_planned = 0 AND \(isDue) AND p.state = 'running' ORDER BY s.due_at LIMIT ?
            """, [.integer(now.millisecondsSince1970), Value(busy.count + 1)]
        ) { row throws(SQLiteError) in try Self.read(segment: row) }.first { !busy.contains($0.number) }
    }

    /// Apps with something due, the one with the least sent first.
    private static func appsWithSegments(now: Instant, _ database: Database) throws(SQLiteError) -> [Int64] {
        try database.all(appsWithSegmentsQuery, [.integer(now.millisecondsSince1970)]) {
            row throws(SQLiteError) in try row.integer(0)
        }
    }

    static let appsWithSegmentsQuery = """
        WITH RECURSIVE open (app) AS (
            SELECT min(app) FROM segments WHERE is_planned = 0
            UNION ALL
            SELECT (SELECT min(app) FROM segments WHERE is_planned = 0 AND app > open.app) FROM open
                WHERE open.app IS NOT NULL)
        SELECT open.app FROM open LEFT JOIN apps AS a ON a.number = open.app
        WHERE open.app IS NOT NULL
            AND ((SELECT min(due_at) FROM segments WHERE is_planned = 0 AND app = open.app) <= ?
                OR EXISTS (SELECT 1 FROM segments WHERE is_planned = 0 AND app = open.app AND kind = 'everybody'))
        ORDER BY coalesce(a.turn, 0), open.app
        """

    private static func segments(
        of app: Int64, now: Instant, _ database: Database
    ) throws(SQLiteError) -> [DueSegment] {
        try database.all(
            """
            SELECT \(segmentColumns)
            WHERE s.is_planned = 0 AND s.app = ? AND \(isDue) AND p.state = 'running'
            ORDER BY s.due_at LIMIT ?
            """, [.integer(app), .integer(now.millisecondsSince1970), Value(candidateCountMax)]
        ) { row throws(SQLiteError) in try Self.read(segment: row) }
    }

    /// Whether no other segment of a push is left.
    private static func isLastSegment(
        _ segment: DueSegment, _ database: Database
    ) throws(SQLiteError) -> Bool {
        let hasOthers = try database.first(
            "SELECT EXISTS (SELECT 1 FROM segments WHERE push = ? AND number <> ? AND is_planned = 0)",
            [.integer(segment.push), .integer(segment.number)]
        ) { row throws(SQLiteError) in try row.boolean(0) }
        return hasOthers == false
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
            try Self.note(text, push: push.number, now: now, database)
        }
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
        values += [.integer(segment.cursor), Value(configuration.chunkCountMax)]
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
                let fate: Fate =
                    late < 0 ? .leftOut : late > lateMilliseconds + Self.movedMilliseconds ? .late : .reached
                return Found(number: number, fate: fate, mayBeTwice: true)
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
        _ numbers: [Int64], _ dueAt: Instant, countMax: Int, push: Push, now: Instant, _ database: Database
    ) throws(SQLiteError) {
        guard !numbers.isEmpty else { return }
        var size = countMax
        var paceAt = now.millisecondsSince1970
        if let rate = push.request.devicesPerSecondMax {
            // Four batches a second, so that the pace is even.
            size = min(size, max(1, rate / 4))
            let former = try database.first(
                "SELECT pace_at FROM pushes WHERE number = ?", [.integer(push.number)]
            ) { row throws(SQLiteError) in try row.optionalInteger(0) }
            paceAt = max(paceAt, (former ?? nil) ?? 0)
        }
        let parts = stride(from: 0, to: numbers.count, by: size).map {
            Array(numbers[$0..<min($0 + size, numbers.count)])
        }
        // A paced batch gets its turn when its time has come.
        let turns =
            push.request.devicesPerSecondMax == nil
            ? try FairTurn.turns(parts.map(\.count), push: push.number, database) : nil
        for (index, part) in parts.enumerated() {
            try insertBatch(
                part, notBefore: Instant(millisecondsSince1970: paceAt), dueAt: dueAt, badges: nil,
                articles: nil, attemptCount: 0, turn: turns?[index], push: push, database)
            if let rate = push.request.devicesPerSecondMax {
                paceAt += Int64(part.count) * 1000 / Int64(max(1, rate))
            }
        }
        if push.request.devicesPerSecondMax != nil {
            try database.execute(
                "UPDATE pushes SET pace_at = ? WHERE number = ?", [.integer(paceAt), .integer(push.number)])
        }
    }

    /// Writes a finished batch of installations that the push came too late for.
    private static func insertLate(
        _ numbers: [Int64], _ dueAt: Instant, countMax: Int, push: Push, now: Instant, _ database: Database
    ) throws(SQLiteError) {
        for start in stride(from: 0, to: numbers.count, by: countMax) {
            let part = Array(numbers[start..<min(start + countMax, numbers.count)])
            try insertBatch(
                part, notBefore: now, dueAt: dueAt, badges: nil, articles: nil, attemptCount: 0, turn: nil,
                push: push, database)
            try end(
                batch: database.lastInsertedRowID, Array(repeating: 0, count: part.count), as: .zonePassed,
                now: now, database)
        }
        try note(
            "\(numbers.count) device\(numbers.count == 1 ? "" : "s") came to a time zone where its time was past",
            push: push.number, now: now,
            database)
    }

    /// Writes one batch of installations, all pending.
    ///
    /// - Parameter turn: its turn, when it is ready now; nil for one that gets it when its time has come.
    static func insertBatch(
        _ numbers: [Int64], notBefore: Instant, dueAt: Instant, badges: [Int64]?, articles: [Int]?,
        attemptCount: Int, turn: Int64?, push: Push, _ database: Database
    ) throws(SQLiteError) {
        guard let first = numbers.first, let last = numbers.last else { return }
        try database.execute(
            """
            INSERT INTO batches (push, app, turn, state, not_before, due_at, first, last, device_count, \
            pending_count, installations, outcomes, badges, articles, attempts) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(push.number), .integer(push.app), .integer(turn ?? 0),
                .integer(turn == nil ? 4 : 0), .integer(notBefore.millisecondsSince1970),
                .integer(dueAt.millisecondsSince1970), .integer(first), .integer(last), Value(numbers.count),
                Value(numbers.count), .blob(NumberList.encode(numbers)),
                .blob(Array(repeating: 0, count: numbers.count)), Value(badges.map(NumberList.encodeEach)),
                Value(articles.map { NumberList.encodeEach($0.map { Int64($0 + 1) }) }), Value(attemptCount),
            ])
    }

    /// Writes the batch of a push to device tokens.
    static func insertBatch(
        tokens: [String], push: Push, notBefore: Instant, attemptCount: Int, turn: Int64?,
        _ database: Database
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
            INSERT INTO batches (push, app, turn, state, not_before, due_at, first, last, device_count, \
            pending_count, tokens, outcomes, attempts) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)
            """,
            [
                .integer(push.number), .integer(push.app), .integer(turn ?? 0),
                .integer(turn == nil ? 4 : 0), .integer(notBefore.millisecondsSince1970),
                .integer(push.dueAt.millisecondsSince1970), Value(tokens.count), Value(tokens.count),
                .text(text), .blob(Array(repeating: 0, count: tokens.count)), Value(attemptCount),
            ])
    }
}
