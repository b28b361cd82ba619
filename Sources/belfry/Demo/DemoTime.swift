#if canImport(VirtualPhone)
internal import PushService
internal import PushStore
internal import Recurrence
internal import Synchronization
internal import VirtualPhone

/// Moves service and phones through time together, in steps, so that what is due on the way happens at its time.
final class DemoTime: Sendable {
    /// A step of the clock; times of day on a multiple of it are met exactly.
    private static let stepSeconds: Int64 = 300
    /// The longest journey.
    static let secondsMax: Int64 = 8 * 86_400
    /// How often the queue is looked at before the next step, and how many times without seeing it move.
    private static let look = Duration.milliseconds(4)
    private static let lookCountMax = 1_000
    /// What failed is tried again at once; only when nothing is found so many times in a row is nothing left.
    private static let quietLookCount = 3

    private let clock: DemoClock
    private let store: any Store
    private let delivery: DeliveryService
    private let phones: DemoPhones
    private let isTravelling = Mutex(false)

    init(clock: DemoClock, store: any Store, delivery: DeliveryService, phones: DemoPhones) {
        self.clock = clock
        self.store = store
        self.delivery = delivery
        self.phones = phones
    }

    /// Moves to a moment.
    ///
    /// - Returns: false when a journey is under way.
    func travel(to target: Instant) async -> Bool {
        let begins = isTravelling.withLock { isTravelling in
            defer { isTravelling = true }
            return !isTravelling
        }
        guard begins else { return false }
        defer { isTravelling.withLock { $0 = false } }
        let step = Self.stepSeconds
        while !Task.isCancelled {
            let next = (clock.now.secondsSince1970 / step + 1) * step
            let stop = min(Instant(secondsSince1970: next), target)
            clock.move(to: stop)
            for (_, phone) in phones.all { await phone.advance(to: stop) }
            // Planned here and not when the service finds the time: what is due now is sent before the clock moves.
            try? await delivery.scheduleOnce()
            delivery.wakeUp()
            await settle()
            for (_, phone) in phones.all { await phone.settle() }
            if stop >= target { break }
        }
        return true
    }

    /// Waits until nothing that is due is left to send, as long as it goes on: a gateway that is silent stops no clock.
    private func settle() async {
        var quietCount = 0
        var stillCount = 0
        var last: QueueCounts?
        while quietCount < Self.quietLookCount, stillCount < Self.lookCountMax, !Task.isCancelled {
            try? await Task.sleep(for: Self.look)
            guard let counts = try? await store.queueCounts(now: clock.now) else {
                stillCount += 1
                continue
            }
            stillCount = counts == last ? stillCount + 1 : 0
            last = counts
            let next = try? await store.nextBatchTime(held: [])
            let isQuiet = counts.claimedBatchCount == 0 && next.map { $0 > clock.now } ?? true
            quietCount = isQuiet ? quietCount + 1 : 0
        }
    }
}
#endif
