internal import Synchronization

/// Whether the service can do its work, told in time: whoever asks waits no longer than a load balancer does.
///
/// However many ask, the database is asked once at a time. Callable from any task.
final class Readiness: Sendable {
    /// How long anybody waits for the database: less than load balancers usually do.
    static let patience = Duration.seconds(2)

    private struct State {
        var isAsking = false
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let patience: Duration
    private let ask: @Sendable () async -> Bool
    private let state = Mutex(State())

    /// - Parameter ask: whether the database answers; may take long.
    init(patience: Duration = Readiness.patience, ask: @escaping @Sendable () async -> Bool) {
        self.patience = patience
        self.ask = ask
    }

    /// What the database says; false when it has said nothing in time.
    func isReady() async -> Bool {
        await withCheckedContinuation { continuation in
            let (waiter, asks) = state.withLock { state in
                let waiter = state.nextWaiter
                state.nextWaiter += 1
                state.waiters[waiter] = continuation
                defer { state.isAsking = true }
                return (waiter, !state.isAsking)
            }
            if asks { Task { answer(await ask()) } }
            Task {
                try? await Task.sleep(for: patience)
                state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: false)
            }
        }
    }

    private func answer(_ isReady: Bool) {
        let waiters = state.withLock { state in
            defer {
                state.waiters = [:]
                state.isAsking = false
            }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: isReady) }
    }
}
