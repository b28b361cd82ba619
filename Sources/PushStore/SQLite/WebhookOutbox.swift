internal import APNs
internal import Crypto
package import Recurrence
package import SQLite

/// Puts events into the outbox, inside the transaction of what they tell.
package enum WebhookOutbox {
    /// The bytes of an event's id.
    private static let eventIDByteCount = 12

    /// Whether an app has a webhook for a kind of event: worth asking before many events are made.
    package static func isWanted(
        _ kind: WebhookEvent.Kind, app: Int64, in database: Database
    ) throws(SQLiteError) -> Bool {
        try database.first(
            "SELECT 1 FROM webhooks WHERE app = ? AND instr(kinds, ?) > 0", [.integer(app), marked(kind)]
        ) { _ in true } ?? false
    }

    /// Adds an event for every webhook of an app that wants it; does nothing when there is none.
    ///
    /// Where too many wait already, the event is counted as dropped.
    package static func add(
        _ event: WebhookEvent, app: Int64, now: Instant, in database: Database
    ) throws(SQLiteError) {
        guard try isWanted(event.kind, app: app, in: database) else { return }
        let data: [UInt8]
        do {
            data = try JSONValue.object(event.data).encoded()
        } catch {
            throw SQLiteError(code: .cancelled, message: "a webhook event: \(error.message)")
        }
        try database.execute(
            """
            UPDATE webhooks SET dropped_count = dropped_count + 1
            WHERE app = ? AND instr(kinds, ?) > 0 AND waiting_count >= ?
            """, [.integer(app), marked(event.kind), Value(Webhook.waitingCountMax)])
        try database.execute(
            """
            INSERT INTO webhook_outbox (webhook, due_at, created_at, event_id, kind, data)
            SELECT number, ?1, ?1, ?2, ?3, ?4 FROM webhooks
            WHERE app = ?5 AND instr(kinds, ?6) > 0 AND waiting_count < ?7
            """,
            [
                .integer(now.millisecondsSince1970),
                .text(hexadecimal(RandomBytes.make(count: eventIDByteCount))),
                .text(event.kind.rawValue), .text(String(decoding: data, as: UTF8.self)), .integer(app),
                marked(event.kind), Value(Webhook.waitingCountMax),
            ])
    }

    /// How a kind stands in the column `kinds`: `,open,push.done,`.
    private static func marked(_ kind: WebhookEvent.Kind) -> Value { .text(",\(kind.rawValue),") }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
