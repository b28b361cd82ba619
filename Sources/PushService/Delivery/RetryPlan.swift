internal import APNs
internal import APNsClient
internal import PushStore
internal import Recurrence

/// Whether a notification that was not accepted is sent again by the service, and when; pure.
///
/// The client has replayed what was certainly not processed; what comes here needs a wait.
struct RetryPlan: Sendable {
    /// How often one device is tried at most.
    static let attemptCountMax = 12
    /// Apple asks to wait 15 minutes after 5xx (Handling notification responses from APNs).
    static let serverErrorSeconds: Int64 = 15 * 60
    /// The first wait after 429 or when APNs cannot be reached; doubled each time.
    static let busySeconds: Int64 = 5
    /// No wait grows beyond this.
    static let delaySecondsMax: Int64 = 30 * 60
    /// How long a push without a lifetime of its own is tried.
    static let lifetimeSeconds: Int64 = 24 * 3600

    /// What to do with one device.
    enum Decision: Hashable {
        case finish(DeviceOutcome)
        case again(notBefore: Instant)
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - result: how the latest attempt ended.
    ///   - attemptCount: how often the device was tried before.
    ///   - isShownOnce: whether a collapse id makes a repeated notification replace the first.
    ///   - dueAt: when the push was due.
    ///   - expiresAt: the end of its lifetime, if it has one.
    ///   - now: the time.
    static func decide(
        _ result: Outcome.Result, attemptCount: Int, isShownOnce: Bool, dueAt: Instant, expiresAt: Instant?,
        now: Instant
    ) -> Decision {
        let delay: Int64
        let otherwise: DeviceOutcome
        switch result {
        case .accepted:
            return .finish(.accepted)
        case .rejected(let status, let reason, _):
            otherwise = DeviceOutcome(refusedFor: reason)
            let disposition = reason.isKnown ? reason.disposition : Reason.Disposition(status: status)
            switch disposition {
            case .later where status >= 500 && reason != .shutdown: delay = serverErrorSeconds
            case .later, .renew: delay = busySeconds << min(Int64(attemptCount), 10)
            case .never, .fix, .unknown: return .finish(otherwise)
            }
        case .failed(.unknown):
            otherwise = .unanswered
            // Twice unanswered is taken as an answer of some kind.
            guard isShownOnce, attemptCount < 2 else { return .finish(otherwise) }
            delay = busySeconds
        case .failed(.notSent):
            otherwise = .unreachable
            delay = busySeconds << min(Int64(attemptCount), 10)
        case .failed(.cancelled):
            return .again(notBefore: now)
        }
        guard attemptCount + 1 < attemptCountMax else { return .finish(otherwise) }
        let time = now.advanced(bySeconds: min(delay, delaySecondsMax))
        if let expiresAt, time >= expiresAt { return .finish(otherwise) }
        let end = dueAt.advanced(bySeconds: lifetimeSeconds)
        // A push that was deferred or paused for long has its attempts still.
        if expiresAt == nil, time > end, attemptCount > 2 { return .finish(otherwise) }
        return .again(notBefore: time)
    }
}
