/// An outcome at hand in case nothing better follows; boxed, since few notifications have one.
final class LastOutcome: Sendable {
    let outcome: Outcome

    init(_ outcome: Outcome) {
        self.outcome = outcome
    }
}

/// What waits to be sent: fresh ranges of batches, replays, and retries that are not due yet.
///
/// Pure; times are milliseconds of one clock. `Owner` stands for a batch.
struct WorkQueue<Owner: Sendable>: Sendable {
    /// One notification that has been tried before.
    struct Retry: Sendable {
        var owner: Owner
        var index: Int
        var attemptCount: UInt8
        var replayCount: Int
        /// How the latest attempt that got as far ended; the outcome if there is no other attempt.
        var last: LastOutcome?
    }

    /// What a connection gets to send.
    enum Work: Sendable {
        /// Neighbours in a batch that were never tried.
        case fresh(Owner, Range<Int>)
        case again(Retry)
    }

    private var fresh = Line<(owner: Owner, range: Range<Int>)>()
    private var ready = Line<Retry>()
    private var delayed = Heap()
    private(set) var readyCount = 0

    /// Everything that waits, due or not.
    var count: Int { readyCount + delayed.count }

    var isEmpty: Bool { readyCount == 0 && delayed.isEmpty }

    /// When the next delayed retry is due; nil when none waits.
    var nextDue: Int64? { delayed.first?.due }

    mutating func append(_ owner: Owner, count: Int) {
        append(owner, range: 0..<count)
    }

    mutating func append(_ owner: Owner, range: Range<Int>) {
        guard !range.isEmpty else { return }
        fresh.append((owner, range))
        readyCount += range.count
    }

    /// Puts a notification ahead of fresh ones: its turn had come before.
    mutating func append(_ retry: Retry) {
        ready.append(retry)
        readyCount += 1
    }

    /// Puts a notification aside until a time.
    mutating func append(_ retry: Retry, due: Int64) {
        delayed.insert(Delayed(due: due, retry: retry))
    }

    /// Makes due retries ready.
    mutating func advance(to now: Int64) {
        while let first = delayed.first, first.due <= now {
            append(delayed.removeFirst().retry)
        }
    }

    /// Takes up to so many notifications: one retry, or neighbours of one batch.
    mutating func take(max: Int) -> Work? {
        guard max > 0 else { return nil }
        if let retry = ready.popFirst() {
            readyCount -= 1
            return .again(retry)
        }
        guard let (owner, range) = fresh.first else { return nil }
        let taken = range.prefix(max)
        readyCount -= taken.count
        if taken.count == range.count {
            _ = fresh.popFirst()
        } else {
            fresh.first = (owner, taken.endIndex..<range.upperBound)
        }
        return .fresh(owner, taken.startIndex..<taken.endIndex)
    }

    /// Takes everything, due or not.
    mutating func takeAll() -> [Work] {
        var all: [Work] = []
        while let work = take(max: .max) { all.append(work) }
        while !delayed.isEmpty { all.append(.again(delayed.removeFirst().retry)) }
        return all
    }

    /// Takes what some owners have waiting, due or not; the rest keeps its order and its time.
    mutating func takeAll(of isTaken: (Owner) -> Bool) -> [Work] {
        let delayedBefore = delayed.takeAll()
        let all = takeAll()
        var taken: [Work] = []
        for work in all {
            switch work {
            case .fresh(let owner, _) where isTaken(owner): taken.append(work)
            case .again(let retry) where isTaken(retry.owner): taken.append(work)
            case .fresh(let owner, let range): append(owner, range: range)
            case .again(let retry): append(retry)
            }
        }
        for item in delayedBefore {
            if isTaken(item.retry.owner) { taken.append(.again(item.retry)) } else { delayed.insert(item) }
        }
        return taken
    }

    /// First in, first out; what was taken is let go at once, since a batch can be large.
    private struct Line<Element: Sendable>: Sendable {
        private var items: [Element?] = []
        private var head = 0

        var first: Element? {
            get { head < items.count ? items[head] : nil }
            set { items[head] = newValue }
        }

        mutating func append(_ element: Element) {
            items.append(element)
        }

        mutating func popFirst() -> Element? {
            guard head < items.count else { return nil }
            let element = items[head]
            items[head] = nil
            head += 1
            if head == items.count {
                items.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 1024, head * 2 >= items.count {
                items.removeFirst(head)
                head = 0
            }
            return element
        }
    }

    private struct Delayed: Sendable {
        var due: Int64
        var retry: Retry
    }

    /// A binary heap, earliest first.
    private struct Heap: Sendable {
        private var items: [Delayed] = []

        var count: Int { items.count }
        var isEmpty: Bool { items.isEmpty }
        var first: Delayed? { items.first }

        mutating func insert(_ item: Delayed) {
            items.append(item)
            var child = items.count - 1
            while child > 0 {
                let parent = (child - 1) / 2
                guard items[child].due < items[parent].due else { return }
                items.swapAt(child, parent)
                child = parent
            }
        }

        mutating func takeAll() -> [Delayed] {
            defer { items = [] }
            return items
        }

        mutating func removeFirst() -> Delayed {
            items.swapAt(0, items.count - 1)
            let removed = items.removeLast()
            var parent = 0
            while true {
                var smallest = parent
                for child in [2 * parent + 1, 2 * parent + 2] where child < items.count {
                    if items[child].due < items[smallest].due { smallest = child }
                }
                guard smallest != parent else { return removed }
                items.swapAt(parent, smallest)
                parent = smallest
            }
        }
    }
}
