public import Recurrence

/// What people do in an app, and what that says about their interests.
public protocol EventStore: Sendable {
    /// Counts events, raises interests and marks articles as seen; one transaction.
    ///
    /// Events named ``BehaviourEvent/receiptName`` say that a push arrived; each installation's first one counts.
    ///
    /// - Returns: for each event whether its installation was found, and the push of a receipt; without them it leaves no
    ///   trace.
    func recordEvents(
        _ events: [BehaviourEvent], app: Int64, now: Instant
    ) async throws(StoreError) -> [Bool]

    /// The latest events of an installation, newest first; see ``RecentEvent``.
    func recentEvents(
        objectID: String, limit: Int, app: Int64
    ) async throws(StoreError) -> [RecentEvent]

    /// The interests of an installation that are still felt, strongest first; values from 0 to 1.
    func interests(
        objectID: String, app: Int64, now: Instant
    ) async throws(StoreError) -> [(tag: String, value: Double)]

    /// The tags installations of an app are interested in, with how many are to at least a value.
    ///
    /// - Parameters:
    ///   - value: the least interest that counts, from 0 to 1.
    ///   - limit: how many tags at most, those of most installations first.
    func interestCounts(
        atLeast value: Double, limit: Int, app: Int64, now: Instant
    ) async throws(StoreError) -> [(tag: String, installationCount: Int)]

    /// How often events were reported since a day, newest day first.
    func eventCounts(since day: CivilDate, app: Int64) async throws(StoreError) -> [EventCount]

    /// Forgets interests that have faded, articles seen before a time, and events that are too old to show.
    ///
    /// Of each kind at most as many as the limit: when fewer are gone in all, nothing is left.
    ///
    /// - Returns: how many rows are gone.
    func removeFadedInterests(
        seenBefore: Instant, now: Instant, limit: Int
    ) async throws(StoreError) -> Int
}
