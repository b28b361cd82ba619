/// The next deadline of each device, soonest first: a binary heap whose outdated entries are skipped.
///
/// A device has one current entry at most; moving its deadline leaves the old entry behind, and the heap is
/// rebuilt once such entries are more than half of it.
package struct DeadlineQueue: Sendable {
    private struct Entry {
        var time: Int64
        var device: Int32
    }

    private var heap: [Entry] = []
    /// The current deadline of each device by slot; `none` without one.
    private var current: [Int64] = []
    private var currentCount = 0

    private static let none = Int64.max

    /// Makes an empty queue.
    package init() {}

    /// The number of entries, outdated ones included.
    package var entryCount: Int { heap.count }

    /// The soonest deadline, in milliseconds since 1970.
    package mutating func next() -> Int64? {
        dropOutdated()
        return heap.first?.time
    }

    /// Sets or clears a device's deadline.
    package mutating func set(_ time: Int64?, device: Int) {
        while current.count <= device { current.append(DeadlineQueue.none) }
        let time = time ?? DeadlineQueue.none
        guard current[device] != time else { return }
        if current[device] == DeadlineQueue.none { currentCount += 1 }
        current[device] = time
        if time == DeadlineQueue.none {
            currentCount -= 1
        } else {
            push(Entry(time: time, device: Int32(device)))
        }
        if heap.count > 2 * currentCount + 64 { rebuild() }
    }

    /// Takes a device whose deadline is at or before a time; it has no deadline afterwards.
    package mutating func popDue(at now: Int64) -> Int? {
        dropOutdated()
        guard let first = heap.first, first.time <= now else { return nil }
        let device = Int(first.device)
        current[device] = DeadlineQueue.none
        currentCount -= 1
        pop()
        return device
    }

    private mutating func dropOutdated() {
        while let first = heap.first, current[Int(first.device)] != first.time { pop() }
    }

    private mutating func rebuild() {
        let entries = heap
        heap.removeAll(keepingCapacity: true)
        var isKept = [Bool](repeating: false, count: current.count)
        for entry in entries where current[Int(entry.device)] == entry.time && !isKept[Int(entry.device)] {
            isKept[Int(entry.device)] = true
            push(entry)
        }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].time < heap[parent].time else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func pop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].time < heap[smallest].time {
                smallest = child
            }
            guard smallest != index else { return }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}
