package import APNs

/// How many requests had which answer since the gateway started.
package struct JournalCounters: Sendable {
    /// Requests answered with a status below 400.
    package private(set) var accepted: UInt64 = 0
    /// Requests that got no answer.
    package private(set) var unanswered: UInt64 = 0
    /// Refusals, by status and reason.
    package private(set) var refusals: [Refusal: UInt64] = [:]

    private var decisions = [UInt64](repeating: 0, count: JournalDecision.allCases.count)

    /// Refusals of more reasons than this count as one without a name: reasons may come from outside.
    package static let refusalCountMax = 256

    /// One kind of refusal.
    package struct Refusal: Hashable, Sendable {
        /// The HTTP status.
        package let status: Int
        /// The reason; nil for what has no row of its own.
        package let reason: Reason?
    }

    /// Makes counters at zero.
    package init() {}

    /// All requests.
    package var total: UInt64 { accepted + unanswered + refusals.values.reduce(0, +) }

    /// How many requests ended so.
    package func count(of decision: JournalDecision) -> UInt64 { decisions[Int(decision.rawValue)] }

    mutating func count(_ record: borrowing JournalRecord) {
        decisions[Int(record.decision.rawValue)] += 1
        if record.status == 0 {
            unanswered += 1
        } else if record.status < 400 {
            accepted += 1
        } else {
            countRefusal(Refusal(status: Int(record.status), reason: record.reason))
        }
    }

    mutating func amend(_ old: JournalDecision, to new: JournalDecision) {
        decisions[Int(old.rawValue)] -= 1
        decisions[Int(new.rawValue)] += 1
    }

    private mutating func countRefusal(_ refusal: Refusal) {
        if refusals.count < JournalCounters.refusalCountMax || refusals[refusal] != nil {
            refusals[refusal, default: 0] += 1
        } else {
            refusals[Refusal(status: refusal.status, reason: nil), default: 0] += 1
        }
    }
}
