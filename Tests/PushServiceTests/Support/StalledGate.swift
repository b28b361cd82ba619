import PushStore
import Synchronization

/// Lets a database say nothing from some time on, until it is released.
final class StalledGate: TransactionGate {
    private struct State {
        var isStalled = false
        var enterCount = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// How many transactions have come since the stall began.
    var enterCount: Int { state.withLock { $0.enterCount } }

    /// Keeps every transaction that comes from now on.
    func stall() {
        state.withLock { state in
            state.isStalled = true
            state.enterCount = 0
        }
    }

    /// Waits until a transaction is kept.
    func waitForOne() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.isEmpty { state.watcher = continuation }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets all go on.
    func release() {
        let waiting = state.withLock { state in
            state.isStalled = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let (goesOn, watcher) = state.withLock { state in
                state.enterCount += 1
                guard state.isStalled else { return (true, Optional<CheckedContinuation<Void, Never>>.none) }
                state.waiting.append(continuation)
                defer { state.watcher = nil }
                return (false, state.watcher)
            }
            if goesOn { continuation.resume() }
            watcher?.resume()
        }
        return TransactionPass(kind: kind, number: 0)
    }

    func leave(_ pass: TransactionPass) async throws(StoreError) {}
}
