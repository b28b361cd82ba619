internal import APNs
internal import Crypto
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// LeanCloud: the same `req_id` within five minutes sends nothing twice.
    static let requestIDMilliseconds: Int64 = 5 * 60_000

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
        return try await write { database in
            if let id = request.requestID {
                try database.execute(
                    "DELETE FROM request_ids WHERE at <= ?",
                    [.integer(now.millisecondsSince1970 - Self.requestIDMilliseconds)])
                let former = try PushRow.all(
                    database,
                    where: "p.number = (SELECT push FROM request_ids WHERE app = ? AND request_id = ?)",
                    [.integer(app.number), .text(id)])
                if let push = former.first { return (push: push, isNew: false) }
            }
            let record = try Self.record(
                objectID: objectID, notificationID: request.notificationID, app: app.number, now: now,
                database)
            try database.execute(
                """
                INSERT INTO pushes (app, record, object_id, request, state, created_at, updated_at, due_at, \
                expires_at, occurrence) VALUES (?, ?, ?, ?, 'scheduled', ?, ?, ?, ?, ?)
                """,
                [
                    .integer(app.number), .integer(record), .text(objectID), .text(text),
                    .integer(now.millisecondsSince1970), .integer(now.millisecondsSince1970),
                    .integer(first.dueAt.millisecondsSince1970),
                    Value(
                        request.schedule == nil
                            ? request.expiresAt(sentAt: first.lastAt)?.millisecondsSince1970 : nil),
                    Value(first.occurrence),
                ])
            let number = database.lastInsertedRowID
            if let id = request.requestID {
                try database.execute(
                    "INSERT INTO request_ids (app, request_id, push, at) VALUES (?, ?, ?, ?)",
                    [.integer(app.number), .text(id), .integer(number), .integer(now.millisecondsSince1970)])
            }
            guard let push = try PushRow.all(database, where: "p.number = ?", [.integer(number)]).first else {
                throw StoreError(.database, "a push is gone that was just made")
            }
            return (push: push, isNew: true)
        }
    }

    /// The number of the record a push goes into: a new one, or the one its notification id has.
    static func record(
        objectID: String, notificationID: String?, app: Int64, now: Instant, _ database: Database
    ) throws(SQLiteError) -> Int64 {
        if let notificationID {
            let former = try database.first(
                "SELECT number FROM records WHERE app = ? AND notification_id = ?",
                [.integer(app), .text(notificationID)]
            ) { row throws(SQLiteError) in try row.integer(0) }
            if let former { return former }
        }
        try database.execute(
            "INSERT INTO records (app, object_id, notification_id, created_at) VALUES (?, ?, ?, ?)",
            [.integer(app), .text(objectID), Value(notificationID), .integer(now.millisecondsSince1970)])
        return database.lastInsertedRowID
    }

    /// The push with an objectId.
    public func push(objectID: String, app: Int64) async throws(StoreError) -> Push? {
        try await read { database in
            try PushRow.all(
                database, where: "p.app = ? AND p.object_id = ?", [.integer(app), .text(objectID)]
            ).first
        }
    }

    /// Pauses, resumes or cancels a push; without effect on one that has ended.
    public func setState(
        _ state: Push.State, push objectID: String, app: Int64, now: Instant
    ) async throws(StoreError) -> Push? {
        try await write { database in
            let condition = "p.app = ? AND p.object_id = ?"
            let values: [Value] = [.integer(app), .text(objectID)]
            guard let push = try PushRow.all(database, where: condition, values).first else { return nil }
            try Self.change(push, to: state, now: now, database)
            return try PushRow.all(database, where: condition, values).first
        }
    }

    /// Brings a push into another state, and its batches with it.
    static func change(_ push: Push, to state: Push.State, now: Instant, _ database: Database) throws {
        guard !push.state.isFinal, push.state != state else { return }
        let number: Value = .integer(push.number)
        let fault = push.state == .paused ? push.error : nil
        switch state {
        case .scheduled, .done:
            throw StoreError(
                .invalid, "state: pushes are paused, resumed or cancelled, not \(state.rawValue)")
        case .paused:
            try update(push, state: .paused, error: fault, now: now, database)
            try database.execute(
                "UPDATE batches SET state = 3 WHERE push = ? AND state IN (0, 4)", [number])
        case .running:
            guard push.state == .paused else { return }
            let hasBegun = try database.first(
                "SELECT began_at IS NOT NULL FROM pushes WHERE number = ?", [number]
            ) { row throws(SQLiteError) in try row.boolean(0) }
            // What stopped it is mended now, as far as whoever resumes it knows.
            try update(push, state: hasBegun == true ? .running : .scheduled, error: nil, now: now, database)
            try FairTurn.restart(push: push.number, database)
            try database.execute("UPDATE batches SET state = 4 WHERE push = ? AND state = 3", [number])
        case .cancelled:
            try update(push, state: .cancelled, error: fault, now: now, database)
            try database.execute("UPDATE segments SET is_planned = 1 WHERE push = ?", [number])
            // A batch that a sender holds is ended by its sender, or by the next one when its lease runs out.
            let open = try database.all(
                "SELECT number, outcomes FROM batches WHERE push = ? AND state IN (0, 3, 4)", [number]
            ) { row throws(SQLiteError) in (number: try row.integer(0), outcomes: try row.bytes(1)) }
            for batch in open {
                try end(batch: batch.number, batch.outcomes, as: .cancelled, now: now, database)
            }
            try announceEnd(of: push, now: now, database)
        }
    }

    /// Tells the app's webhooks that a push has ended, if they want to know.
    static func announceEnd(of push: Push, now: Instant, _ database: Database) throws {
        guard try WebhookOutbox.isWanted(.pushDone, app: push.app, in: database),
            let number = try recordNumber(id: push.objectID, app: push.app, database),
            let record = try record(number: number, database)
        else { return }
        try WebhookOutbox.add(
            .pushDone(
                objectID: record.objectID, notificationID: record.notificationID, status: record.status,
                deviceCount: record.deviceCount, successCount: record.successCount,
                invalidTokenCount: record.invalidTokenCount, errors: record.errors),
            app: push.app, now: now, in: database)
    }

    private static func update(
        _ push: Push, state: Push.State, error: String?, now: Instant, _ database: Database
    ) throws(SQLiteError) {
        try database.execute(
            """
            UPDATE pushes SET state = ?, error = ?, \(PushRow.keptNotes), updated_at = ?, ended_at = ?
            WHERE number = ?
            """,
            [
                .text(state.rawValue), Value(error), .integer(now.millisecondsSince1970),
                Value(state.isFinal ? now.millisecondsSince1970 : nil), .integer(push.number),
            ])
    }

    /// Pushes whose time has not come and schedules, soonest first.
    public func scheduledPushes(app: Int64) async throws(StoreError) -> [Push] {
        try await read { database in
            try PushRow.all(
                database,
                where:
                    "p.app = ? AND p.state = 'scheduled' AND p.ended_at IS NULL ORDER BY p.due_at LIMIT 1000",
                [.integer(app)])
        }
    }

    /// Cancels a scheduled push by its number.
    public func cancelScheduledPush(
        number: Int64, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { database in
            let found = try PushRow.all(
                database, where: "p.app = ? AND p.number = ? AND p.state = 'scheduled'",
                [.integer(app), .integer(number)])
            guard let push = found.first else { return false }
            try Self.change(push, to: .cancelled, now: now, database)
            return true
        }
    }
}
