internal import APNs
internal import APNsClient

/// Counts outcomes while a benchmark runs; cheap, since it runs in the process that is measured.
struct BenchTally: Sendable {
    private struct Refusal: Hashable {
        var status: Int
        var reason: Reason
    }

    private(set) var notifications = 0
    private(set) var accepted = 0
    private(set) var refused = 0
    private(set) var unanswered = 0
    private(set) var latencies = LatencyHistogram()
    /// The most connections that were seen at a time.
    var connections = 0
    private var refusals: [Refusal: Int] = [:]
    private var failures: [Outcome.Failure: Int] = [:]

    mutating func count(_ outcomes: [Outcome]) {
        notifications += outcomes.count
        for outcome in outcomes {
            switch outcome.result {
            case .accepted:
                accepted += 1
                latencies.add(outcome.latencyMicroseconds)
            case .rejected(let status, let reason, _):
                refused += 1
                refusals[Refusal(status: status, reason: reason), default: 0] += 1
                latencies.add(outcome.latencyMicroseconds)
            case .failed(let failure):
                unanswered += 1
                failures[failure, default: 0] += 1
            }
        }
    }

    /// Reasons of refusals and failures, with their counts.
    var reasons: [String: Int] {
        var reasons: [String: Int] = [:]
        for (refusal, count) in refusals { reasons["\(refusal.status) \(refusal.reason.text)"] = count }
        for (failure, count) in failures { reasons["\(failure)"] = count }
        return reasons
    }
}
