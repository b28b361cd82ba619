/// A queue in a ring: append at the end, remove at the front, both without moving elements.
package struct Deque<Element> {
    private var storage: [Element?] = []
    private var head = 0

    /// The number of elements.
    package private(set) var count = 0

    /// Makes an empty queue.
    package init() {}

    /// Whether there is no element.
    package var isEmpty: Bool { count == 0 }

    /// The element at an offset from the front; nil outside.
    package subscript(offset: Int) -> Element? {
        get { offset >= 0 && offset < count ? storage[slot(offset)] : nil }
        set {
            guard offset >= 0, offset < count, newValue != nil else { return }
            storage[slot(offset)] = newValue
        }
    }

    /// Adds an element at the end.
    package mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[slot(count)] = element
        count += 1
    }

    /// Takes the element at the front.
    @discardableResult
    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = storage[head]
        storage[head] = nil
        head = head + 1 == storage.count ? 0 : head + 1
        count -= 1
        return element
    }

    /// All elements from the front to the end.
    package var elements: [Element] { (0..<count).compactMap { storage[slot($0)] } }

    private func slot(_ offset: Int) -> Int {
        let slot = head + offset
        return slot < storage.count ? slot : slot - storage.count
    }

    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, 2 * count))
        for offset in 0..<count { larger.append(storage[slot(offset)]) }
        while larger.count < larger.capacity { larger.append(nil) }
        storage = larger
        head = 0
    }
}

extension Deque: Sendable where Element: Sendable {}
