import Synchronization

/// What happened, in order, for one test that waits for it.
final class Inbox<Element: Sendable>: Sendable {
    private struct Contents {
        var elements: [Element] = []
        var waiter: CheckedContinuation<Element, Never>?
    }

    private let contents = Mutex(Contents())

    func append(_ element: Element) {
        let waiter = contents.withLock { contents -> CheckedContinuation<Element, Never>? in
            guard let waiter = contents.waiter else {
                contents.elements.append(element)
                return nil
            }
            contents.waiter = nil
            return waiter
        }
        waiter?.resume(returning: element)
    }

    /// The next element, when it has come; the test's time limit ends a wait for one that never does.
    func next() async -> Element {
        await withCheckedContinuation { continuation in
            let first = contents.withLock { contents -> Element? in
                guard contents.elements.isEmpty else { return contents.elements.removeFirst() }
                contents.waiter = continuation
                return nil
            }
            if let first { continuation.resume(returning: first) }
        }
    }
}
