internal import Synchronization

/// Counts what was begun and is not over, so that one can wait for the end of all of it.
final class WorkCounter: Sendable {
    private struct Contents {
        var count = 0
        var begunCount = 0
        /// Of what was begun, what waits for a person or for the clock: nobody waits for that.
        var parkedCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isSettled: Bool { count <= parkedCount }

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            guard isSettled else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let contents = Mutex(Contents())

    /// How much was ever begun.
    var begunCount: Int { contents.withLock { $0.begunCount } }

    func begin() {
        contents.withLock {
            $0.count += 1
            $0.begunCount += 1
        }
    }

    func end() {
        resume {
            $0.count -= 1
            $0.parkedCount = min($0.parkedCount, $0.count)
        }
    }

    /// A piece of work waits for something that may never come.
    func park() { resume { $0.parkedCount = min($0.parkedCount + 1, $0.count) } }

    /// The piece of work goes on.
    func unpark() { contents.withLock { $0.parkedCount = max(0, $0.parkedCount - 1) } }

    /// Everything that is not over now counts as parked.
    func parkAll() { resume { $0.parkedCount = $0.count } }

    func settled() async {
        await withCheckedContinuation { continuation in
            let isSettled = contents.withLock { contents in
                if contents.isSettled { return true }
                contents.waiters.append(continuation)
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    private func resume(after change: (inout Contents) -> Void) {
        let waiters = contents.withLock { contents in
            change(&contents)
            return contents.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }
}
