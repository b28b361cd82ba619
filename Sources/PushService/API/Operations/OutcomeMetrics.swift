public import PushStore
internal import Synchronization

/// Counts what became of devices, by reason, from the records of pushes that have ended.
///
/// Safe from any task. Counters begin with the process, as Prometheus expects of them.
public final class OutcomeMetrics: Sendable {
    /// How many records are remembered: pushes that share one end one after the other.
    private static let recordCountMax = 1000

    private struct Key: Hashable {
        var app: String
        var outcome: String
    }

    private struct State {
        var counts: [Key: Int64] = [:]
        var pushCounts: [String: Int64] = [:]
        /// What was counted of a record before, the latest ones.
        var counted: [String: [DeviceOutcome: Int]] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Makes counters of zero.
    public init() {}

    /// Counts a push that has ended.
    ///
    /// - Parameters:
    ///   - record: its record as it is now; of one counted before only what is new counts.
    ///   - app: the app's id.
    public func count(_ record: PushRecord, app: String) {
        let name = app + "/" + record.objectID
        state.withLock { state in
            let before = state.counted[name] ?? [:]
            if state.counted.updateValue(record.outcomes, forKey: name) == nil {
                state.order.append(name)
                if state.order.count > Self.recordCountMax {
                    state.counted[state.order.removeFirst()] = nil
                }
            }
            state.pushCounts[app, default: 0] += 1
            for (outcome, count) in record.outcomes where outcome.isDevice && outcome != .pending {
                let new = count - (before[outcome] ?? 0)
                if new > 0 { state.counts[Key(app: app, outcome: outcome.name), default: 0] += Int64(new) }
            }
        }
    }

    /// The counters in Prometheus' text format.
    public var text: String {
        let (counts, pushCounts) = state.withLock { ($0.counts, $0.pushCounts) }
        var page = MetricsPage()
        page.begin("belfry_pushes_ended_total", "counter", "Pushes that have ended.")
        for (app, count) in pushCounts.sorted(by: { $0.key < $1.key }) { page.add(["app": app], count) }
        page.begin(
            "belfry_outcomes_total", "counter",
            "Devices of pushes that have ended, by what became of them: accepted, APNs' reason, or why none was sent."
        )
        for (key, count) in counts.sorted(by: { ($0.key.app, $0.key.outcome) < ($1.key.app, $1.key.outcome) })
        {
            page.add(["app": key.app, "outcome": key.outcome], count)
        }
        return page.text
    }
}
