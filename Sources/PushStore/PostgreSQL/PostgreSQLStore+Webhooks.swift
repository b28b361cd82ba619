internal import APNs
internal import Crypto
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore: WebhookStore {
    /// The webhooks of an app, oldest first.
    public func webhooks(app: Int64) async throws(StoreError) -> [Webhook] {
        try await read { [box] session in
            try session.query(
                """
                SELECT number, url, secret, kinds, created_at,
                    (SELECT count(*) FROM webhook_outbox AS o WHERE o.webhook = w.number),
                    dropped_count, failure_count, succeeded_at, failure
                FROM webhooks AS w WHERE app = $1 ORDER BY number
                """, [.integer(app)]
            ).map { row in
                var health = Webhook.Health()
                health.waitingCount = Int(try row.integer(5))
                health.droppedCount = Int(try row.integer(6))
                health.failureCount = Int(try row.integer(7))
                health.succeededAt = try row.optionalInteger(8).map(Instant.init(millisecondsSince1970:))
                health.failure = try row.optionalString(9)
                let number = try row.integer(0)
                return Webhook(
                    number: number, url: try row.string(1),
                    secret: try box.open(try row.bytes(2), at: Self.secretPlace(number)),
                    kinds: Set(try row.strings(3).compactMap(WebhookEvent.Kind.init(rawValue:))),
                    createdAt: Instant(millisecondsSince1970: try row.integer(4)), health: health)
            }
        }
    }

    /// Adds a webhook and gives its number.
    public func addWebhook(_ webhook: Webhook, app: Int64) async throws(StoreError) -> Int64 {
        try webhook.validate()
        return try await write { [box] session in
            // Two at once must not both be the last that is allowed.
            let known = try session.query("SELECT 1 FROM apps WHERE number = $1 FOR UPDATE", [.integer(app)])
            guard !known.isEmpty else { throw StoreError(.notFound, "there is no app number \(app)") }
            let count = try session.query(
                "SELECT count(*), count(*) FILTER (WHERE url = $1) FROM webhooks WHERE app = $2",
                [.text(webhook.url), .integer(app)])[0]
            if try count.integer(1) > 0 {
                throw StoreError(.conflict, "url: the app has a webhook for this address already")
            }
            let all = try count.integer(0)
            guard all < Webhook.countMaxPerApp else {
                throw StoreError(.conflict, "the app has \(all) webhooks, which is the most it may have")
            }
            let number = try session.query(
                """
                INSERT INTO webhooks (app, url, secret, kinds, created_at) VALUES ($1, $2, '', $3, $4)
                RETURNING number
                """,
                [
                    .integer(app), .text(webhook.url), .texts(webhook.kinds.map(\.rawValue).sorted()),
                    .integer(webhook.createdAt.millisecondsSince1970),
                ])[0].integer(0)
            try session.execute(
                "UPDATE webhooks SET secret = $1 WHERE number = $2",
                [.bytes(try box.seal(webhook.secret, at: Self.secretPlace(number))), .integer(number)])
            return number
        }
    }

    /// Removes a webhook with what waits for it.
    public func removeWebhook(number: Int64, app: Int64) async throws(StoreError) {
        try await write { session in
            let count = try session.execute(
                "DELETE FROM webhooks WHERE number = $1 AND app = $2", [.integer(number), .integer(app)])
            guard count == 1 else { throw StoreError(.notFound, "the app has no webhook \(number)") }
        }
    }

    /// Puts an event into the outbox by itself.
    public func recordWebhookEvent(
        _ event: WebhookEvent, app: Int64, now: Instant
    ) async throws(StoreError) {
        try await write { session in try Self.add([event], app: app, now: now, session) }
    }

    /// Whether an app has a webhook for a kind of event: worth asking before events are made.
    static func isWanted(_ kind: WebhookEvent.Kind, app: Int64, _ session: Session) throws -> Bool {
        try !session.query(
            "SELECT 1 FROM webhooks WHERE app = $1 AND $2 = ANY(kinds) LIMIT 1",
            [.integer(app), .text(kind.rawValue)]
        ).isEmpty
    }

    /// The bytes of an event's id.
    private static let eventIDByteCount = 12

    /// Adds events of one kind for every webhook of an app that wants them, inside the transaction of what they tell.
    ///
    /// Where too many wait already, they are counted as dropped. The length of a queue is looked at, not kept in the
    /// webhook's row: all nodes that tell something would wait for each other there.
    static func add(_ events: [WebhookEvent], app: Int64, now: Instant, _ session: Session) throws {
        guard let kind = events.first?.kind, try isWanted(kind, app: app, session) else { return }
        let webhooks = try session.query(
            """
            SELECT number, (SELECT count(*) FROM (
                SELECT 1 FROM webhook_outbox AS o WHERE o.webhook = w.number LIMIT $3) AS waiting)
            FROM webhooks AS w WHERE app = $1 AND $2 = ANY(kinds) ORDER BY number
            """, [.integer(app), .text(kind.rawValue), .integer(Webhook.waitingCountMax)]
        ).map { (number: try $0.integer(0), waitingCount: Int(try $0.integer(1))) }
        let identifiers = events.map { _ in hexadecimal(RandomBytes.make(count: eventIDByteCount)) }
        let data = try events.map { event throws(StoreError) in
            guard let text = try? JSONValue.object(event.data).encoded() else {
                throw StoreError(.invalid, "a webhook event cannot be written as JSON")
            }
            return String(decoding: text, as: UTF8.self)
        }
        for webhook in webhooks {
            let room = max(0, min(events.count, Webhook.waitingCountMax - webhook.waitingCount))
            if room < events.count {
                try session.execute(
                    "UPDATE webhooks SET dropped_count = dropped_count + $1 WHERE number = $2",
                    [.integer(events.count - room), .integer(webhook.number)])
            }
            guard room > 0 else { continue }
            try session.execute(
                """
                INSERT INTO webhook_outbox (webhook, due_at, created_at, event_id, kind, data)
                SELECT $1, $2, $2, id, $3, data FROM unnest($4, $5) AS n(id, data)
                """,
                [
                    .integer(webhook.number), .integer(now.millisecondsSince1970), .text(kind.rawValue),
                    .texts(Array(identifiers.prefix(room))), .texts(Array(data.prefix(room))),
                ])
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: - Sending

    /// Takes deliveries whose time has come.
    public func claimWebhookDeliveries(
        busy: Set<Int64>, webhookLimit: Int, limitPerWebhook: Int, createdAfter: Instant, leaseUntil: Instant,
        now: Instant
    ) async throws(StoreError) -> [WebhookDelivery] {
        guard incompatibility == nil else { return [] }
        let candidates = try await read { session in
            try session.query(
                """
                SELECT w.number FROM webhooks AS w CROSS JOIN LATERAL (
                    SELECT min(o.due_at) AS at FROM webhook_outbox AS o WHERE o.webhook = w.number) AS due
                WHERE w.paused_until <= $1 AND due.at <= $1 ORDER BY due.at, w.number
                """, [.integer(now.millisecondsSince1970)]
            ).map { try $0.integer(0) }
        }.filter { !busy.contains($0) }.prefix(webhookLimit)
        guard !candidates.isEmpty else { return [] }
        return try await write { [box] session in
            var deliveries: [WebhookDelivery] = []
            for number in candidates {
                try Self.dropOld(webhook: number, createdUntil: createdAfter, session)
                let target = try session.query(
                    """
                    SELECT w.url, w.secret, w.failure_count, a.id FROM webhooks AS w
                    JOIN apps AS a ON a.number = w.app WHERE w.number = $1 AND w.paused_until <= $2
                    """, [.integer(number), .integer(now.millisecondsSince1970)])
                guard let target = target.first else { continue }
                let failureCount = Int(try target.integer(2))
                let rows = try session.query(
                    """
                    WITH due AS (
                        SELECT number FROM webhook_outbox WHERE webhook = $2 AND due_at <= $3
                        ORDER BY due_at, number LIMIT $4 FOR UPDATE SKIP LOCKED)
                    UPDATE webhook_outbox AS o SET due_at = $1, attempt_count = o.attempt_count + 1
                    FROM due WHERE o.number = due.number
                    RETURNING o.number, o.event_id, o.kind, o.data, o.created_at, o.attempt_count
                    """,
                    [
                        .integer(leaseUntil.millisecondsSince1970), .integer(number),
                        .integer(now.millisecondsSince1970), .integer(failureCount > 0 ? 1 : limitPerWebhook),
                    ]
                ).map { row in
                    WebhookDelivery(
                        number: try row.integer(0), eventID: try row.string(1), webhook: number,
                        url: try target.string(0),
                        secret: try box.open(try target.bytes(1), at: Self.secretPlace(number)),
                        appID: try target.string(3), kind: try row.string(2), data: try row.string(3),
                        createdAt: Instant(millisecondsSince1970: try row.integer(4)),
                        attemptCount: Int(try row.integer(5)), failureCount: failureCount)
                }
                deliveries += rows.sorted { $0.number < $1.number }
            }
            return deliveries
        }
    }

    /// Stores how attempts went.
    public func settleWebhookRound(_ round: WebhookRound, now: Instant) async throws(StoreError) {
        try await write { session in
            var isDelivered = false
            var droppedCount = 0
            for settlement in round.settlements.sorted(by: { $0.number < $1.number }) {
                let row: [Value] = [
                    .integer(settlement.number), .integer(round.webhook), .integer(settlement.attemptCount),
                ]
                switch settlement.next {
                case .delivered:
                    // A receiver that has it has it, whoever holds the row now.
                    try session.execute(
                        "DELETE FROM webhook_outbox WHERE number = $1 AND webhook = $2", Array(row.prefix(2)))
                    isDelivered = true
                case .dropped:
                    droppedCount += try session.execute(
                        "DELETE FROM webhook_outbox WHERE number = $1 AND webhook = $2 AND attempt_count = $3",
                        row)
                case .retry(let at):
                    try session.execute(
                        """
                        UPDATE webhook_outbox SET due_at = $4
                        WHERE number = $1 AND webhook = $2 AND attempt_count = $3
                        """, row + [.integer(at.millisecondsSince1970)])
                }
            }
            if isDelivered {
                try session.execute(
                    "UPDATE webhooks SET succeeded_at = $1, failure_count = 0, failure = NULL WHERE number = $2",
                    [.integer(now.millisecondsSince1970), .integer(round.webhook)])
            }
            try session.execute(
                """
                UPDATE webhooks SET dropped_count = dropped_count + $1, failure = coalesce($2, failure),
                    failure_count = failure_count + $3, paused_until = $4
                WHERE number = $5
                """,
                [
                    .integer(droppedCount), .text(round.failure),
                    .integer(round.pausedUntil == nil ? 0 : 1),
                    .integer(round.pausedUntil?.millisecondsSince1970 ?? 0), .integer(round.webhook),
                ])
        }
    }

    /// How many rows are given up at once at most; the rest goes with the next claim.
    private static let dropCountMax = 1_000

    private static func dropOld(webhook: Int64, createdUntil: Instant, _ session: Session) throws {
        let count = try session.execute(
            """
            DELETE FROM webhook_outbox WHERE number IN (
                SELECT number FROM webhook_outbox WHERE webhook = $1 AND created_at <= $2
                ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
            """,
            [.integer(webhook), .integer(createdUntil.millisecondsSince1970), .integer(dropCountMax)])
        guard count > 0 else { return }
        try session.execute(
            "UPDATE webhooks SET dropped_count = dropped_count + $1 WHERE number = $2",
            [.integer(count), .integer(webhook)])
    }

    private static func secretPlace(_ number: Int64) -> SecretBox.Place {
        SecretBox.Place(table: "webhooks", row: number, column: "secret")
    }
}
