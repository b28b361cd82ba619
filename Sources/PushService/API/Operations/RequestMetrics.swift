internal import Synchronization

/// Counts requests and how long they took, by operation.
final class RequestMetrics: Sendable {
    /// Upper bounds of the latency histogram, in microseconds.
    private static let bounds: [Int64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000,
    ]

    private struct Latency {
        var buckets = Array(repeating: Int64(0), count: RequestMetrics.bounds.count + 1)
        var microseconds: Int64 = 0
        var count: Int64 = 0
    }

    private struct Key: Hashable {
        var operation: String
        var status: Int
    }

    private struct State {
        var counts: [Key: Int64] = [:]
        var latencies: [String: Latency] = [:]
    }

    private let state = Mutex(State())

    /// Counts a request.
    ///
    /// - Parameter operation: an operation's id, so that the number of series is bounded.
    func count(_ operation: String, status: Int, duration: Duration) {
        let microseconds =
            duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        let bucket = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[Key(operation: operation, status: status), default: 0] += 1
            state.latencies[operation, default: Latency()].buckets[bucket] += 1
            state.latencies[operation, default: Latency()].microseconds += microseconds
            state.latencies[operation, default: Latency()].count += 1
        }
    }

    func write(to page: inout MetricsPage) {
        let (counts, latencies) = state.withLock { ($0.counts, $0.latencies) }
        page.begin("belfry_http_requests_total", "counter", "Requests by operation and status.")
        for (key, count) in counts.sorted(by: {
            ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
        }) {
            page.add(["operation": key.operation, "status": String(key.status)], count)
        }
        page.begin(
            "belfry_http_request_duration_seconds", "histogram", "From a whole request to its answer.")
        for (operation, latency) in latencies.sorted(by: { $0.key < $1.key }) {
            var sum: Int64 = 0
            for (index, bound) in Self.bounds.enumerated() {
                sum += latency.buckets[index]
                page.add(
                    ["operation": operation, "le": "\(Double(bound) / 1_000_000)"], suffix: "_bucket", sum)
            }
            page.add(["operation": operation, "le": "+Inf"], suffix: "_bucket", latency.count)
            page.add(
                ["operation": operation], suffix: "_sum", "\(Double(latency.microseconds) / 1_000_000)")
            page.add(["operation": operation], suffix: "_count", latency.count)
        }
    }
}
