internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// How many installations a batch has at most.
    static let batchCountMax = SQLiteStore.batchCountMax
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

    /// Writes the next installations of one due push into batches; on one node at a time.
    public func planChunk(now: Instant) async throws(StoreError) -> Bool {
        guard try await hasLease() else { return false }
        let due = try await read { session in
            let found = try session.query(
                """
                SELECT s.number, s.push, s.kind, s.time_zone, s.due_at, s.cursor, p.began_at
                FROM segments AS s JOIN pushes AS p ON p.number = s.push
                WHERE NOT s.is_planned AND s.due_at <= $1 AND p.state = 'running' ORDER BY s.due_at LIMIT 1
                """, [.integer(now.millisecondsSince1970)])
            guard let row = found.first else { return (nil, nil) as (DueSegment?, Push?) }
            let segment = DueSegment(
                number: try row.integer(0), push: try row.integer(1),
                kind: PushSegment.Kind(rawValue: try row.string(2)) ?? .everybody,
                timeZone: try row.optionalString(3),
                dueAt: Instant(millisecondsSince1970: try row.integer(4)), cursor: try row.integer(5),
                beganAt: try row.integer(6))
            return (
                segment,
                try PostgreSQLPushRow.all(session, where: "p.number = $1", [.integer(segment.push)]).first
            )
        }
        guard let segment = due.0, let push = due.1 else { return false }
        if isTooLate(segment, push, now: now) {
            try await skip(segment, push, now: now)
            return true
        }
        guard let app = try await apps().first(where: { $0.number == push.app }) else {
            throw StoreError(.database, "push \(push.objectID) belongs to no app")
        }
        let (found, isLast) = try await find(segment, push, app: app, now: now)
        let kept = found.filter { !$0.mayBeTwice }.map(\.number)
        let doubtful = found.filter { $0.mayBeTwice && !$0.isLeftOut }.map(\.number)
        let cursor = found.last?.number ?? segment.cursor
        try await write { session in
            // Who pauses it meanwhile waits for this, and holds what is written here.
            let state = try session.query(
                "SELECT state FROM pushes WHERE number = $1 FOR SHARE", [.integer(push.number)]
            ).first?.string(0)
            guard state == Push.State.running.rawValue else { return }
            // Only one planner gets past this for each cursor.
            let moved = try session.execute(
                """
                UPDATE segments SET cursor = $1, is_planned = $2
                WHERE number = $3 AND cursor = $4 AND NOT is_planned
                """,
                [.integer(cursor), .boolean(isLast), .integer(segment.number), .integer(segment.cursor)])
            guard moved == 1 else { return }
            let new = try doubtful.filter { !(try Self.isPlanned($0, push: push.number, session)) }
            let numbers = new.isEmpty ? kept : (kept + new).sorted()
            try Self.insertBatches(numbers, segment.dueAt, push: push, now: now, session)
            if !numbers.isEmpty { try Self.announceWork(session) }
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
        try await write { session in
            let changed = try session.execute(
                "UPDATE segments SET is_planned = TRUE WHERE number = $1 AND NOT is_planned",
                [.integer(segment.number)])
            guard changed == 1 else { return }
            // One sentence for each zone would grow without end.
            try session.execute(
                """
                UPDATE pushes SET updated_at = $1,
                    error = CASE WHEN error IS NULL THEN $2 WHEN length(error) < 400 THEN error || '; ' || $2
                        ELSE error END
                WHERE number = $3
                """,
                [.integer(now.millisecondsSince1970), .text(text), .integer(push.number)])
        }
    }

    /// The next installations of a segment, and whether they are its last.
    private func find(
        _ segment: DueSegment, _ push: Push, app: App, now: Instant
    ) async throws(StoreError) -> (found: [Found], isLast: Bool) {
        let audience = PostgreSQLAudience(push.request, app: app, now: now, purpose: .walk)
        let residual = audience.query.residual
        var sql =
            residual == nil
            ? audience.select("i.number, i.zone_changed_at, i.time_zone")
            : audience.select(PostgreSQLInstallationRow.columns)
        switch segment.kind {
        case .everybody: break
        case .zone:
            if let timeZone = segment.timeZone {
                sql.append(" AND i.time_zone = ?", [.text(timeZone)])
            } else {
                sql.append(" AND i.time_zone IS NULL")
            }
        case .moved: sql.append(" AND i.zone_changed_at >= ?", [.integer(segment.beganAt)])
        }
        sql.append(" AND ")
        sql.append(audience.query.number)
        sql.append(" > ? ORDER BY ", [.integer(segment.cursor)])
        sql.append(audience.query.number)
        let lateMilliseconds = Int64(push.request.lateMinutesMax) * 60_000
        @Sendable func found(_ number: Int64, _ zoneChangedAt: Int64, _ zone: String?) -> Found {
            guard segment.kind == .moved, case .local(let civil) = push.request.time else {
                return Found(
                    number: number, mayBeTwice: segment.kind == .zone && zoneChangedAt >= segment.beganAt)
            }
            // It moved to where the time has just passed, or where nobody else was before.
            let dueAt = PushSegment.instant(of: civil, zone: zone)
            let late = now.millisecondsSince1970 - dueAt.millisecondsSince1970
            return Found(
                number: number,
                isLeftOut: late < 0 || late > lateMilliseconds + Self.movedMilliseconds, mayBeTwice: true)
        }
        guard let residual else {
            sql.append(" LIMIT ?", [.integer(Self.chunkCountMax)])
            let statement = sql.statement
            let all = try await read { session in
                try session.query(statement.sql, statement.values, isKept: false).map {
                    found(try $0.integer(0), try $0.optionalInteger(1) ?? 0, try $0.optionalString(2))
                }
            }
            return (all, all.count < Self.chunkCountMax)
        }
        let statement = sql.statement
        let all = try await snapshot { session in
            var all: [Found] = []
            try residual.forEachMatch(statement, session) { row in
                all.append(
                    found(row.number, row.zoneChangedAt?.millisecondsSince1970 ?? 0, row.timeZone))
                return all.count < Self.chunkCountMax
            }
            return all
        }
        return (all, all.count < Self.chunkCountMax)
    }

    /// Whether an installation is in a batch of a push.
    private static func isPlanned(_ installation: Int64, push: Int64, _ session: Session) throws -> Bool {
        try session.query(
            "SELECT installations FROM batches WHERE push = $1 AND first <= $2 AND last >= $2",
            [.integer(push), .integer(installation)]
        ).contains { row in
            NumberList.decode(try row.optionalBytes(0) ?? [])?.contains(installation) == true
        }
    }

    private static func insertBatches(
        _ numbers: [Int64], _ dueAt: Instant, push: Push, now: Instant, _ session: Session
    ) throws {
        guard !numbers.isEmpty else { return }
        var size = batchCountMax
        var paceAt = now.millisecondsSince1970
        if let rate = push.request.devicesPerSecondMax {
            // Four batches a second, so that the pace is even.
            size = min(size, max(1, rate / 4))
            let former = try session.query(
                "SELECT pace_at FROM pushes WHERE number = $1", [.integer(push.number)]
            ).first?.optionalInteger(0)
            paceAt = max(paceAt, (former ?? nil) ?? 0)
        }
        var batches: [NewBatch] = []
        var index = 0
        while index < numbers.count {
            let part = Array(numbers[index..<min(index + size, numbers.count)])
            batches.append(
                NewBatch(
                    part, notBefore: Instant(millisecondsSince1970: paceAt), dueAt: dueAt, push: push.number))
            if let rate = push.request.devicesPerSecondMax {
                paceAt += Int64(part.count) * 1000 / Int64(max(1, rate))
            }
            index += part.count
        }
        try NewBatch.insert(batches, now: now, session)
        if push.request.devicesPerSecondMax != nil {
            try session.execute(
                "UPDATE pushes SET pace_at = $1 WHERE number = $2", [.integer(paceAt), .integer(push.number)])
        }
    }
}
