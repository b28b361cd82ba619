internal import Synchronization

/// Wakes whoever waits for work, from any thread; a signal while nobody waits is kept.
final class WakeSignal: Sendable {
    private struct State {
        var generation = 0
        var waiting: [(seen: Int, id: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var nextID = 0
    }

    private let state = Mutex(State())
    private let clock: any DeliveryClock

    /// Makes a signal whose waits go by a clock.
    init(clock: any DeliveryClock) {
        self.clock = clock
    }

    /// How many signals there were; to be handed to ``wait(after:for:)``.
    var generation: Int { state.withLock { $0.generation } }

    /// Wakes everybody.
    func signal() {
        let waiting = state.withLock { state in
            state.generation += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.continuation.resume() }
    }

    /// Waits until there was a signal after some generation, for a time at most, or until cancelled.
    func wait(after generation: Int, for duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(after: generation) }
            group.addTask { await self.clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(after generation: Int) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // A cancelled task's handler may have run before: then nobody would resume it.
                    guard state.generation == generation, !Task.isCancelled else { return true }
                    state.waiting.append((generation, id, continuation))
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let found = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            found?.continuation.resume()
        }
    }
}
