public import Recurrence
internal import SQLite

extension SQLiteStore: WebhookStore {
    /// The webhooks of an app, oldest first.
    public func webhooks(app: Int64) async throws(StoreError) -> [Webhook] {
        try await read { [box] database in
            try database.all(
                """
                SELECT number, url, secret, kinds, created_at, waiting_count, dropped_count, failure_count,
                    succeeded_at, failure
                FROM webhooks WHERE app = ? ORDER BY number
                """, [.integer(app)]
            ) { row throws(SQLiteError) in
                var health = Webhook.Health()
                health.waitingCount = Int(try row.integer(5))
                health.droppedCount = Int(try row.integer(6))
                health.failureCount = Int(try row.integer(7))
                health.succeededAt = try row.optionalInteger(8).map(Instant.init(millisecondsSince1970:))
                health.failure = try row.optionalString(9)
                let kinds = try row.string(3).split(separator: ",").compactMap {
                    WebhookEvent.Kind(rawValue: String($0))
                }
                let webhook = Webhook(
                    number: try row.integer(0), url: try row.string(1), secret: "", kinds: Set(kinds),
                    createdAt: Instant(millisecondsSince1970: try row.integer(4)), health: health)
                return (webhook: webhook, secret: try row.bytes(2))
            }.map { row in
                var webhook = row.webhook
                webhook.secret = try box.open(row.secret, at: Self.secretPlace(webhook.number))
                return webhook
            }
        }
    }

    /// Adds a webhook and gives its number.
    public func addWebhook(_ webhook: Webhook, app: Int64) async throws(StoreError) -> Int64 {
        try webhook.validate()
        return try await write { [box] database in
            let isKnown = try database.first("SELECT 1 FROM apps WHERE number = ?", [.integer(app)]) { _ in
                true
            }
            guard isKnown != nil else { throw StoreError(.notFound, "there is no app number \(app)") }
            let count = try database.first(
                "SELECT count(*), sum(url = ?) FROM webhooks WHERE app = ?",
                [.text(webhook.url), .integer(app)]
            ) { row throws(SQLiteError) in
                (all: try row.integer(0), same: try row.optionalInteger(1) ?? 0)
            }
            if let count, count.same > 0 {
                throw StoreError(.conflict, "url: the app has a webhook for this address already")
            }
            if let count, count.all >= Webhook.countMaxPerApp {
                throw StoreError(
                    .conflict, "the app has \(count.all) webhooks, which is the most it may have")
            }
            let kinds = webhook.kinds.map(\.rawValue).sorted().joined(separator: ",")
            try database.execute(
                "INSERT INTO webhooks (app, url, secret, kinds, created_at) VALUES (?, ?, x'', ?, ?)",
                [
                    .integer(app), .text(webhook.url), .text(",\(kinds),"),
                    .integer(webhook.createdAt.millisecondsSince1970),
                ])
            let number = database.lastInsertedRowID
            try database.execute(
                "UPDATE webhooks SET secret = ? WHERE number = ?",
                [.blob(try box.seal(webhook.secret, at: Self.secretPlace(number))), .integer(number)])
            return number
        }
    }

    /// Removes a webhook with what waits for it.
    public func removeWebhook(number: Int64, app: Int64) async throws(StoreError) {
        try await write { database in
            let isKnown = try database.first(
                "SELECT 1 FROM webhooks WHERE number = ? AND app = ?", [.integer(number), .integer(app)]
            ) { _ in true }
            guard isKnown != nil else { throw StoreError(.notFound, "the app has no webhook \(number)") }
            try database.execute("DELETE FROM webhook_outbox WHERE webhook = ?", [.integer(number)])
            try database.execute("DELETE FROM webhooks WHERE number = ?", [.integer(number)])
        }
    }

    /// Puts an event into the outbox by itself.
    public func recordWebhookEvent(
        _ event: WebhookEvent, app: Int64, now: Instant
    ) async throws(StoreError) {
        try await write { database in try WebhookOutbox.add(event, app: app, now: now, in: database) }
    }

    // MARK: - Sending

