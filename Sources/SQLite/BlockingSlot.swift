internal import Dispatch
internal import Synchronization

/// A place for one value that one thread waits for and another delivers.
final class BlockingSlot<Element: Sendable>: Sendable {
    private let value = Mutex<Element?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func fulfil(_ element: Element) {
        value.withLock { $0 = element }
        semaphore.signal()
    }

    func wait() -> Element {
        while true {
            semaphore.wait()
            if let element = value.withLock({ $0 }) { return element }
        }
    }
}
