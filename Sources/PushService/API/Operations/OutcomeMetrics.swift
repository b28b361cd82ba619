public import PushStore
internal import Synchronization

/// Counts what became of devices, by reason, as it is stored.
///
/// What no sender finds out but the store decides is counted from the records of pushes that have ended. Safe from any
/// task. Counters begin with the process, as Prometheus expects of them.
public final class OutcomeMetrics: Sendable {
    /// How many records are remembered: pushes that share one end one after the other.
    private static let recordCountMax = 1000
    /// What the store itself gives devices; senders have no part in it, or a part only.
    private static let storeOutcomes: Set<DeviceOutcome> = [.cancelled, .damaged, .zonePassed]

    private struct Key: Hashable {
        var app: String
        var outcome: String
    }

    private struct State {
        var counts: [Key: Int64] = [:]
        var pushCounts: [String: Int64] = [:]
        var retryCounts: [String: Int64] = [:]
        /// What was counted of a record before, the latest ones.
        var counted: [String: [DeviceOutcome: Int]] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Makes counters of zero.
    public init() {}

    /// Counts what a sender has stored.
    ///
    /// - Parameters:
    ///   - outcomes: the devices that have got an outcome now.
    ///   - retryCount: how many devices are tried again later.
    ///   - app: the app's id.
    public func count(_ outcomes: [DeviceOutcome: Int], retryCount: Int, app: String) {
        let counts = outcomes.compactMap { outcome, count in
            Self.storeOutcomes.contains(outcome)
                ? nil : (key: Key(app: app, outcome: outcome.name), count: Int64(count))
        }
        state.withLock { state in
            for (key, count) in counts { state.counts[key, default: 0] += count }
            if retryCount > 0 { state.retryCounts[app, default: 0] += Int64(retryCount) }
        }
    }

    /// Counts a push that has ended, and those of its devices that the store has given their outcome.
    ///
    /// - Parameters:
    ///   - record: its record as it is now, which other pushes may share.
    ///   - app: the app's id.
    public func count(_ record: PushRecord, app: String) {
        let name = app + "/" + record.objectID
        let outcomes = record.outcomes.filter { Self.storeOutcomes.contains($0.key) }
        state.withLock { state in
            let before = state.counted[name] ?? [:]
            if state.counted.updateValue(outcomes, forKey: name) == nil {
                state.order.append(name)
                if state.order.count > Self.recordCountMax {
                    state.counted[state.order.removeFirst()] = nil
                }
            }
            state.pushCounts[app, default: 0] += 1
            for (outcome, count) in outcomes {
                let new = count - (before[outcome] ?? 0)
                if new > 0 { state.counts[Key(app: app, outcome: outcome.name), default: 0] += Int64(new) }
            }
        }
    }

    /// The counters in Prometheus' text format.
    public var text: String {
        let (counts, pushCounts, retryCounts) = state.withLock { ($0.counts, $0.pushCounts, $0.retryCounts) }
        var page = MetricsPage()
        page.begin("belfry_pushes_ended_total", "counter", "Pushes that have ended.")
        for (app, count) in pushCounts.sorted(by: { $0.key < $1.key }) { page.add(["app": app], count) }
        page.begin(
            "belfry_outcomes_total", "counter",
            "Devices by what became of them: accepted, APNs' reason, or why nothing was sent."
        )
        for (key, count) in counts.sorted(by: { ($0.key.app, $0.key.outcome) < ($1.key.app, $1.key.outcome) })
        {
            page.add(["app": key.app, "outcome": key.outcome], count)
        }
        page.begin(
            "belfry_retries_total", "counter",
            "Devices that are tried again later: APNs was not reached, or asked for a wait.")
        for (app, count) in retryCounts.sorted(by: { $0.key < $1.key }) { page.add(["app": app], count) }
        return page.text
    }
}
