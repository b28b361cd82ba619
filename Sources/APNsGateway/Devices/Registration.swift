internal import APNs

/// One token: an app on a device, in an environment, of a family.
struct Registration: Sendable {
    var token: DeviceToken
    var topic: Topic
    var environment: Environment
    var family: TokenFamily
    /// Tells tokens of one family apart: a Live Activity, a control.
    var instance: String
    var device: Int32
    var app: Int32
    var state = TokenState.live
    /// Whether the app gave the token up but is still installed: registering again brings the token back.
    var isReturnable = false
    /// When the token runs out by itself; `Int64.max` for never.
    var expiresAtMilliseconds = Int64.max
    var registeredAtMilliseconds: Int64
    /// Until when a push waits to find the app deleted; 0 for none.
    var probeUntilMilliseconds: Int64 = 0
    var window = CountingWindow()
    /// Counts up when the slot is given to another token.
    var generation: UInt32 = 0
    var isVacant = false
    var isDirty = false

    var isLive: Bool { state == .live }

    /// Judges a push, in the order of the gateway's validation.
    func verdict(
        topic: Topic, environment: Environment, policy: DevicePolicy, slot: Int32, at now: Int64
    ) -> TokenVerdict {
        guard self.environment == environment else { return .otherEnvironment }
        guard self.topic == topic else { return .notForTopic }
        if expiresAtMilliseconds <= now { return .expired(sinceMilliseconds: expiresAtMilliseconds) }
        if case .dead(let since) = state, now - since >= policy.unregisteredGraceMilliseconds {
            return .unregistered(sinceMilliseconds: since)
        }
        if let allowance = policy.pushesPerToken, window.blockedUntil(allowance, at: now) != nil {
            return .tooManyRequests
        }
        return .accepted(device: Int64(generation) << 32 | Int64(slot))
    }
}

/// Whether a token still leads to an app.
///
/// ```
/// live ──app deleted──▶ orphaned ──a push reaches the phone──▶ dead ──grace period──▶ 410
///   ▲                                                            │
///   └───────────── the app registers the same token again ───────┘
/// ```
package enum TokenState: Hashable, Sendable {
    /// The app has the token.
    case live
    /// The app is gone, and APNs does not know it.
    case orphaned(sinceMilliseconds: Int64)
    /// APNs has confirmed that the token is no longer valid, at this time.
    case dead(sinceMilliseconds: Int64)
}
