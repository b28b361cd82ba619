internal import APNs

/// Which notifications are sent again, when, and for how long.
///
/// The rules are Apple's (Handling notification responses from APNs): six reasons are never retried,
/// `TooManyRequests` after a delay, 5xx after 15 minutes. What was certainly not processed (a refused
/// stream, one above GOAWAY's last id, one never sent whole) is replayed at once. What may have been
/// processed is sent again only when asked for, since that can show a notification twice.
public struct RetryPolicy: Sendable, Hashable {
    /// How long after the first attempt a notification may be sent again; zero never retries a refusal.
    public var window: Duration
    /// How many answers are waited for at most, replays of unprocessed requests aside.
    public var attemptCountMax: Int
    /// How often what was not processed is replayed before the notification fails.
    public var replayCountMax: Int
    /// The first delay after `TooManyRequests`; doubled each time.
    public var tooManyRequestsDelay: Duration
    /// The first delay after 5xx, doubled each time; Apple asks for 15 minutes.
    public var serverErrorDelay: Duration
    /// No delay grows beyond this.
    public var delayMax: Duration
    /// Whether a notification without an answer is sent again; sensible with a collapse id only.
    public var retriesUnanswered: Bool

    /// Makes a policy.
    ///
    /// The default window of a minute lets throttled requests try again and hands server
    /// errors back to the caller, who can wait 15 minutes better than a call can.
    public init(
        window: Duration = .seconds(60),
        attemptCountMax: Int = 5,
        replayCountMax: Int = 20,
        tooManyRequestsDelay: Duration = .seconds(1),
        serverErrorDelay: Duration = .seconds(15 * 60),
        delayMax: Duration = .seconds(60 * 60),
        retriesUnanswered: Bool = false
    ) {
        self.window = window
        self.attemptCountMax = attemptCountMax
        self.replayCountMax = replayCountMax
        self.tooManyRequestsDelay = tooManyRequestsDelay
        self.serverErrorDelay = serverErrorDelay
        self.delayMax = delayMax
        self.retriesUnanswered = retriesUnanswered
    }

    /// What to do with a notification that was not accepted.
    enum Decision: Hashable {
        case finish
        case retry(afterMilliseconds: Int64)
    }

    /// Decides; pure.
    ///
    /// - Parameters:
    ///   - outcome: of the latest attempt.
    ///   - firstAttemptAt: in milliseconds since 1970, as `now`.
    ///   - now: the current time.
    ///   - expiration: of the notification.
    ///   - jitter: 0 to 1, at random, drawn only when there is a delay.
    func decide(
        _ outcome: Outcome, firstAttemptAt: Int64, now: Int64, expiration: Expiration,
        jitter: @autoclosure () -> Double
    ) -> Decision {
        guard Int(outcome.attemptCount) < min(attemptCountMax, Int(UInt8.max)) else { return .finish }
        let base: Duration
        switch outcome.result {
        case .accepted:
            return .finish
        case .failed(.unknown):
            guard retriesUnanswered else { return .finish }
            base = tooManyRequestsDelay
        case .failed:
            return .finish
        case .rejected(let status, let reason, _):
            switch outcome.disposition {
            case .renew:
                // The caller has seen to a newer token; the same one is never tried twice.
                return outcome.attemptCount < 2 ? .retry(afterMilliseconds: 0) : .finish
            case .later:
                base = status >= 500 && reason != .shutdown ? serverErrorDelay : tooManyRequestsDelay
            case .never, .fix, .unknown, nil:
                return .finish
            }
        }
        let doublings = min(max(Int(outcome.attemptCount) - 1, 0), 20)
        let delay = min(base * (1 << doublings), delayMax)
        // Between the delay and half more, so that a crowd does not come back at once.
        let milliseconds = Int64(Double(delay.wholeMilliseconds) * (1 + jitter() / 2))
        let at = now + milliseconds
        guard at <= firstAttemptAt + window.wholeMilliseconds else { return .finish }
        switch expiration {
        case .unspecified: break
        case .never: return .finish
        case .at(let seconds): guard at < seconds * 1000 else { return .finish }
        }
        return .retry(afterMilliseconds: milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
