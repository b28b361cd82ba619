/// Counts the requests of each app over all nodes.
public protocol RequestRateStore: Sendable {
    /// Takes up to so many requests out of an app's allowance, which fills up by the database's clock.
    ///
    /// - Parameter perSecond: the limit; also how many may pass at once after a pause.
    /// - Returns: nil when this store has one node only, which counts by itself.
    func takeRequests(
        _ count: Int, perSecond: Int, app: Int64
    ) async throws(StoreError) -> RequestGrant?
}
