public import Recurrence

/// Webhooks and the outbox of events for them.
///
/// Events get into the outbox in the transaction of what they tell, or not at all; they leave it when the receiver
/// has taken them or they are given up. A receiver may get one twice, and in any order.
public protocol WebhookStore: Sendable {
    /// The webhooks of an app, oldest first.
    func webhooks(app: Int64) async throws(StoreError) -> [Webhook]

    /// Adds a webhook and gives its number.
    ///
    /// - Throws: `invalid` for an address or a secret that cannot be one, `conflict` when the app has the address or
    ///   too many of them.
    func addWebhook(_ webhook: Webhook, app: Int64) async throws(StoreError) -> Int64

    /// Removes a webhook with what waits for it.
    func removeWebhook(number: Int64, app: Int64) async throws(StoreError)

    /// Puts an event into the outbox by itself, for callers without a transaction of their own.
    func recordWebhookEvent(_ event: WebhookEvent, app: Int64, now: Instant) async throws(StoreError)

    /// Takes deliveries whose time has come. Whatever is not settled until the lease ends is due again.
    ///
    /// A webhook that has failed gets one attempt at a time until it succeeds.
    /// - Parameters:
    ///   - busy: webhooks to leave out.
    ///   - webhookLimit: for how many webhooks at most.
    ///   - limitPerWebhook: how many for each webhook at most.
    ///   - createdAfter: what is older is given up.
    func claimWebhookDeliveries(
        busy: Set<Int64>, webhookLimit: Int, limitPerWebhook: Int, createdAfter: Instant, leaseUntil: Instant,
        now: Instant
    ) async throws(StoreError) -> [WebhookDelivery]

    /// Stores how attempts went.
    func settleWebhookRound(_ round: WebhookRound, now: Instant) async throws(StoreError)
}
