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
    static let batchesInFlight = 3

    /// Warms up, measures, and ends the client.
    ///
    /// - Parameters:
    ///   - count: notifications to measure.
    ///   - warmUpCount: notifications sent before.
    ///   - othersCPU: CPU time of threads in this process that are not the client's.
    ///   - console: where progress is shown.
    /// - Throws: unavailable, when the warm-up brought no answer at all.
    func measure(
        count: Int, warmUpCount: Int, othersCPU: () -> Duration? = { nil }, console: Console
    ) async throws(CommandError) -> ClientBenchReport {
        if warmUpCount > 0 {
            let tally = await run(count: warmUpCount) { _ in }
            guard tally.unanswered < tally.notifications else {
                let reason = tally.reasons.keys.sorted().joined(separator: ", ")
                throw .unavailable("no notification was answered: \(reason)")
            }
        }
        var progress = ProgressBar(total: count, console: console)
        let clock = ContinuousClock()
        let others = othersCPU()
        let usage = ProcessUsage.now()
        let start = clock.now
        let tally = await run(count: count) { progress.update($0) }
        let elapsed = clock.now - start
        let end = ProcessUsage.now()
        var othersUsed: Duration?
        if let others, let now = othersCPU() { othersUsed = now - others }
        progress.finish()
        await client.shutdown()
        return ClientBenchReport(tally, elapsed: elapsed, from: usage, to: end, othersCPU: othersUsed)
    }

    /// Sends a number of notifications; `progress` hears how many have ended.
    private func run(count: Int, progress: (Int) -> Void) async -> BenchTally {
        var tally = BenchTally()
        var tokens = DeviceTokenSequence()
        var made = 0
        await withTaskGroup(of: [Outcome].self) { group in
            func submit() {
                let batch = makeBatch(min(batchCount, count - made), &tokens)
                made += batch.count
                group.addTask { await client.send(batch) }
            }
            for _ in 0..<Self.batchesInFlight where made < count { submit() }
            while let outcomes = await group.next() {
                if made < count { submit() }
                tally.count(outcomes)
                tally.connections = max(tally.connections, client.snapshot.connectionCount)
                progress(tally.notifications)
            }
        }
        return tally
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
