internal import Synchronization

/// For how long notifications may still be put on the wire; whoever sends them extends it.
///
/// A sender that shares its work with others holds it for a time only. When its process is stopped for longer than
/// that, another one takes the work over, and nothing more may leave here: notifications that are not on the wire when
/// the permit has ended get the outcome `cancelled`. By a clock that goes on while the machine sleeps.
public final class SendPermit: Sendable {
    private static let start = ContinuousClock.now
    /// Nanoseconds after `start`.
    private let end: Atomic<Int64>

    /// Makes a permit that ends so long after a time, unless it is extended.
    public init(from time: ContinuousClock.Instant = .now, for duration: Duration) {
        end = Atomic(Self.nanoseconds(time + duration))
    }

    /// Moves the end to so long after a time.
    public func extend(from time: ContinuousClock.Instant, for duration: Duration) {
        end.store(Self.nanoseconds(time + duration), ordering: .relaxed)
    }

    /// Whether it has ended.
    public var isOver: Bool { Self.nanoseconds(.now) >= end.load(ordering: .relaxed) }

    private static func nanoseconds(_ time: ContinuousClock.Instant) -> Int64 {
        Int64(start.duration(to: time) / .nanoseconds(1))
    }
}
