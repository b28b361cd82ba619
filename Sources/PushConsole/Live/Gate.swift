internal import Synchronization

/// Lets a few in at a time: what reads much of the database must not take all of its readers.
final class Gate: Sendable {
    private struct State {
        var insideCount = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let capacity: Int
    private let waitingCountMax: Int
    private let state = Mutex(State())

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - capacity: how many are inside at once.
    ///   - waitingCountMax: how many wait; more are turned away.
    init(capacity: Int, waitingCountMax: Int) {
        self.capacity = capacity
        self.waitingCountMax = waitingCountMax
    }

    /// Runs a body inside.
    ///
    /// - Throws: 503 when too many wait, and what the body throws.
    func pass<Success>(_ body: () async throws -> Success) async throws -> Success {
        let mayWait = state.withLock { state -> Bool? in
            if state.insideCount < capacity {
                state.insideCount += 1
                return nil
            }
            return state.waiting.count < waitingCountMax
        }
        if mayWait == false { throw ConsoleRefusal(503, .busy) }
        if mayWait == true {
            await withCheckedContinuation { continuation in
                let goesIn = state.withLock { state in
                    if state.insideCount < capacity {
                        state.insideCount += 1
                        return true
                    }
                    state.waiting.append(continuation)
                    return false
                }
                if goesIn { continuation.resume() }
            }
        }
        defer { leave() }
        return try await body()
    }

    /// Whoever leaves hands the place to the one that has waited longest.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.insideCount -= 1
            return nil
        }
        next?.resume()
    }
}
