internal import Synchronization

/// A completion handler that is answered exactly once: also when the app calls it twice, or throws it away.
final class OnceCompletion<Answer: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Answer, Never>?>
    private let fallback: Answer

    init(_ continuation: CheckedContinuation<Answer, Never>, fallback: Answer) {
        self.continuation = Mutex(continuation)
        self.fallback = fallback
    }

    func call(_ answer: Answer) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: answer)
    }

    deinit {
        call(fallback)
    }
}
