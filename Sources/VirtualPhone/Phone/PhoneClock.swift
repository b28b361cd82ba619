internal import Recurrence

/// A phone's clock: it stands until it is moved, or runs with the machine's.
struct PhoneClock: Sendable {
    private var base: Instant
    /// The machine's monotonic time at which the clock showed `base`; nil for a clock that stands.
    private var start: ContinuousClock.Instant?

    init(_ now: Instant, isRunning: Bool) {
        base = now
        start = isRunning ? .now : nil
    }

    var isRunning: Bool { start != nil }

    var now: Instant {
        guard let start else { return base }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return base.advanced(byMilliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Puts the clock forward; never back.
    mutating func move(to instant: Instant) {
        guard instant > now else { return }
        base = instant
        if start != nil { start = .now }
    }
}
