import PushService
import Recurrence

/// The clocks of a node.
struct NodeClock: DeliveryClock {
    let node: SimulatedNode
    let simulation: Simulation

    var now: Instant { simulation.wallTime(of: node) }
    var elapsed: Duration { .microseconds(simulation.time.now) }

    func sleep(for duration: Duration) async {
        let microseconds = Int64(duration / .microseconds(1))
        await simulation.sleep(microseconds, on: node, microseconds < 200_000 ? .work : .poll)
    }
}
