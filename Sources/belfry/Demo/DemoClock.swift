#if canImport(VirtualPhone)
internal import Recurrence
internal import Synchronization
internal import Transport

/// The time of a demo: the machine's, moved on by whoever wants to see tomorrow morning now.
final class DemoClock: Sendable {
    private let aheadMilliseconds = Atomic<Int64>(0)

    /// The moment.
    var now: Instant {
        Instant(
            millisecondsSince1970: WallClock.system.millisecondsSince1970
                + aheadMilliseconds.load(ordering: .relaxed))
    }

    /// Moves the time to a moment; one that is past changes nothing.
    func move(to instant: Instant) {
        let distance = instant.millisecondsSince1970 - now.millisecondsSince1970
        if distance > 0 { aheadMilliseconds.add(distance, ordering: .relaxed) }
    }
}
#endif
