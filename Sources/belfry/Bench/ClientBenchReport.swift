/// The result of `belfry bench client` and `belfry bench gateway`.
struct ClientBenchReport: Encodable, Sendable {
    var notifications: Int
    var accepted: Int
    /// Answered with anything but 200.
    var refused: Int
    var unanswered: Int
    var seconds: Double
    var per_second: Double
    /// Of the client, all its threads, in microseconds.
    var cpu_us_per_notification: Double
    /// Of the gateway's event loops, when it runs in this process.
    var gateway_cpu_us_per_notification: Double?
    var context_switches_per_1000: Double
    var latency_us_p50: Int
    var latency_us_p90: Int
    var latency_us_p99: Int
    var latency_us_max: Int
    var connections: Int
    /// Memory after the warm-up and at the end, in MiB.
    var memory_mib_start: Double
    var memory_mib_end: Double
    /// Reasons of refusals and failures, with their counts.
    var reasons: [String: Int]

    /// Sums up a run.
    ///
    /// - Parameters:
    ///   - tally: what was counted.
    ///   - elapsed: the time it took.
    ///   - start: the process before the run.
    ///   - end: the process after it.
    ///   - othersCPU: the part of the process's CPU time that a gateway in it took.
    init(
        _ tally: BenchTally, elapsed: Duration, from start: ProcessUsage, to end: ProcessUsage,
        othersCPU: Duration? = nil
    ) {
        let count = Double(max(tally.notifications, 1))
        notifications = tally.notifications
        accepted = tally.accepted
        refused = tally.refused
        unanswered = tally.unanswered
        seconds = elapsed.inSeconds
        per_second = (Double(notifications) / max(seconds, 1e-9)).rounded()
        cpu_us_per_notification = (end.cpu - start.cpu - (othersCPU ?? .zero)).inSeconds * 1e6 / count
        gateway_cpu_us_per_notification = othersCPU.map { $0.inSeconds * 1e6 / count }
        context_switches_per_1000 = Double(end.contextSwitchCount - start.contextSwitchCount) * 1000 / count
        latency_us_p50 = Int(tally.latencies.percentile(0.5))
        latency_us_p90 = Int(tally.latencies.percentile(0.9))
        latency_us_p99 = Int(tally.latencies.percentile(0.99))
        latency_us_max = Int(tally.latencies.max)
        connections = tally.connections
        memory_mib_start = Double(start.residentByteCount) / 1_048_576
        memory_mib_end = Double(end.residentByteCount) / 1_048_576
        reasons = tally.reasons
    }

    /// The report for a reader.
    var text: String {
        var cpu = "CPU              \(cpu_us_per_notification.rounded(to: 2)) µs a notification"
        if let gateway = gateway_cpu_us_per_notification {
            cpu += " for the client, \(gateway.rounded(to: 2)) µs for the gateway"
        }
        var lines = [
            "notifications    \(notifications) (\(accepted) accepted, \(refused) refused, \(unanswered) without answer)",
            "rate             \(Int(per_second)) a second for \(seconds.rounded(to: 2)) s",
            cpu,
            "latency          p50 \(latency_us_p50) µs, p90 \(latency_us_p90) µs, p99 \(latency_us_p99) µs, "
                + "max \(latency_us_max) µs",
            "connections      \(connections)",
            "memory           \(memory_mib_start.rounded(to: 1)) MiB after the warm-up, "
                + "\(memory_mib_end.rounded(to: 1)) MiB at the end",
            "context switches \(context_switches_per_1000.rounded(to: 1)) for 1000 notifications",
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
