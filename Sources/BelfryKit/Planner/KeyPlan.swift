internal import Recurrence

/// The requests of one reminder in a plan.
struct KeyPlan: Sendable {
    let key: String
    /// Its place in the planner's list.
    let index: Int
    let isFloating: Bool
    /// In the order in which they fire.
    var requests: [PlannedRequest] = []
    var isEndless = false
    /// The first occurrence that has no request; nil when all have.
    var firstMissing: Instant?
    /// The first occurrence that quiet hours held back.
    var quieted: PlanReport.Quieted?
}
