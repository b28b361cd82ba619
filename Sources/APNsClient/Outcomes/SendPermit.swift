internal import Synchronization

/// For how long notifications may still be put on the wire; whoever sends them extends it.
///
/// A sender that shares its work with others holds it for a time only. When its process is stopped for longer than
/// that, another one takes the work over, and nothing more may leave here: notifications that are not on the wire when
/// the permit has ended get the outcome `cancelled`. By a clock that goes on while the machine sleeps.
public final class SendPermit: Sendable {
    private static let start = ContinuousClock.now

    /// What the clock shows.
    private let clock: @Sendable () -> Duration
    /// Nanoseconds by the clock.
    private let end: Atomic<Int64>

    /// Makes a permit that ends so long after a time, unless it is extended.
    public init(from time: ContinuousClock.Instant = .now, for duration: Duration) {
        clock = { Self.start.duration(to: .now) }
        end = Atomic(Self.nanoseconds(Self.start.duration(to: time) + duration))
    }

    /// Makes a permit by another clock that ends so long after now, unless it is extended.
    package init(for duration: Duration, by clock: @escaping @Sendable () -> Duration) {
        self.clock = clock
        end = Atomic(Self.nanoseconds(clock() + duration))
    }

    /// Moves the end to so long after a time.
    public func extend(from time: ContinuousClock.Instant, for duration: Duration) {
        extend(from: Self.start.duration(to: time), for: duration)
    }

    /// Moves the end to so long after a time of the permit's own clock.
    package func extend(from time: Duration, for duration: Duration) {
        end.store(Self.nanoseconds(time + duration), ordering: .relaxed)
    }

    /// Whether it has ended.
    public var isOver: Bool { Self.nanoseconds(clock()) >= end.load(ordering: .relaxed) }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        Int64(duration / .nanoseconds(1))
    }
}
