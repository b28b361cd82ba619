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
    /// How often, and how many times, the queue is looked at before the next step.
    private static let look = Duration.milliseconds(4)
    private static let lookCountMax = 1_000
    /// Planning and claiming follow each other; only when nothing is found so many times in a row is nothing left.
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
            delivery.wakeUp()
            await settle()
            for (_, phone) in phones.all { await phone.settle() }
            if stop >= target { break }
        }
        return true
    }

    /// Waits until nothing that is due is left to send, for some seconds at most: a slow gateway stops no clock.
    private func settle() async {
        var quietCount = 0
        for _ in 0..<Self.lookCountMax where quietCount < Self.quietLookCount {
            // What the last wake-up leads to has to begin first.
            try? await Task.sleep(for: Self.look)
            guard let counts = try? await store.queueCounts(now: clock.now),
                let next = try? await store.nextBatchTime()
            else {
                // Nothing waits, or the database does not answer, which a later look will tell.
                quietCount += 1
                continue
            }
            quietCount = counts.claimedBatchCount == 0 && next > clock.now ? quietCount + 1 : 0
        }
    }
}
#endif
