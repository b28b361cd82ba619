internal import APNs
internal import APNsClient

/// Sends many notifications through one client and measures it.
struct ClientBench: Sendable {
    var client: APNsClient
    var topic: Topic
    var payload: [UInt8]
    /// Notifications in one call of `send`.
    var batchCount: Int
    /// Calls under way at a time, so that the connections never run dry between two of them.
    var batchesInFlight: Int

    /// Sends a number of notifications; `progress` hears how many have ended.
    func run(
        count: Int, progress: (Int) -> Void
    ) async -> (report: ClientBenchReport, latencies: LatencyHistogram) {
        var report = ClientBenchReport()
        var latencies = LatencyHistogram()
        var tokens = DeviceTokenSequence()
        var made = 0
        await withTaskGroup(of: [Outcome].self) { group in
            func submit() {
                let batch = makeBatch(min(batchCount, count - made), &tokens)
                made += batch.count
                group.addTask { await client.send(batch) }
            }
            for _ in 0..<batchesInFlight where made < count { submit() }
            while let outcomes = await group.next() {
                if made < count { submit() }
                report.count(outcomes, &latencies)
                report.connections = max(report.connections, client.snapshot.connectionCount)
                progress(report.notifications)
            }
        }
        return (report, latencies)
    }

    private func makeBatch(_ count: Int, _ tokens: inout DeviceTokenSequence) -> [Notification] {
        var batch: [Notification] = []
        batch.reserveCapacity(count)
        while batch.count < count, let token = tokens.next() {
            batch.append(Notification(token: token, topic: topic, payload: payload, pushType: .alert))
        }
        return batch
    }
}
