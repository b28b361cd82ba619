package import Recurrence

/// What a delivery service takes the time from, and waits by.
package protocol DeliveryClock: Sendable {
    /// What the clock on the wall shows; somebody may set it.
    var now: Instant { get }
    /// Since some start, by a clock that nobody sets and that goes on while the machine sleeps.
    var elapsed: Duration { get }
    /// Waits so long, or until the task is cancelled.
    func sleep(for duration: Duration) async
}

/// The machine's clocks; the one on the wall is given.
struct SystemDeliveryClock: DeliveryClock {
    private static let start = ContinuousClock.now
    private let wall: @Sendable () -> Instant

    init(wall: @escaping @Sendable () -> Instant) {
        self.wall = wall
    }

    var now: Instant { wall() }
    var elapsed: Duration { Self.start.duration(to: .now) }

    func sleep(for duration: Duration) async {
        try? await Task.sleep(for: duration)
    }
}
