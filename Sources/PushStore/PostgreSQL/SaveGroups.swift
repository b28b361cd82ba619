internal import PostgreSQL
internal import Recurrence
internal import Synchronization

/// Gathers saves that arrive together, so that they share a transaction, its round trips and its wait for the disk.
final class SaveGroups: Sendable {
    struct Job: Sendable {
        var merge: InstallationMerge
        var app: Int64
        var now: Instant
        var answer: @Sendable (Result<SavedInstallation, ChangeError>) -> Void
    }

    private struct State {
        var pending: [Job] = []
        var runningCount = 0
    }

    /// The most saves that wait; more are refused as `overloaded`.
    static let pendingCountMax = 20_000
    /// The most saves of one transaction.
    static let groupCountMax = 256
    /// How many groups are written at once.
    static let runningCountMax = 2

    private let state = Mutex(State())

    /// Queues a save; whether the caller has to run a group now.
    func add(_ job: Job) -> Bool {
        let (isTaken, mustRun) = state.withLock { state in
            guard state.pending.count < Self.pendingCountMax else { return (false, false) }
            state.pending.append(job)
            guard state.runningCount < Self.runningCountMax else { return (true, false) }
            state.runningCount += 1
            return (true, true)
        }
        if !isTaken {
            job.answer(
                .failure(
                    ChangeError(StoreError(.overloaded, "more than \(Self.pendingCountMax) saves wait"))))
        }
        return mustRun
    }

    /// The saves of the next group; none ends the run that asks.
    func next() -> [Job] {
        state.withLock { state in
            let count = min(state.pending.count, Self.groupCountMax)
            if count == 0 { state.runningCount -= 1 }
            defer { state.pending.removeFirst(count) }
            return Array(state.pending.prefix(count))
        }
    }
}
