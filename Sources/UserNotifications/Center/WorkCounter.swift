internal import Synchronization

/// Counts what was begun and is not over, so that one can wait for the end of all of it.
final class WorkCounter: Sendable {
    private struct Contents {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Mutex(Contents())

    func begin() {
        contents.withLock { $0.count += 1 }
    }

    func end() {
        let waiters: [CheckedContinuation<Void, Never>] = contents.withLock { contents in
            contents.count -= 1
            guard contents.count == 0 else { return [] }
            defer { contents.waiters = [] }
            return contents.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func settled() async {
        await withCheckedContinuation { continuation in
            let isSettled = contents.withLock { contents in
                if contents.count == 0 { return true }
                contents.waiters.append(continuation)
                return false
            }
            if isSettled { continuation.resume() }
        }
    }
}
