internal import Recurrence

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
