public import PushStore
public import Recurrence

/// When a webhook is tried again: pure decisions, with time and chance as parameters.
public struct WebhookRetryPolicy: Sendable, Hashable {
    /// How an attempt ended.
    public enum Result: Sendable, Hashable {
        /// An answer with this status, and the seconds of its `Retry-After` if it had one.
        case answered(status: Int, retryAfterSeconds: Int64?)
        /// No answer, and why.
        case unanswered(String)
    }

    /// What follows from a result.
    public struct Decision: Sendable, Hashable {
        /// What becomes of the delivery.
        public var next: WebhookSettlement.Next
        /// Why it failed; nil when it did not.
        public var failure: String?
        /// Until when the whole webhook is left alone; nil when only this delivery is concerned.
        public var pausedUntil: Instant?
    }

    /// The wait after the first failure, in milliseconds; each further failure doubles it.
    public var firstDelayMilliseconds: Int64 = 10_000
    /// The longest wait, in milliseconds.
    public var delayMillisecondsMax: Int64 = 3 * 3_600_000
    /// For how long an event is tried, in milliseconds.
    public var lifetimeMilliseconds: Int64 = 3 * 86_400_000
    /// The longest pause of a webhook that cannot be reached, in milliseconds: how late it is noticed to be back.
    public var pauseMillisecondsMax: Int64 = 300_000

    /// Makes the usual policy.
    public init() {}

    /// Decides what follows from an attempt.
    ///
    /// - Parameters:
    ///   - attemptCount: of this delivery, this attempt included.
    ///   - failureCount: of its webhook before this attempt.
    ///   - createdAt: when the event happened.
    ///   - random: from 0 to 1; spreads the attempts of many senders.
    public func decide(
        _ result: Result, attemptCount: Int, failureCount: Int, createdAt: Instant, now: Instant,
        random: Double
    ) -> Decision {
        let failure: String
        var isUnreachable = true
        var least: Int64 = 0
        switch result {
        case .answered(200...299, _): return Decision(next: .delivered, failure: nil, pausedUntil: nil)
        case .answered(let status, let seconds):
            failure = "HTTP \(status)"
            // Most 4xx are about this one event; the receiver itself is well.
            isUnreachable = status >= 500 || status == 429 || status == 408
            least = min(max(0, seconds ?? 0), delayMillisecondsMax / 1_000) * 1_000
        case .unanswered(let reason): failure = reason
        }
        let delay = max(least, delay(attempt: attemptCount, max: delayMillisecondsMax, random: random))
        let at = now.advanced(byMilliseconds: delay)
        let end = createdAt.advanced(byMilliseconds: lifetimeMilliseconds)
        var pausedUntil: Instant?
        if isUnreachable {
            let pause = self.delay(attempt: failureCount + 1, max: pauseMillisecondsMax, random: random)
            pausedUntil = now.advanced(byMilliseconds: max(least, pause))
        }
        return Decision(
            next: at < end ? .retry(at: at) : .dropped, failure: failure, pausedUntil: pausedUntil)
    }

    /// The wait after an attempt: doubled each time up to a limit, then cut by up to a half.
    func delay(attempt: Int, max limit: Int64, random: Double) -> Int64 {
        var delay = min(firstDelayMilliseconds, limit)
        var left = attempt - 1
        while left > 0, delay < limit {
            delay = min(delay * 2, limit)
            left -= 1
        }
        return delay - Int64(Double(delay) / 2 * min(max(random, 0), 1))
    }
}
