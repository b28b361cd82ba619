import Synchronization

/// Counts events; tests wait for a number of them.
final class Signal: Sendable {
    private struct State {
        var count = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func fire() {
        let due = state.withLock { state in
            state.count += 1
            let due = state.waiters.filter { $0.count <= state.count }
            state.waiters.removeAll { $0.count <= state.count }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }

    /// Returns once so many events have happened; a test whose time is up throws.
    func wait(count: Int = 1) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    let isDue = state.count >= count || Task.isCancelled
                    if !isDue { state.waiters.append((count, continuation)) }
                    return isDue
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let all = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in all { waiter.continuation.resume() }
        }
        try Task.checkCancellation()
    }
}

/// Waits for something that nobody announces; a test whose time is up throws.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
