internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// How many pushes one call starts or ends.
    private static let advanceCountMax = 100
    /// How long a push that a fault has stopped waits to be resumed before it is cancelled.
    private static let stoppedMilliseconds: Int64 = 24 * 3_600_000

    /// Starts pushes that are due, makes the pushes of schedules, ends what is complete; on one node at a time.
    public func advance(now: Instant) async throws(StoreError) -> (ended: [Push], next: Instant?) {
        guard try await hasLease() else { return (ended: [], next: nil) }
        let milliseconds = now.millisecondsSince1970
        let due = try await read { session in
            try session.query(
                """
                SELECT number FROM pushes WHERE state = 'scheduled' AND ended_at IS NULL AND due_at <= $1
                ORDER BY due_at LIMIT $2
                """, [.integer(milliseconds), .integer(Self.advanceCountMax)]
            ).map { try $0.integer(0) }
        }
        try await start(due, now: now)
        let ended = try await end(now: now)
        let next = try await next(ended: ended)
        return (ended: ended, next: next.map(Instant.init(millisecondsSince1970:)))
    }

    /// When to call again; nil too when that cannot be found out and there are ended pushes to be told of.
    private func next(ended: [Push]) async throws(StoreError) -> Int64? {
        do throws(StoreError) {
            return try await next()
        } catch {
            if ended.isEmpty { throw error }
            return nil
        }
    }

    private func next() async throws(StoreError) -> Int64? {
        try await read { session in
            try session.query(
                """
                SELECT min(at) FROM (
                    SELECT min(due_at) AS at FROM pushes WHERE state = 'scheduled' AND ended_at IS NULL
                    UNION ALL SELECT min(s.due_at) FROM segments AS s JOIN pushes AS p ON p.number = s.push
                        WHERE NOT s.is_planned AND p.state = 'running'
                    UNION ALL SELECT min(updated_at) + $1 FROM pushes
                        WHERE state = 'paused' AND ended_at IS NULL AND error IS NOT NULL) AS times
                """, [.integer(Self.stoppedMilliseconds)])[0].optionalInteger(0)
        }
    }

    /// Starts pushes; together, so that they share the wait for the server.
    private func start(_ numbers: [Int64], now: Instant) async throws(StoreError) {
        var failure: StoreError?
        await withTaskGroup(of: StoreError?.self) { group in
            for number in numbers {
                group.addTask {
                    do throws(StoreError) {
                        try await self.start(number, now: now)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await error in group { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func start(_ number: Int64, now: Instant) async throws(StoreError) {
        let reading = try await read { session in
            try PostgreSQLPushRow.readable(session, number: number)
        }
        guard case .pushes(let pushes) = reading else {
            try await write { session in try Self.setAside(push: number, now: now, session) }
            return
        }
        // Another node may have been quicker: the push runs, or the schedule's next occurrence is not due.
        guard let push = pushes.first, push.state == .scheduled, push.dueAt <= now else { return }
        try await start(push, now: now)
    }

    /// Starts a push, which other nodes may have started since it was read.
    func start(_ push: Push, now: Instant) async throws(StoreError) {
        guard let schedule = push.request.schedule else { return try await begin(push, now: now) }
        do throws(StoreError) {
            try await fire(push, schedule, now: now)
        } catch {
            // It was checked when it was accepted; what is wrong now stays wrong, and must hold up nobody else.
            guard error.code == .invalid else { throw error }
            let text = error.message
            try await write { session in
                try Self.setAside(push: push.number, because: text, now: now, session)
            }
        }
    }

    private static func numbers(
        _ condition: String, _ values: [Value], _ session: Session
    ) throws -> [Int64] {
        try session.query("SELECT p.number FROM pushes AS p WHERE \(condition)", values).map {
            try $0.integer(0)
        }
    }

    /// Pushes by their numbers; those that cannot be read are set aside.
    private static func readable(_ numbers: [Int64], now: Instant, _ session: Session) throws -> [Push] {
        try numbers.flatMap { number in
            switch try PostgreSQLPushRow.readable(session, number: number) {
            case .pushes(let pushes): return pushes
            case .unreadable:
                try setAside(push: number, now: now, session)
                return []
            }
        }
    }

    /// Starts a push: from now on its segments are planned as they become due.
    private func begin(_ push: Push, now: Instant) async throws(StoreError) {
        var segments: [PushSegment]
        switch push.request.time {
        case .now, .at: segments = [PushSegment(kind: .everybody, dueAt: push.dueAt)]
        case .local(let civil):
            let zones = try await read { session in
                // Jumps from each zone to the next in the index, for reading a large table takes a while.
                try session.query(
                    """
                    WITH RECURSIVE zones AS (
                        (SELECT time_zone FROM installations WHERE app = $1 AND time_zone IS NOT NULL
                            ORDER BY time_zone LIMIT 1)
                        UNION ALL
                        SELECT (SELECT i.time_zone FROM installations AS i
                            WHERE i.app = $1 AND i.time_zone > z.time_zone ORDER BY i.time_zone LIMIT 1)
                        FROM zones AS z WHERE z.time_zone IS NOT NULL)
                    SELECT time_zone FROM zones WHERE time_zone IS NOT NULL
                    UNION ALL
                    (SELECT NULL WHERE EXISTS (
                        SELECT 1 FROM installations WHERE app = $1 AND time_zone IS NULL))
                    """, [.integer(push.app)]
                ).map { try $0.optionalString(0) }
            }
            segments = PushSegment.segments(
                of: civil, zones: zones, lateSeconds: Int64(push.request.lateMinutesMax) * 60)
        }
        if push.request.givenAddresses != nil { segments = [] }
        let all = segments
        try await write { session in
            let changed = try session.execute(
                """
                UPDATE pushes SET state = 'running', began_at = $1, updated_at = $1
                WHERE number = $2 AND state = 'scheduled'
                """, [.integer(now.millisecondsSince1970), .integer(push.number)])
            guard changed == 1 else { return }
            try session.execute(
                """
                INSERT INTO segments (push, app, kind, time_zone, due_at)
                SELECT $1, $5, kind, time_zone, due_at FROM unnest($2, $3, $4) AS s(kind, time_zone, due_at)
                """,
                [
                    .integer(push.number), .texts(all.map(\.kind.rawValue)), .texts(all.map(\.timeZone)),
                    .integers(all.map(\.dueAt.millisecondsSince1970)), .integer(push.app),
                ])
            if let tokens = push.request.givenAddresses {
                let parts = stride(from: 0, to: tokens.count, by: Self.batchCountMax).map {
                    Array(tokens[$0..<min($0 + Self.batchCountMax, tokens.count)])
                }
                let turns = try PostgreSQLTurn.turns(parts.map(\.count), push: push.number, session)
                let batches = zip(parts, turns).map { part, turn in
                    NewBatch(tokens: part, push: push, notBefore: now, attemptCount: 0, turn: turn)
                }
                try NewBatch.insert(batches, now: now, session)
                try Self.announceWork(session)
            }
        }
    }

    /// Makes the push of a schedule's occurrence that is due, and moves the schedule on to its next one.
    private func fire(_ parent: Push, _ schedule: PushSchedule, now: Instant) async throws(StoreError) {
        let recurring = try RecurringPush(schedule, createdAt: parent.createdAt)
        let state = try await read { session in
            try session.query(
                "SELECT occurrence FROM pushes WHERE number = $1 AND state = 'scheduled' AND due_at = $2",
                [.integer(parent.number), .integer(parent.dueAt.millisecondsSince1970)]
            ).first.map { try $0.optionalString(0) }
        }
        // Another node has fired this occurrence, or somebody has cancelled it. What is due next has its own time.
        guard let state else { return }
        guard let occurrence = state, let time = recurring.time(of: occurrence) else {
            throw StoreError(.invalid, "the stored schedule has no occurrence")
        }
        var current = PushTiming(dueAt: parent.dueAt, lastAt: parent.dueAt, occurrence: occurrence)
        if case .local(let civil) = time { current.lastAt = PushTiming(local: civil).lastAt }
        // While nothing ran, whole occurrences may have passed: they are skipped, and the last one says so.
        let lateSeconds = Int64(parent.request.lateMinutesMax) * 60
        var missedCount = 0
        var next = recurring.next(after: occurrence)
        while current.lastAt.advanced(bySeconds: lateSeconds) < now, let following = next,
            following.dueAt <= now
        {
            missedCount += 1
            current = following
            next = recurring.next(after: following.occurrence)
        }
        let isMissed = current.lastAt.advanced(bySeconds: lateSeconds) < now
        if isMissed { missedCount += 1 }
        guard let firing = current.occurrence, let firingTime = recurring.time(of: firing) else { return }
        var request = parent.request
        request.schedule = nil
        request.requestID = nil
        request.time = firingTime
        let child = request
        let text: String
        do { text = try PushRow.text(child) } catch {
            throw error as? StoreError ?? StoreError(.database, "\(error)")
        }
        let (timing, following, missed) = (current, next, missedCount)
        try await write { session in
            let moved = try session.execute(
                """
                UPDATE pushes SET occurrence = $1, due_at = $2, fired_count = fired_count + 1, updated_at = $3,
                    state = $4, ended_at = $5 WHERE number = $6 AND state = 'scheduled' AND occurrence = $7
                """,
                [
                    .text(following?.occurrence),
                    .integer((following?.dueAt ?? parent.dueAt).millisecondsSince1970),
                    .integer(now.millisecondsSince1970), .text(following == nil ? "done" : "scheduled"),
                    .integer(following == nil ? now.millisecondsSince1970 : nil), .integer(parent.number),
                    .text(occurrence),
                ])
            guard moved == 1 else { return }
            let objectID = PushIdentifier.random()
            let record = try Self.record(
                objectID: objectID, notificationID: child.notificationID, app: parent.app, now: now, session)
            let notes =
                missed == 0
                ? nil
                : "\(missed) occurrences until \(firing) were skipped: the service did not run at their time"
            try session.execute(
                """
                INSERT INTO pushes (app, record, object_id, request, state, notes, created_at, updated_at, \
                due_at, expires_at, ended_at, occurrence, schedule)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12)
                """,
                [
                    .integer(parent.app), .integer(record), .text(objectID), .text(text),
                    .text(isMissed ? "cancelled" : "scheduled"), .text(notes),
                    .integer(now.millisecondsSince1970), .integer(timing.dueAt.millisecondsSince1970),
                    .integer(child.expiresAt(sentAt: timing.lastAt)?.millisecondsSince1970),
                    .integer(isMissed ? now.millisecondsSince1970 : nil), .text(firing),
                    .integer(parent.number),
                ])
        }
        if !isMissed {
            let made = try await read { session in
                try PostgreSQLPushRow.all(
                    session, where: "p.schedule = $1 AND p.occurrence = $2",
                    [.integer(parent.number), .text(firing)])
            }
            for push in made where push.state == .scheduled { try await begin(push, now: now) }
        }
    }

    /// Ends pushes whose devices all have outcomes, and those nobody resumed in time.
    private func end(now: Instant) async throws(StoreError) -> [Push] {
        let milliseconds = now.millisecondsSince1970
        let complete = """
            p.state = 'running' AND p.ended_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM segments AS s WHERE s.push = p.number AND NOT s.is_planned)
            AND NOT EXISTS (SELECT 1 FROM batches AS b WHERE b.push = p.number AND b.state IN (0, 1, 3, 4))
            """
        let abandoned = """
            p.state = 'paused' AND p.ended_at IS NULL
            AND (p.expires_at <= $1 OR (p.error IS NOT NULL AND p.updated_at <= $2))
            """
        let limits: [Value] = [.integer(milliseconds), .integer(milliseconds - Self.stoppedMilliseconds)]
        let (done, given) = try await read { session in
            (
                try Self.numbers("\(complete) LIMIT \(Self.advanceCountMax)", [], session),
                try Self.numbers("\(abandoned) LIMIT \(Self.advanceCountMax)", limits, session)
            )
        }
        guard !done.isEmpty || !given.isEmpty else { return [] }
        return try await write { session in
            var ended: [Push] = []
            for push in try Self.readable(done.sorted(), now: now, session) {
                let changed = try session.execute(
                    """
                    UPDATE pushes AS p SET state = 'done', ended_at = $1, updated_at = $1
                    WHERE p.number = $2 AND \(complete)
                    """, [.integer(milliseconds), .integer(push.number)])
                guard changed == 1 else { continue }
                ended.append(push)
                try Self.announceEnd(of: push, now: now, session)
            }
            for number in given.sorted() {
                // Somebody may be about to resume it.
                try session.query("SELECT 1 FROM pushes WHERE number = $1 FOR UPDATE", [.integer(number)])
                for push in try Self.readable([number], now: now, session) where push.state == .paused {
                    try Self.change(push, to: .cancelled, now: now, session)
                    ended.append(push)
                }
            }
            // As they are now: whoever is told wants to know how they ended.
            return try Self.readable(ended.map(\.number), now: now, session)
        }
    }
}
