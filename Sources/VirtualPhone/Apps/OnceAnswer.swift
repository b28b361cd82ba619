internal import Synchronization

/// A completion handler of which the first call counts; one that is thrown away without a call is an abandoned ticket.
final class OnceAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>
    private let ticket: CallbackTicket?

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Mutex(continuation)
        ticket = CallbackTicket.current
    }

    func call() { take()?.resume() }

    private func take() -> CheckedContinuation<Void, Never>? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }

    deinit {
        guard let left = take() else { return }
        ticket?.abandon()
        left.resume()
    }
}
