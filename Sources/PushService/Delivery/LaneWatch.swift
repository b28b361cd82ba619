internal import Synchronization

/// Lets one of a service's idle lanes look for work while the others rest: sixteen that ask the database in turn find
/// nothing sixteen times.
///
/// The lane that watches passes the watch on when it has found a batch, so that one push wakes as many lanes as it
/// has batches for. May be used from any thread.
final class LaneWatch: Sendable {
    private struct State {
        var isTaken = false
        var resting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    /// How many lanes rest.
    var restingCount: Int { state.withLock { $0.resting.count } }

    /// Rests until the watch is this lane's.
    ///
    /// - Returns: whether it is; false for a task that was cancelled.
    func take() async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // A cancelled task's handler may have run before: then nobody would resume it.
                    guard !Task.isCancelled else { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.resting.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let found = state.withLock { state in
                state.resting.firstIndex { $0.id == id }.map { state.resting.remove(at: $0) }
            }
            found?.continuation.resume(returning: false)
        }
    }

    /// Gives the watch to the lane that has rested longest; whoever has it calls this once.
    func pass() {
        let next = state.withLock { state in
            guard !state.resting.isEmpty else {
                state.isTaken = false
                return Optional<(id: Int, continuation: CheckedContinuation<Bool, Never>)>.none
            }
            return state.resting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
