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
