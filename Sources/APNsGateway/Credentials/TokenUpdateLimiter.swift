/// Apple's rule for new provider tokens: one per team and connection in twenty minutes.
///
/// A token counts as new when the connection has not accepted it before, so requests that carry the old
/// token while its successor is already in use do no harm. Counting is per team, not per key; only keys
/// that Apple calls related count apart, because they may be used in turn on one connection.
///
/// Apple: Establishing a token-based connection to APNs; per-team counting from an APNs engineer on Apple's
/// developer forums.
package struct TokenUpdateLimiter: Sendable {
    private let intervalMilliseconds: Int64
    private var groups: [Group] = []
    private var blockedUntilMilliseconds: Int64?

    /// Tokens kept for each group: those of one hour at the fastest permitted rate, and a reserve.
    static let tokenCountMax = 8
    /// Groups kept for each connection; a connection is bound to one team after its first accepted push.
    static let groupCountMax = 8

    private struct Group {
        let name: String
        var tokens: [UInt64]
        var newestMilliseconds: Int64
    }

    /// Starts without tokens.
    package init(intervalSeconds: Int64) {
        intervalMilliseconds = intervalSeconds * 1000
    }

    /// Whether the connection is unusable because tokens changed too often.
    package mutating func isBlocked(nowMilliseconds: Int64) -> Bool {
        guard let blockedUntilMilliseconds else { return false }
        if nowMilliseconds < blockedUntilMilliseconds { return true }
        self.blockedUntilMilliseconds = nil
        return false
    }

    /// Takes a valid token into account.
    ///
    /// - Returns: false when it comes too early; the connection is then blocked until it would not.
    package mutating func admit(token: UInt64, group name: String, nowMilliseconds: Int64) -> Bool {
        guard let index = groups.firstIndex(where: { $0.name == name }) else {
            if groups.count == TokenUpdateLimiter.groupCountMax { groups.removeFirst() }
            groups.append(Group(name: name, tokens: [token], newestMilliseconds: nowMilliseconds))
            return true
        }
        if groups[index].tokens.contains(token) { return true }
        let allowedAt = groups[index].newestMilliseconds + intervalMilliseconds
        guard nowMilliseconds >= allowedAt else {
            blockedUntilMilliseconds = allowedAt
            return false
        }
        if groups[index].tokens.count == TokenUpdateLimiter.tokenCountMax {
            groups[index].tokens.removeFirst()
        }
        groups[index].tokens.append(token)
        groups[index].newestMilliseconds = nowMilliseconds
        return true
    }
}
