internal import Synchronization

/// A fetch completion handler: the first call counts.
///
/// One that is thrown away without a call is none: the app's time runs out by the phone's clock, as on iOS. Until then
/// nobody waits for it.
final class FetchAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<BackgroundFetchResult, Never>?>
    private let ticket: CallbackTicket?

    init(_ continuation: CheckedContinuation<BackgroundFetchResult, Never>, in application: Application) {
        self.continuation = Mutex(continuation)
        ticket = CallbackTicket.current
    }

    func call(_ result: BackgroundFetchResult) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: result)
    }

    deinit {
        // The continuation has to be resumed; the ticket knows that it is no answer.
        let left = continuation.withLock { $0 }
        guard let left else { return }
        ticket?.abandon()
        left.resume(returning: .failed)
    }
}
