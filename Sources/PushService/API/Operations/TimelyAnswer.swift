internal import Synchronization

/// An answer that may take long, told in time or not at all.
///
/// However many ask, the question is put once at a time. Callable from any task.
final class TimelyAnswer<Value: Sendable>: Sendable {
    private struct Waiter {
        var continuation: CheckedContinuation<Value?, Never>
        /// Gives up in time; nil while it is about to be started.
        var timer: Task<Void, Never>?
    }

    private struct State {
        var isAsking = false
        var nextWaiter = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let patience: Patience
    private let ask: @Sendable () async -> Value?
    private let state = Mutex(State())

    /// - Parameter ask: finds the answer, nil for none; may take long.
    init(patience: Patience, ask: @escaping @Sendable () async -> Value?) {
        self.patience = patience
        self.ask = ask
    }

    /// The answer; nil when there is none in time.
    func answer() async -> Value? {
        await withCheckedContinuation { continuation in
            let (number, asks) = state.withLock { state in
                let number = state.nextWaiter
                state.nextWaiter += 1
                state.waiters[number] = Waiter(continuation: continuation)
                defer { state.isAsking = true }
                return (number, !state.isAsking)
            }
            if asks { Task { tell(await ask()) } }
            let timer = Task {
                await patience.sleep(patience.limit)
                state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: nil)
            }
            let isWaiting = state.withLock { state in
                state.waiters[number]?.timer = timer
                return state.waiters[number] != nil
            }
            if !isWaiting { timer.cancel() }
        }
    }

    private func tell(_ value: Value?) {
        let waiters = state.withLock { state in
            defer {
                state.waiters = [:]
                state.isAsking = false
            }
            return state.waiters.values
        }
        for waiter in waiters {
            waiter.timer?.cancel()
            waiter.continuation.resume(returning: value)
        }
    }
}
