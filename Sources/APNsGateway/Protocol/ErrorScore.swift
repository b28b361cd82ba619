/// How refusals lower a connection's stream limit and end it in the end.
///
/// Two scores: one falls to zero with any accepted push and decides the limit; the other falls slowly and
/// decides when the connection is closed. Apple describes the behaviour, not the figures; see
/// ``GatewayPolicy/ErrorThrottle``.
package struct ErrorScore: Sendable {
    private let policy: GatewayPolicy.ErrorThrottle
    private var sinceAccepted = 0
    private var total = 0

    /// Starts without errors.
    package init(policy: GatewayPolicy.ErrorThrottle) {
        self.policy = policy
    }

    /// Whether the connection has to be closed.
    package var isExhausted: Bool { policy.closingScore.map { total >= $0 } ?? false }

    /// Counts an accepted push.
    package mutating func accepted() {
        sinceAccepted = 0
        total = max(0, total - policy.acceptedCredit)
    }

    /// Counts a refusal that is the provider's error.
    package mutating func rejected(badDeviceToken: Bool) {
        let weight = badDeviceToken ? policy.badDeviceTokenWeight : policy.weight
        // Bounded, so that years of errors on a policy that never closes cannot overflow.
        sinceAccepted = min(sinceAccepted + weight, 1 << 30)
        total = min(total + weight, 1 << 30)
    }

    /// The stream limit after the errors so far.
    package func limit(of full: Int) -> Int {
        guard sinceAccepted > 0, policy.scorePerHalving > 0 else { return full }
        let halvings = min(sinceAccepted / policy.scorePerHalving, Int.bitWidth - 1)
        return min(full, max(policy.streamsMin, full >> halvings))
    }
}
