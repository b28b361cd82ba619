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

    func wait(count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.count < count { state.waiters.append((count, continuation)) }
                return state.count >= count
            }
            if isDue { continuation.resume() }
        }
    }
}
