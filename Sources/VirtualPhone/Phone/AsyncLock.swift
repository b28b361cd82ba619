internal import Synchronization

/// Lets one task at a time through, in the order in which they came, across suspensions.
final class AsyncLock: Sendable {
    private struct Contents {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Mutex(Contents())

    func run<Value: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await take()
        defer { release() }
        return try await body()
    }

    private func take() async {
        await withCheckedContinuation { continuation in
            let isFree = contents.withLock { contents in
                if contents.isTaken {
                    contents.waiters.append(continuation)
                    return false
                }
                contents.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func release() {
        let next = contents.withLock { contents -> CheckedContinuation<Void, Never>? in
            guard contents.waiters.isEmpty else { return contents.waiters.removeFirst() }
            contents.isTaken = false
            return nil
        }
        next?.resume()
    }
}
