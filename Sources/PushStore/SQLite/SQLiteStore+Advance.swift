internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// How many pushes one call starts or ends.
    private static let advanceCountMax = 100
    /// How long a push that a fault has stopped waits to be resumed before it is cancelled.
    private static let stoppedMilliseconds: Int64 = 24 * 3_600_000

    /// Starts pushes that are due, makes the pushes of schedules, ends what is complete.
    public func advance(now: Instant) async throws(StoreError) -> (ended: [Push], next: Instant?) {
        let milliseconds = now.millisecondsSince1970
        let due = try await read { database in
            try database.all(
                """
                SELECT number FROM pushes WHERE state = 'scheduled' AND ended_at IS NULL AND due_at <= ?
                ORDER BY due_at LIMIT ?
                """, [.integer(milliseconds), Value(Self.advanceCountMax)]
            ) { row throws(SQLiteError) in try row.integer(0) }
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
        try await read { database in
            try database.first(
                """
                SELECT min(at) FROM (
                    SELECT min(due_at) AS at FROM pushes WHERE state = 'scheduled' AND ended_at IS NULL
                    UNION ALL SELECT min(s.due_at) FROM segments AS s JOIN pushes AS p ON p.number = s.push
                        WHERE s.is_planned = 0 AND p.state = 'running'
                    UNION ALL SELECT min(updated_at) + ? FROM pushes
                        WHERE state = 'paused' AND ended_at IS NULL AND error IS NOT NULL)
                """, [.integer(Self.stoppedMilliseconds)]
            ) { row throws(SQLiteError) in try row.optionalInteger(0) } ?? nil
        }
    }

    /// Starts pushes; together, so that they share the wait for the disk.
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
        let reading = try await read { database in try PushRow.readable(database, number: number) }
        guard case .pushes(let pushes) = reading else {
            try await write { database in try Self.setAside(push: number, now: now, database) }
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
            try await write { database in
                try Self.setAside(push: push.number, because: text, now: now, database)
            }
        }
    }

    private static func numbers(
        _ condition: String, _ values: [Value], _ database: Database
    ) throws(SQLiteError) -> [Int64] {
        try database.all("SELECT p.number FROM pushes AS p WHERE \(condition)", values) {
            row throws(SQLiteError) in try row.integer(0)
        }
    }

    /// Pushes by their numbers; those that cannot be read are set aside.
    private static func readable(_ numbers: [Int64], now: Instant, _ database: Database) throws -> [Push] {
        try numbers.flatMap { number in
            switch try PushRow.readable(database, number: number) {
            case .pushes(let pushes): return pushes
            case .unreadable:
                try setAside(push: number, now: now, database)
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
            // Scanning a large table takes a while: on a reader, so that nobody waits for it.
            let zones = try await read { database in
                try database.all(
                    "SELECT DISTINCT time_zone FROM installations WHERE +app = ?", [.integer(push.app)]
                ) { row throws(SQLiteError) in try row.optionalString(0) }
            }
            segments = PushSegment.segments(
                of: civil, zones: zones, lateSeconds: Int64(push.request.lateMinutesMax) * 60)
        }
        if push.request.givenAddresses != nil { segments = [] }
        let all = segments
        let batchCountMax = configuration.batchCountMax
        try await write { database in
            let changed = try database.execute(
                """
                UPDATE pushes SET state = 'running', began_at = ?, updated_at = ?
                WHERE number = ? AND state = 'scheduled'
                """,
                [
                    .integer(now.millisecondsSince1970), .integer(now.millisecondsSince1970),
                    .integer(push.number),
                ])
            guard changed == 1 else { return }
            for segment in all {
                try database.execute(
                    "INSERT INTO segments (push, app, kind, time_zone, due_at) VALUES (?, ?, ?, ?, ?)",
                    [
                        .integer(push.number), .integer(push.app), .text(segment.kind.rawValue),
                        Value(segment.timeZone),
                        .integer(segment.dueAt.millisecondsSince1970),
                    ])
            }
            if let tokens = push.request.givenAddresses {
                let parts = stride(from: 0, to: tokens.count, by: batchCountMax).map {
                    Array(tokens[$0..<min($0 + batchCountMax, tokens.count)])
                }
                let turns = try FairTurn.turns(parts.map(\.count), push: push.number, database)
                for (part, turn) in zip(parts, turns) {
                    try Self.insertBatch(
                        tokens: part, push: push, notBefore: now, attemptCount: 0, turn: turn, database)
                }
            }
        }
    }

    /// Makes the push of a schedule's occurrence that is due, and moves the schedule on to its next one.
    private func fire(_ parent: Push, _ schedule: PushSchedule, now: Instant) async throws(StoreError) {
        let recurring = try RecurringPush(schedule, createdAt: parent.createdAt)
        let state = try await read { database in
            try database.first(
                "SELECT occurrence FROM pushes WHERE number = ? AND state = 'scheduled' AND due_at = ?",
                [.integer(parent.number), .integer(parent.dueAt.millisecondsSince1970)]
            ) { row throws(SQLiteError) in try row.optionalString(0) }
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
        let timing = current
        let following = next
        let missed = missedCount
        try await write { database in
            let moved = try database.execute(
                """
                UPDATE pushes SET occurrence = ?, due_at = ?, fired_count = fired_count + 1, updated_at = ?,
                    state = ?, ended_at = ? WHERE number = ? AND state = 'scheduled' AND occurrence = ?
                """,
                [
                    Value(following?.occurrence),
                    .integer((following?.dueAt ?? parent.dueAt).millisecondsSince1970),
                    .integer(now.millisecondsSince1970), .text(following == nil ? "done" : "scheduled"),
                    Value(following == nil ? now.millisecondsSince1970 : nil), .integer(parent.number),
                    .text(occurrence),
                ])
            guard moved == 1 else { return }
            let objectID = PushIdentifier.random()
            let record = try Self.record(
                objectID: objectID, notificationID: child.notificationID, app: parent.app, now: now, database)
            let notes =
                missed == 0
                ? nil
                : "\(missed) occurrences until \(firing) were skipped: the service did not run at their time"
            try database.execute(
                """
                INSERT INTO pushes (app, record, object_id, request, state, notes, created_at, updated_at, \
                due_at, expires_at, ended_at, occurrence, schedule) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(parent.app), .integer(record), .text(objectID), .text(text),
                    .text(isMissed ? "cancelled" : "scheduled"), Value(notes),
                    .integer(now.millisecondsSince1970), .integer(now.millisecondsSince1970),
                    .integer(timing.dueAt.millisecondsSince1970),
                    Value(child.expiresAt(sentAt: timing.lastAt)?.millisecondsSince1970),
                    Value(isMissed ? now.millisecondsSince1970 : nil), .text(firing),
                    .integer(parent.number),
                ])
        }
        if !isMissed {
            let made = try await read { database in
                try PushRow.all(
                    database, where: "p.schedule = ? AND p.occurrence = ?",
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
            AND NOT EXISTS (SELECT 1 FROM segments WHERE push = p.number AND is_planned = 0)
            AND NOT EXISTS (SELECT 1 FROM batches WHERE push = p.number AND state IN (0, 1, 3, 4))
            """
        let abandoned = """
            p.state = 'paused' AND p.ended_at IS NULL
            AND (p.expires_at <= ? OR (p.error IS NOT NULL AND p.updated_at <= ?))
            """
        let limits: [Value] = [.integer(milliseconds), .integer(milliseconds - Self.stoppedMilliseconds)]
        let (done, given) = try await read { database in
            (
                try Self.numbers("\(complete) LIMIT \(Self.advanceCountMax)", [], database),
                try Self.numbers("\(abandoned) LIMIT \(Self.advanceCountMax)", limits, database)
            )
        }
        guard !done.isEmpty || !given.isEmpty else { return [] }
        return try await write { database in
            var ended: [Push] = []
            for push in try Self.readable(done, now: now, database) {
                let changed = try database.execute(
                    """
                    UPDATE pushes AS p SET state = 'done', ended_at = ?, updated_at = ?
                    WHERE p.number = ? AND \(complete)
                    """, [.integer(milliseconds), .integer(milliseconds), .integer(push.number)])
                guard changed == 1 else { continue }
                ended.append(push)
                try Self.announceEnd(of: push, now: now, database)
            }
            // Somebody may have resumed it since.
            for push in try Self.readable(given, now: now, database) where push.state == .paused {
                try Self.change(push, to: .cancelled, now: now, database)
                ended.append(push)
            }
            // As they are now: whoever is told wants to know how they ended.
            return try Self.readable(ended.map(\.number), now: now, database)
        }
    }
}
