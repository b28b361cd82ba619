internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// Accepts a push, durably.
    public func createPush(
        _ request: PushRequest, app: App, now: Instant
    ) async throws(StoreError) -> (push: Push, isNew: Bool) {
        let first = try PushTiming(request, now: now)
        let text: String
        do {
            text = try PushRow.text(request)
        } catch {
            throw error as? StoreError ?? StoreError(.invalid, "the push: \(error)")
        }
        let objectID = PushIdentifier.random()
        do throws(StoreError) {
            return try await createPush(request, text, objectID, first, app: app, now: now)
        } catch {
            // Its id tells whether it was kept, so that a client is not left in doubt.
            guard error.code == .uncertain, let push = try await push(objectID: objectID, app: app.number)
            else {
                throw error
            }
            return (push: push, isNew: true)
        }
    }

    private func createPush(
        _ request: PushRequest, _ text: String, _ objectID: String, _ first: PushTiming, app: App,
        now: Instant
    ) async throws(StoreError) -> (push: Push, isNew: Bool) {
        try await write { session in
            if let id = request.requestID {
                // Two nodes that get the same request at once: one waits here and finds what the other made.
                try session.query(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))",
                    [.text(id), .integer(app.number)])
                try session.execute(
                    "DELETE FROM request_ids WHERE app = $1 AND at <= $2",
                    [
                        .integer(app.number),
                        .integer(now.millisecondsSince1970 - SQLiteStore.requestIDMilliseconds),
                    ])
                let former = try PostgreSQLPushRow.all(
                    session,
                    where: "p.number = (SELECT push FROM request_ids WHERE app = $1 AND request_id = $2)",
                    [.integer(app.number), .text(id)])
                if let push = former.first { return (push: push, isNew: false) }
            }
            let record = try Self.record(
                objectID: objectID, notificationID: request.notificationID, app: app.number, now: now, session
            )
            let number = try session.query(
                """
                INSERT INTO pushes (app, record, object_id, request, state, created_at, updated_at, due_at, \
                expires_at, occurrence) VALUES ($1, $2, $3, $4, 'scheduled', $5, $5, $6, $7, $8) RETURNING number
                """,
                [
                    .integer(app.number), .integer(record), .text(objectID), .text(text),
                    .integer(now.millisecondsSince1970), .integer(first.dueAt.millisecondsSince1970),
                    .integer(
                        request.schedule == nil
                            ? request.expiresAt(sentAt: first.lastAt)?.millisecondsSince1970 : nil),
                    .text(first.occurrence),
                ])[0].integer(0)
            if let id = request.requestID {
                try session.execute(
                    "INSERT INTO request_ids (app, request_id, push, at) VALUES ($1, $2, $3, $4)",
                    [
                        .integer(app.number), .text(id), .integer(number),
                        .integer(now.millisecondsSince1970),
                    ])
            }
            try Self.announceWork(session)
            let made = try PostgreSQLPushRow.all(session, where: "p.number = $1", [.integer(number)])
            guard let push = made.first else {
                throw StoreError(.database, "a push is gone that was just made")
            }
            return (push: push, isNew: true)
        }
    }

    /// The number of the record a push goes into: a new one, or the one its notification id has.
    static func record(
        objectID: String, notificationID: String?, app: Int64, now: Instant, _ session: Session
    ) throws -> Int64 {
        if let notificationID {
            let former = try session.query(
                "SELECT number FROM records WHERE app = $1 AND notification_id = $2 FOR KEY SHARE",
                [.integer(app), .text(notificationID)])
            if let former = former.first { return try former.integer(0) }
        }
        return try session.query(
            """
            INSERT INTO records (app, object_id, notification_id, created_at) VALUES ($1, $2, $3, $4)
            RETURNING number
            """,
            [
                .integer(app), .text(objectID), .text(notificationID), .integer(now.millisecondsSince1970),
            ])[0].integer(0)
    }

    /// The push with an objectId.
    public func push(objectID: String, app: Int64) async throws(StoreError) -> Push? {
        try await read { session in
            try PostgreSQLPushRow.all(
                session, where: "p.app = $1 AND p.object_id = $2", [.integer(app), .text(objectID)]
            ).first
        }
    }

    /// Pauses, resumes or cancels a push; without effect on one that has ended.
    public func setState(
        _ state: Push.State, push objectID: String, app: Int64, now: Instant
    ) async throws(StoreError) -> Push? {
        try await write { session in
            let values: [Value] = [.integer(app), .text(objectID)]
            let found = try PostgreSQLPushRow.all(
                session, where: "p.app = $1 AND p.object_id = $2 FOR UPDATE OF p", values)
            guard let push = found.first else { return nil }
            try Self.change(push, to: state, now: now, session)
            try Self.announceWork(session)
            return try PostgreSQLPushRow.all(
                session, where: "p.app = $1 AND p.object_id = $2", values
            ).first
        }
    }

    /// Brings a push, whose row is locked, into another state, and its batches with it.
    static func change(_ push: Push, to state: Push.State, now: Instant, _ session: Session) throws {
        guard !push.state.isFinal, push.state != state else { return }
        let number: Value = .integer(push.number)
        let fault = push.state == .paused ? push.error : nil
        switch state {
        case .scheduled, .done:
            throw StoreError(
                .invalid, "state: pushes are paused, resumed or cancelled, not \(state.rawValue)")
        case .paused:
            try update(push, state: .paused, error: fault, now: now, session)
            try session.execute(
                "UPDATE batches SET state = 3 WHERE push = $1 AND state IN (0, 4)", [number])
        case .running:
            guard push.state == .paused else { return }
            let hasBegun = try session.query(
                "SELECT began_at IS NOT NULL FROM pushes WHERE number = $1", [number]
            ).first?.boolean(0)
            // What stopped it is mended now, as far as whoever resumes it knows.
            try update(push, state: hasBegun == true ? .running : .scheduled, error: nil, now: now, session)
            try PostgreSQLTurn.restart(push: push.number, session)
            try session.execute("UPDATE batches SET state = 4 WHERE push = $1 AND state = 3", [number])
        case .cancelled:
            try update(push, state: .cancelled, error: fault, now: now, session)
            try session.execute("UPDATE segments SET is_planned = TRUE WHERE push = $1", [number])
            // A batch that a sender holds is ended by its sender, or by the next one when its lease runs out.
            try end(
                try openBatches(of: push.number, states: "0, 3, 4", session), as: .cancelled, now: now,
                session)
            try announceEnd(of: push, now: now, session)
        }
    }

    /// Tells the app's webhooks that a push has ended, if they want to know.
    static func announceEnd(of push: Push, now: Instant, _ session: Session) throws {
        guard try isWanted(.pushDone, app: push.app, session),
            let number = try recordNumber(id: push.objectID, app: push.app, session),
            let record = try record(number: number, session)
        else { return }
        try add(
            [
                .pushDone(
                    objectID: record.objectID, notificationID: record.notificationID, status: record.status,
                    deviceCount: record.deviceCount, successCount: record.successCount,
                    invalidTokenCount: record.invalidTokenCount, errors: record.errors)
            ], app: push.app, now: now, session)
    }

    private static func update(
        _ push: Push, state: Push.State, error: String?, now: Instant, _ session: Session
    ) throws {
        try session.execute(
            """
            UPDATE pushes SET state = $1, error = $2, \(PushRow.keptNotes), updated_at = $3, ended_at = $4
            WHERE number = $5
            """,
            [
                .text(state.rawValue), .text(error), .integer(now.millisecondsSince1970),
                .integer(state.isFinal ? now.millisecondsSince1970 : nil), .integer(push.number),
            ])
    }

    /// Pushes whose time has not come and schedules, soonest first.
    public func scheduledPushes(app: Int64) async throws(StoreError) -> [Push] {
        try await read { session in
            try PostgreSQLPushRow.all(
                session,
                where:
                    "p.app = $1 AND p.state = 'scheduled' AND p.ended_at IS NULL ORDER BY p.due_at LIMIT 1000",
                [.integer(app)])
        }
    }

    /// Cancels a scheduled push by its number.
    public func cancelScheduledPush(
        number: Int64, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { session in
            let found = try PostgreSQLPushRow.all(
                session, where: "p.app = $1 AND p.number = $2 AND p.state = 'scheduled' FOR UPDATE OF p",
                [.integer(app), .integer(number)])
            guard let push = found.first else { return false }
            try Self.change(push, to: .cancelled, now: now, session)
            return true
        }
    }
}
