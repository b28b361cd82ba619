internal import APNs
internal import APNsClient

/// The result of `belfry bench client`.
struct ClientBenchReport: Encodable, Sendable {
    var notifications = 0
    var accepted = 0
    var refused = 0
    var unanswered = 0
    var seconds = 0.0
    var per_second = 0.0
    var cpu_us_per_notification = 0.0
    var latency_us_p50 = 0
    var latency_us_p90 = 0
    var latency_us_p99 = 0
    var latency_us_max = 0
    var connections = 0
    /// Memory after the warm-up and at the end, in MiB.
    var memory_mib_start = 0.0
    var memory_mib_end = 0.0
    /// Reasons of refusals and failures, with their counts.
    var reasons: [String: Int] = [:]

    mutating func count(_ outcomes: [Outcome], _ latencies: inout LatencyHistogram) {
        notifications += outcomes.count
        for outcome in outcomes {
            switch outcome.result {
            case .accepted:
                accepted += 1
                latencies.add(outcome.latencyMicroseconds)
            case .rejected(let status, let reason, _):
                refused += 1
                reasons["\(status) \(reason.text)", default: 0] += 1
                latencies.add(outcome.latencyMicroseconds)
            case .failed(let failure):
                unanswered += 1
                reasons["\(failure)", default: 0] += 1
            }
        }
    }

    mutating func finish(
        _ latencies: LatencyHistogram, elapsed: Duration, from start: ProcessUsage, to end: ProcessUsage
    ) {
        seconds = elapsed.inSeconds
        per_second = (Double(notifications) / max(seconds, 1e-9)).rounded()
        cpu_us_per_notification = (end.cpu - start.cpu).inSeconds * 1e6 / Double(max(notifications, 1))
        latency_us_p50 = Int(latencies.percentile(0.5))
        latency_us_p90 = Int(latencies.percentile(0.9))
        latency_us_p99 = Int(latencies.percentile(0.99))
        latency_us_max = Int(latencies.max)
        memory_mib_start = Double(start.residentByteCount) / 1_048_576
        memory_mib_end = Double(end.residentByteCount) / 1_048_576
    }

    /// The report for a reader.
    var text: String {
        var lines = [
            "notifications    \(notifications) (\(accepted) accepted, \(refused) refused, \(unanswered) without answer)",
            "rate             \(Int(per_second)) a second for \(seconds.rounded(to: 2)) s",
            "CPU              \(cpu_us_per_notification.rounded(to: 2)) µs a notification",
            "latency          p50 \(latency_us_p50) µs, p90 \(latency_us_p90) µs, p99 \(latency_us_p99) µs, "
                + "max \(latency_us_max) µs",
            "connections      \(connections)",
            "memory           \(memory_mib_start.rounded(to: 1)) MiB after the warm-up, "
                + "\(memory_mib_end.rounded(to: 1)) MiB at the end",
        ]
        for (reason, count) in reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("                 \(count) × \(reason)")
        }
        return lines.joined(separator: "\n")
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Double {
    fileprivate func rounded(to digits: Int) -> Double {
        let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
        return (self * factor).rounded() / factor
    }
}
