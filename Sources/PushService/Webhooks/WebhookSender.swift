public import PushStore
internal import Recurrence
public import Transport

/// Posts the events of the outbox to webhooks, until it is cancelled.
///
/// Every webhook has a lane of its own: one that hangs holds up no other. An event is posted until the receiver
/// answers 2xx, for up to three days; it may arrive twice, and before an earlier one. An attempt that is cut off by
/// the end of the process is made again when its lease runs out. Requests follow no redirect.
public final class WebhookSender: Sendable {
    /// The largest answer that is read, in bytes; nothing in it matters but the status.
    static let responseByteCountMax = 64 << 10

    /// How a sender works.
    public struct Configuration: Sendable, Hashable {
        /// When it tries again.
        public var policy = WebhookRetryPolicy()
        /// How long a receiver may take.
        public var timeout = Duration.seconds(10)
        /// Events that are posted to one webhook at once.
        public var deliveryCountMaxPerWebhook = 16
        /// Webhooks that are served at once.
        public var webhookCountMax = 64
        /// How long an event may be under way before another sender takes it, in milliseconds; above the timeout.
        public var leaseMilliseconds: Int64 = 60_000
        /// How often the outbox is looked at: how late an event may begin its way.
        public var pollInterval = Duration.seconds(1)

        /// Makes the usual configuration.
        public init() {}
    }

    private let store: any WebhookStore
    private let client: HTTPClient
    private let clock: WallClock
    private let configuration: Configuration
    private let random: @Sendable () -> Double
    private let sleep: @Sendable (Duration) async -> Void

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - store: the outbox.
    ///   - client: posts.
    ///   - clock: tells the time.
    ///   - configuration: how it works.
    ///   - random: numbers from 0 to 1, for the spread of attempts.
    ///   - sleep: waits; returns early when its task is cancelled.
    public init(
        store: any WebhookStore, client: HTTPClient, clock: WallClock = .system,
        configuration: Configuration = Configuration(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.client = client
        self.clock = clock
        self.configuration = configuration
        self.random = random
        self.sleep = sleep
    }

    private enum Event: Sendable {
        case tick
        case finished(Int64)
    }

    /// Posts events until the task is cancelled.
    ///
    /// - Parameter onError: is told what the store refuses; the sender goes on.
    public func run(onError: @escaping @Sendable (StoreError) -> Void = { _ in }) async {
        await withTaskGroup(of: Event.self) { group in
            var busy: Set<Int64> = []
            var isTicking = false
            while !Task.isCancelled {
                do throws(StoreError) {
                    for (webhook, deliveries) in try await claim(busy: busy) {
                        busy.insert(webhook)
                        group.addTask {
                            if let error = await self.serve(webhook, deliveries) { onError(error) }
                            return .finished(webhook)
                        }
                    }
                } catch {
                    onError(error)
                }
                if !isTicking {
                    isTicking = true
                    group.addTask {
                        await self.sleep(self.configuration.pollInterval)
                        return .tick
                    }
                }
                switch await group.next() {
                case .finished(let webhook): busy.remove(webhook)
                case .tick, nil: isTicking = false
                }
            }
            group.cancelAll()
        }
    }

    /// Makes one attempt at everything that is due, and returns when all of them have ended.
    ///
    /// - Returns: how many attempts were made.
    @discardableResult
    public func sendDue() async throws(StoreError) -> Int {
        let claimed = try await claim(busy: [])
        let error = await withTaskGroup(of: StoreError?.self) { group in
            for (webhook, deliveries) in claimed {
                group.addTask { await self.serve(webhook, deliveries) }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let error { throw error }
        return claimed.values.reduce(0) { $0 + $1.count }
    }

    private var now: Instant { Instant(millisecondsSince1970: clock.millisecondsSince1970) }

    private func claim(busy: Set<Int64>) async throws(StoreError) -> [Int64: [WebhookDelivery]] {
        guard busy.count < configuration.webhookCountMax else { return [:] }
        let now = now
        let deliveries = try await store.claimWebhookDeliveries(
            busy: busy, webhookLimit: configuration.webhookCountMax - busy.count,
            limitPerWebhook: configuration.deliveryCountMaxPerWebhook,
            createdAfter: now.advanced(byMilliseconds: -configuration.policy.lifetimeMilliseconds),
            leaseUntil: now.advanced(byMilliseconds: configuration.leaseMilliseconds), now: now)
        return Dictionary(grouping: deliveries, by: \.webhook)
    }

    /// Makes one attempt at each of one webhook's deliveries and stores how they went, or says why it cannot.
    private func serve(_ webhook: Int64, _ deliveries: [WebhookDelivery]) async -> StoreError? {
        let results = await withTaskGroup(of: (WebhookDelivery, WebhookRetryPolicy.Result)?.self) { group in
            for delivery in deliveries {
                group.addTask {
                    guard let result = await self.post(delivery) else { return nil }
                    return (delivery, result)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let now = now
        var round = WebhookRound(webhook: webhook, settlements: [])
        var isAlive = false
        // What was cut off stays claimed until its lease ends: whether it arrived is not known.
        for case (let delivery, let result)? in results {
            let decision = configuration.policy.decide(
                result, attemptCount: delivery.attemptCount, failureCount: delivery.failureCount,
                createdAt: delivery.createdAt, now: now, random: random())
            round.settlements.append(
                WebhookSettlement(
                    number: delivery.number, attemptCount: delivery.attemptCount, next: decision.next))
            if let failure = decision.failure { round.failure = failure }
            if let until = decision.pausedUntil { round.pausedUntil = max(round.pausedUntil ?? until, until) }
            if decision.next == .delivered { isAlive = true }
        }
        // A receiver that took anything can be reached; what it did not take has its own time.
        if isAlive { round.pausedUntil = nil }
        guard !round.settlements.isEmpty else { return nil }
        do throws(StoreError) {
            try await store.settleWebhookRound(round, now: now)
            return nil
        } catch {
            return error
        }
    }

    /// One attempt; nil when it was cut off by the sender's end.
    private func post(_ delivery: WebhookDelivery) async -> WebhookRetryPolicy.Result? {
        let request = delivery.request(at: now, timeout: configuration.timeout)
        do throws(TransportError) {
            let response = try await client.send(request)
            let seconds = response.headers.first(named: "retry-after").flatMap { Int64($0) }
            return .answered(status: response.status, retryAfterSeconds: seconds)
        } catch {
            return error.code == .closed ? nil : .unanswered(String(error.description.prefix(200)))
        }
    }
}
