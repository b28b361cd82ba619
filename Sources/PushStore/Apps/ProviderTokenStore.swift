/// Provider tokens, shared by nodes and kept over restarts.
///
/// APNs counts how often a team's token changes, over all connections, and refuses a team that signs more often than
/// every 20 minutes (TooManyProviderTokenUpdates): twenty nodes with a token each, or one that is restarted again and
/// again, would.
public protocol ProviderTokenStore: Sendable {
    /// The token to use: the one that is kept, or the one that is offered, which is kept then.
    ///
    /// - Parameters:
    ///   - candidate: a new token.
    ///   - key: what stands for the key it was signed with, such as a digest.
    ///   - oldest: the kept one has to be issued after this, in seconds since 1970.
    func shareProviderToken(
        _ candidate: SharedProviderToken, key: [UInt8], issuedAfter oldest: Int64
    ) async throws(StoreError) -> SharedProviderToken
}
