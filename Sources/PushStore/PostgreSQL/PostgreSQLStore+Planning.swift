internal import APNs
internal import PostgreSQL
public import Recurrence
internal import Synchronization

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
    /// How long one query for the next part of an audience may take: less than a session waits for an answer, so that
    /// the server ends it and the push is stopped with a reason.
    private static let findMillisecondsMax = 100_000
    /// How often finding an audience may fail before the push is stopped.
    private static let failureCountMax = 3

    /// Writes the next installations of one due push into batches; on one node at a time.
    public func planChunk(now: Instant) async throws(StoreError) -> Bool {
        guard try await hasLease() else { return false }
        guard let segment = try await takeSegment(now: now) else { return false }
        defer { planning.withLock { _ = $0.segments.remove(segment.number) } }
        let reading = try await read { session in
            try PostgreSQLPushRow.readable(session, number: segment.push)
        }
        guard case .pushes(let pushes) = reading else {
            try await write { session in try Self.setAside(push: segment.push, now: now, session) }
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
        let (found, isLast): ([Found], Bool)
        do throws(StoreError) {
            (found, isLast) = try await find(segment, push, app: app, now: now)
            planning.withLock { $0.failureCounts[segment.number] = nil }
        } catch {
            let stop = try await fail(segment, push, error, now: now)
            throw error.about(push: push.objectID, app: app.id, stop: stop)
        }
        let kept = found.filter { !$0.mayBeTwice }.map(\.number)
        let doubtful = found.filter { $0.mayBeTwice && $0.fate != .leftOut }
        let cursor = found.last?.number ?? segment.cursor
        try await write { session in
            // Who pauses it meanwhile waits for this, and holds what is written here.
            let state = try session.query(
                "SELECT state FROM pushes WHERE number = $1 FOR NO KEY UPDATE", [.integer(push.number)]
            ).first?.string(0)
            guard state == Push.State.running.rawValue else { return }
            // Only one planner gets past this for each cursor.
            let moved = try session.execute(
                """
                UPDATE segments SET cursor = $1, is_planned = $2, chunk_count = chunk_count + 1
                WHERE number = $3 AND cursor = $4 AND NOT is_planned
                """,
                [.integer(cursor), .boolean(isLast), .integer(segment.number), .integer(segment.cursor)])
            guard moved == 1 else { return }
            let new = try doubtful.filter { !(try Self.isPlanned($0.number, push: push.number, session)) }
            let late = new.filter { $0.fate == .late }.map(\.number)
            let reached = new.filter { $0.fate != .late }.map(\.number)
            let numbers = reached.isEmpty ? kept : (kept + reached).sorted()
            try Self.insertBatches(numbers, segment.dueAt, push: push, now: now, session)
            // Who can no longer get it is counted all the same, unless another zone may still be theirs.
            let isOver = try !late.isEmpty && Self.isLastSegment(segment, session)
            if isOver { try Self.insertLate(late, segment.dueAt, push: push, now: now, session) }
            if !numbers.isEmpty { try Self.announceWork(session) }
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
        // A server that is away, or has too much to do, is not the push's fault.
        guard count >= Self.failureCountMax, error.code == .database, await isReachable() else {
            return nil
        }
        planning.withLock { $0.failureCounts[segment.number] = nil }
        let text = "its audience cannot be found: \(error.message)"
        return try await write { session in
            try session.query("SELECT 1 FROM pushes WHERE number = $1 FOR UPDATE", [.integer(push.number)])
            guard case .pushes(let pushes) = try PostgreSQLPushRow.readable(session, number: push.number),
                let current = pushes.first, current.state == .running
            else { return nil }
            try Self.change(current, to: .paused, now: now, session)
            try session.execute(
                "UPDATE pushes SET error = $1 WHERE number = $2", [.text(text), .integer(push.number)])
            return text
        }
    }

    private func isReachable() async -> Bool {
        do throws(StoreError) {
            return try await read { session in try session.query("SELECT 1").count == 1 }
        } catch {
            return false
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
            let chosen = try await read { session in
                if isOldest { return try Self.oldestSegment(now: now, except: busy, session) }
                for app in try Self.appsWithSegments(now: now, session) {
                    let segments = try Self.segments(of: app, now: now, session)
                    let open = segments.filter { !busy.contains($0.number) }
                    if let next = open.min(by: { $0.chunkCount < $1.chunkCount }) { return next }
                }
                return nil
            }
            guard let chosen else { return nil }
            if planning.withLock({ $0.segments.insert(chosen.number).inserted }) { return chosen }
        }
    }

    // A segment for everybody begins when its push is due, and stays due when the clock is set back afterwards.

    private static let segmentColumns = """
        s.number, s.push, s.kind, s.time_zone, s.due_at, s.cursor, p.began_at, s.chunk_count
        FROM segments AS s JOIN pushes AS p ON p.number = s.push
        """

    private static func read(segment row: Row) throws -> DueSegment {
        DueSegment(
            number: try row.integer(0), push: try row.integer(1),
            kind: PushSegment.Kind(rawValue: try row.string(2)) ?? .everybody,
            timeZone: try row.optionalString(3), dueAt: Instant(millisecondsSince1970: try row.integer(4)),
            cursor: try row.integer(5), beganAt: try row.integer(6), chunkCount: try row.integer(7))
    }

    private static func oldestSegment(
        now: Instant, except busy: Set<Int64>, _ session: Session
    ) throws -> DueSegment? {
        try session.query(
            """
            SELECT \(segmentColumns)
            WHERE NOT s.is_planned AND (s.due_at <= $1 OR s.kind = 'everybody') AND p.state = 'running'
            ORDER BY s.due_at, s.number LIMIT $2
            """, [.integer(now.millisecondsSince1970), .integer(busy.count + 1)]
        ).map { try read(segment: $0) }.first { !busy.contains($0.number) }
    }

    /// Apps with something due, the one with the least sent first.
    private static func appsWithSegments(now: Instant, _ session: Session) throws -> [Int64] {
        try session.query(
            """
            WITH RECURSIVE open (app) AS (
                (SELECT app FROM segments WHERE NOT is_planned ORDER BY app LIMIT 1)
                UNION ALL
                SELECT (SELECT s.app FROM segments AS s WHERE NOT s.is_planned AND s.app > open.app
                    ORDER BY s.app LIMIT 1) FROM open WHERE open.app IS NOT NULL)
            SELECT open.app FROM open LEFT JOIN app_turns AS t ON t.app = open.app
            WHERE open.app IS NOT NULL
                AND ((SELECT min(due_at) FROM segments WHERE NOT is_planned AND app = open.app) <= $1
                    OR EXISTS (SELECT 1 FROM segments
                        WHERE NOT is_planned AND app = open.app AND kind = 'everybody'))
            ORDER BY coalesce(t.turn, 0), open.app
            """, [.integer(now.millisecondsSince1970)]
        ).map { try $0.integer(0) }
    }

    private static func segments(
        of app: Int64, now: Instant, _ session: Session
    ) throws -> [DueSegment] {
        try session.query(
            """
            SELECT \(segmentColumns)
            WHERE NOT s.is_planned AND s.app = $1 AND (s.due_at <= $2 OR s.kind = 'everybody')
                AND p.state = 'running'
            ORDER BY s.due_at, s.number LIMIT $3
            """, [.integer(app), .integer(now.millisecondsSince1970), .integer(candidateCountMax)]
        ).map { try read(segment: $0) }
    }

    /// Whether no other segment of a push is left.
    private static func isLastSegment(_ segment: DueSegment, _ session: Session) throws -> Bool {
        try session.query(
            "SELECT 1 FROM segments WHERE push = $1 AND number <> $2 AND NOT is_planned LIMIT 1",
            [.integer(segment.push), .integer(segment.number)]
        ).isEmpty
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
            try Self.note(text, push: push.number, now: now, session)
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
        sql.append(audience.query.onward(after: segment.cursor))
        let lateMilliseconds = Int64(push.request.lateMinutesMax) * 60_000
        @Sendable func found(_ number: Int64, _ zoneChangedAt: Int64, _ zone: String?) -> Found {
            guard segment.kind == .moved, case .local(let civil) = push.request.time else {
                return Found(
                    number: number, mayBeTwice: segment.kind == .zone && zoneChangedAt >= segment.beganAt)
            }
            // It moved to where the time has just passed, or where nobody else was before.
            let dueAt = PushSegment.instant(of: civil, zone: zone)
            let late = now.millisecondsSince1970 - dueAt.millisecondsSince1970
            let fate: Fate =
                late < 0 ? .leftOut : late > lateMilliseconds + Self.movedMilliseconds ? .late : .reached
            return Found(number: number, fate: fate, mayBeTwice: true)
        }
        guard let residual else {
            sql.append(" LIMIT ?", [.integer(Self.chunkCountMax)])
            let statement = sql.statement
            let all = try await snapshot { session in
                try QueryDeadline(milliseconds: Self.findMillisecondsMax).apply(to: session)
                return try session.query(statement.sql, statement.values, isKept: false).map {
                    found(try $0.integer(0), try $0.optionalInteger(1) ?? 0, try $0.optionalString(2))
                }
            }
            return (all, all.count < Self.chunkCountMax)
        }
        let statement = sql.statement
        let all = try await snapshot { session in
            var all: [Found] = []
            try QueryDeadline(milliseconds: Self.findMillisecondsMax).apply(to: session)
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
        let parts = stride(from: 0, to: numbers.count, by: size).map {
            Array(numbers[$0..<min($0 + size, numbers.count)])
        }
        // A paced batch gets its turn when its time has come.
        let turns =
            push.request.devicesPerSecondMax == nil
            ? try PostgreSQLTurn.turns(parts.map(\.count), push: push.number, session) : nil
        var batches: [NewBatch] = []
        for (index, part) in parts.enumerated() {
            batches.append(
                NewBatch(
                    part, notBefore: Instant(millisecondsSince1970: paceAt), dueAt: dueAt,
                    turn: turns?[index], push: push))
            if let rate = push.request.devicesPerSecondMax {
                paceAt += Int64(part.count) * 1000 / Int64(max(1, rate))
            }
        }
        try NewBatch.insert(batches, now: now, session)
        if push.request.devicesPerSecondMax != nil {
            try session.execute(
                "UPDATE pushes SET pace_at = $1 WHERE number = $2", [.integer(paceAt), .integer(push.number)])
        }
    }

    /// Writes finished batches of installations that the push came too late for.
    private static func insertLate(
        _ numbers: [Int64], _ dueAt: Instant, push: Push, now: Instant, _ session: Session
    ) throws {
        let batches = stride(from: 0, to: numbers.count, by: batchCountMax).map { start in
            NewBatch(
                Array(numbers[start..<min(start + batchCountMax, numbers.count)]), notBefore: now,
                dueAt: dueAt, outcome: .zonePassed, push: push)
        }
        try NewBatch.insert(batches, now: now, session)
        try note(
            "\(numbers.count) device\(numbers.count == 1 ? "" : "s") came to a time zone where its time was past",
            push: push.number, now: now, session)
    }
}
