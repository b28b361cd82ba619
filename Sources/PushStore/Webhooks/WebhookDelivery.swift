public import Recurrence

/// One event on its way to one webhook, held by one sender for as long as its lease runs.
public struct WebhookDelivery: Sendable, Hashable {
    /// The row.
    public var number: Int64
    /// The event's id, the same in every attempt: receivers tell repeats by it.
    public var eventID: String
    /// The webhook's number.
    public var webhook: Int64
    /// Where it is posted.
    public var url: String
    /// What it is signed with.
    public var secret: String
    /// The app's id.
    public var appID: String
    /// What happened.
    public var kind: String
    /// The event's fields, as JSON text.
    public var data: String
    /// When it happened.
    public var createdAt: Instant
    /// Which attempt this is, from 1.
    public var attemptCount: Int
    /// How often the webhook has failed since its last success.
    public var failureCount: Int

    package init(
        number: Int64, eventID: String, webhook: Int64, url: String, secret: String, appID: String,
        kind: String, data: String, createdAt: Instant, attemptCount: Int, failureCount: Int
    ) {
        self.number = number
        self.eventID = eventID
        self.webhook = webhook
        self.url = url
        self.secret = secret
        self.appID = appID
        self.kind = kind
        self.data = data
        self.createdAt = createdAt
        self.attemptCount = attemptCount
        self.failureCount = failureCount
    }
}

/// What is to become of a delivery after an attempt.
public struct WebhookSettlement: Sendable, Hashable {
    /// What is to become of it.
    public enum Next: Sendable, Hashable {
        /// The receiver has it.
        case delivered
        /// It is tried again, not before a time.
        case retry(at: Instant)
        /// It is given up.
        case dropped
    }

    /// The delivery's row.
    public var number: Int64
    /// The attempt it was claimed for; another sender's later claim stays untouched.
    public var attemptCount: Int
    /// What is to become of it.
    public var next: Next

    /// Makes a settlement.
    public init(number: Int64, attemptCount: Int, next: Next) {
        self.number = number
        self.attemptCount = attemptCount
        self.next = next
    }
}

/// How one round of attempts at one webhook went.
public struct WebhookRound: Sendable, Hashable {
    /// The webhook's number.
    public var webhook: Int64
    /// One for each delivery.
    public var settlements: [WebhookSettlement]
    /// Why the last failed attempt failed; nil when none did.
    public var failure: String?
    /// Until when the webhook is left alone, because it cannot be reached; nil when it can.
    public var pausedUntil: Instant?

    /// Makes a round.
    public init(
        webhook: Int64, settlements: [WebhookSettlement], failure: String? = nil, pausedUntil: Instant? = nil
    ) {
        self.webhook = webhook
        self.settlements = settlements
        self.failure = failure
        self.pausedUntil = pausedUntil
    }
}