    /// Takes deliveries whose time has come.
    public func claimWebhookDeliveries(
        busy: Set<Int64>, webhookLimit: Int, limitPerWebhook: Int, createdAfter: Instant, leaseUntil: Instant,
        now: Instant
    ) async throws(StoreError) -> [WebhookDelivery] {
        // Most of the time nothing waits: the writer, which everybody shares, is not asked then.
        let candidates = try await read { database in
            try database.all(
                """
                SELECT number, (
                    SELECT min(due_at) FROM webhook_outbox WHERE webhook = webhooks.number) AS due
                FROM webhooks WHERE waiting_count > 0 AND paused_until <= ?1 AND due <= ?1
                ORDER BY due, number
                """, [.integer(now.millisecondsSince1970)]
            ) { row throws(SQLiteError) in try row.integer(0) }
        }.filter { !busy.contains($0) }.prefix(webhookLimit)
        guard !candidates.isEmpty else { return [] }
        return try await write { [box] database in
            var deliveries: [WebhookDelivery] = []
            for number in candidates {
                try Self.dropOld(webhook: number, createdUntil: createdAfter, database)
                guard
                    let target = try database.first(
                        """
                        SELECT url, secret, failure_count, apps.id FROM webhooks
                        JOIN apps ON apps.number = webhooks.app
                        WHERE webhooks.number = ? AND paused_until <= ?
                        """, [.integer(number), .integer(now.millisecondsSince1970)],
                        { row throws(SQLiteError) in
                            (
                                url: try row.string(0), secret: try row.bytes(1),
                                failureCount: Int(try row.integer(2)), appID: try row.string(3)
                            )
                        })
                else { continue }
                let secret = try box.open(target.secret, at: Self.secretPlace(number))
                let limit = target.failureCount > 0 ? 1 : limitPerWebhook
                let rows = try database.all(
                    """
                    UPDATE webhook_outbox SET due_at = ?1, attempt_count = attempt_count + 1
                    WHERE number IN (
                        SELECT number FROM webhook_outbox WHERE webhook = ?2 AND due_at <= ?3
                        ORDER BY due_at, number LIMIT ?4)
                    RETURNING number, event_id, kind, data, created_at, attempt_count
                    """,
                    [
                        .integer(leaseUntil.millisecondsSince1970), .integer(number),
                        .integer(now.millisecondsSince1970), Value(limit),
                    ]
                ) { row throws(SQLiteError) in
                    WebhookDelivery(
                        number: try row.integer(0), eventID: try row.string(1), webhook: number,
                        url: target.url,
                        secret: secret, appID: target.appID, kind: try row.string(2), data: try row.string(3),
                        createdAt: Instant(millisecondsSince1970: try row.integer(4)),
                        attemptCount: Int(try row.integer(5)), failureCount: target.failureCount)
                }
                deliveries += rows.sorted { $0.number < $1.number }
            }
            return deliveries
        }
    }

    /// Stores how attempts went.
    public func settleWebhookRound(_ round: WebhookRound, now: Instant) async throws(StoreError) {
        try await write { database in
            var isDelivered = false
            var droppedCount = 0
            for settlement in round.settlements {
                let row: [Value] = [
                    .integer(settlement.number), .integer(round.webhook), Value(settlement.attemptCount),
                ]
                switch settlement.next {
                case .delivered, .dropped:
                    // A receiver that has it has it, whoever holds the row now.
                    if settlement.next == .delivered {
                        try database.execute(
                            "DELETE FROM webhook_outbox WHERE number = ? AND webhook = ?",
                            Array(row.prefix(2)))
                        isDelivered = true
                    } else {
                        try database.execute(
                            "DELETE FROM webhook_outbox WHERE number = ? AND webhook = ? AND attempt_count = ?",
                            row)
                        droppedCount += try Self.deletedCount(database)
                    }
                case .retry(let at):
                    try database.execute(
                        """
                        UPDATE webhook_outbox SET due_at = ?
                        WHERE number = ? AND webhook = ? AND attempt_count = ?
                        """, [.integer(at.millisecondsSince1970)] + row)
                }
            }
            if isDelivered {
                try database.execute(
                    "UPDATE webhooks SET succeeded_at = ?, failure_count = 0, failure = NULL WHERE number = ?",
                    [.integer(now.millisecondsSince1970), .integer(round.webhook)])
            }
            let isPaused = round.pausedUntil != nil
            try database.execute(
                """
                UPDATE webhooks SET dropped_count = dropped_count + ?, failure = coalesce(?, failure),
                    failure_count = failure_count + ?, paused_until = ?
                WHERE number = ?
                """,
                [
                    Value(droppedCount), Value(round.failure), Value(isPaused ? 1 : 0),
                    .integer(round.pausedUntil?.millisecondsSince1970 ?? 0), .integer(round.webhook),
                ])
        }
    }

    /// How many rows are given up at once at most; the rest goes with the next claim.
    private static let dropCountMax = 1_000

    private static func dropOld(
        webhook: Int64, createdUntil: Instant, _ database: Database
    ) throws(SQLiteError) {
        try database.execute(
            """
            DELETE FROM webhook_outbox WHERE number IN (
                SELECT number FROM webhook_outbox WHERE webhook = ? AND created_at <= ?
                ORDER BY created_at LIMIT ?)
            """,
            [.integer(webhook), .integer(createdUntil.millisecondsSince1970), Value(dropCountMax)])
        let count = try deletedCount(database)
        guard count > 0 else { return }
        try database.execute(
            "UPDATE webhooks SET dropped_count = dropped_count + ? WHERE number = ?",
            [Value(count), .integer(webhook)])
    }

    /// How many rows the last statement deleted, without what triggers changed.
    private static func deletedCount(_ database: Database) throws(SQLiteError) -> Int {
        Int(try database.first("SELECT changes()") { row throws(SQLiteError) in try row.integer(0) } ?? 0)
    }

    private static func secretPlace(_ number: Int64) -> SecretBox.Place {
        SecretBox.Place(table: "webhooks", row: number, column: "secret")
    }
}
