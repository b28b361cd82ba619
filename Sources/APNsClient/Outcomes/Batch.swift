internal import APNs
internal import Synchronization

/// The notifications of one `send` and the places for their outcomes.
// @unchecked: `outcomes` is written without a lock. Each index has one owner at any time (the work queue,
// then one connection), so each place is written once, by one thread; the atomic count orders all writes
// before the read in `finish`.
final class Batch: @unchecked Sendable {
    let notifications: [Notification]
    /// When the batch was handed in, in milliseconds since 1970.
    let startedAtMilliseconds: Int64

    private let outcomes: UnsafeMutableBufferPointer<Outcome>
    private let missing: Atomic<Int>
    private let cancelled = Atomic<Bool>(false)
    private let permit: SendPermit?
    private let completion = Mutex<(@Sendable ([Outcome]) -> Void)?>(nil)

    init(notifications: [Notification], startedAtMilliseconds: Int64, permit: SendPermit? = nil) {
        self.permit = permit
        self.notifications = notifications
        self.startedAtMilliseconds = startedAtMilliseconds
        outcomes = .allocate(capacity: notifications.count)
        missing = Atomic(notifications.count)
    }

    deinit {
        // The outcomes have moved out by then: a batch is held by the queue or a connection until its
        // last outcome is stored.
        outcomes.deallocate()
    }

    /// Whether nothing more of it may be put on the wire.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) || permit?.isOver == true }

    func cancel() {
        cancelled.store(true, ordering: .relaxed)
    }

    func whenFinished(_ body: @escaping @Sendable ([Outcome]) -> Void) {
        completion.withLock { $0 = body }
    }

    /// Stores the outcome of one notification; to be followed by ``settle(_:)``.
    @inline(__always)
    func store(_ outcome: consuming Outcome, at index: Int) {
        outcomes.initializeElement(at: index, to: outcome)
    }

    /// Counts outcomes as stored; the last one finishes the batch.
    func settle(_ count: Int) {
        let left = missing.subtract(count, ordering: .acquiringAndReleasing).newValue
        precondition(left >= 0, "a notification got two outcomes")
        guard left == 0 else { return }
        let all = [Outcome](unsafeUninitializedCapacity: outcomes.count) { buffer, initialized in
            initialized = buffer.moveInitialize(fromContentsOf: outcomes)
        }
        let body = completion.withLock { body in
            defer { body = nil }
            return body
        }
        body?(all)
    }
}
