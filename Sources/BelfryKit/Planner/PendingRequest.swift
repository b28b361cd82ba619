internal import Recurrence

/// What the planner knows of a request that is pending.
struct PendingRequest: Hashable, Sendable {
    var identifier: String
    /// The hash that the planner gave it; nil for other code's requests.
    var mark: String?
    /// When it was expected to fire; nil for repeating ones and other code's.
    var instant: Instant?
}
