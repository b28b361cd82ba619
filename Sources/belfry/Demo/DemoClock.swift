#if canImport(VirtualPhone)
internal import Recurrence
internal import Synchronization
internal import Transport

/// The time of a demo: the machine's, moved on by whoever wants to see tomorrow morning now.
final class DemoClock: Sendable {
    private let ahead: Atomic<Int64>

    /// Makes a clock that is ahead of the machine's.
    init(aheadMilliseconds: Int64 = 0) { ahead = Atomic(aheadMilliseconds) }

    /// How far it is ahead.
    var aheadMilliseconds: Int64 { ahead.load(ordering: .relaxed) }

    /// The moment.
    var now: Instant {
        Instant(
            millisecondsSince1970: WallClock.system.millisecondsSince1970 + aheadMilliseconds)
    }

    /// Moves the time to a moment; one that is past changes nothing.
    func move(to instant: Instant) {
        let distance = instant.millisecondsSince1970 - now.millisecondsSince1970
        if distance > 0 { ahead.add(distance, ordering: .relaxed) }
    }
}
#endif
