internal import PushStore
internal import Recurrence

/// A webhook as commands print it; its secret only when it was made just now.
struct WebhookReport: Encodable, Sendable {
    var number: Int64
    var url: String
    var events: [String]
    var secret: String?
    var waiting: Int
    var dropped: Int
    var failures: Int
    var succeededAt: String?
    var failure: String?

    init(_ webhook: Webhook, showsSecret: Bool = false) {
        number = webhook.number
        url = webhook.url
        events = webhook.kinds.map(\.rawValue).sorted()
        secret = showsSecret ? webhook.secret : nil
        waiting = webhook.health.waitingCount
        dropped = webhook.health.droppedCount
        failures = webhook.health.failureCount
        succeededAt = webhook.health.succeededAt?.iso8601
        failure = webhook.health.failure
    }

    /// One line.
    var text: String {
        var parts = ["\(number)", url, events.joined(separator: "+")]
        if let secret { parts.append("secret \(secret)") }
        if waiting > 0 { parts.append("\(waiting) waiting") }
        if dropped > 0 { parts.append("\(dropped) dropped") }
        if let succeededAt { parts.append("last success \(succeededAt)") }
        if let failure { parts.append("failing: \(failure)") }
        return parts.joined(separator: "  ")
    }
}
