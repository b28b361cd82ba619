import APNs
import APNsClient
import PushService
import PushStore
import Recurrence

/// One process of the push service, from its start to its end; touched by the simulation's thread alone.
// @unchecked: all of a simulation runs on one thread.
final class SimulatedNode: @unchecked Sendable {
    /// Counts all processes of a simulation.
    let number: Int
    /// The same for each process of a machine.
    let owner: String
    /// How far its clock is ahead, in milliseconds.
    let skew: Int64
    let executor = NodeExecutor()
    /// Whether it has not been killed; a killed one has no effect on anything any more.
    var isAlive = true
    /// Whether it has been stopped and may go on later.
    var isStalled = false
    /// Whether it was asked to end.
    var isEnding = false
    /// Whether its last task has ended.
    var hasEnded = false
    var task: Task<Void, Never>?
    /// What is to be done when it has ended.
    var whenEnded: () -> Void = {}
    /// What it has on the wire.
    var calls: [ClientCall] = []

    init(number: Int, owner: String, skew: Int64) {
        self.number = number
        self.owner = owner
        self.skew = skew
    }

    var canRun: Bool { !isStalled && !executor.isEmpty }
}

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

/// The way of a node's transactions to the database.
struct NodeGate: TransactionGate {
    let node: SimulatedNode
    let simulation: Simulation

    func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass {
        let delay = simulation.storeDelay(kind)
        if delay > 0 { await simulation.wait(delay, on: node) }
        try check()
        if simulation.storeFails(kind) {
            simulation.trace(node, "the store refuses a \(kind)")
            throw StoreError(.database, "simulated: the database cannot be reached")
        }
        return TransactionPass(kind: kind, number: simulation.observer.begin(node, isWriting: kind == .write))
    }

    func leave(_ pass: TransactionPass) async throws(StoreError) {
        let news = simulation.observer.end(pass.number, by: node)
        if pass.kind == .write || news.isEmpty == false {
            let delay = simulation.storeDelay(pass.kind)
            if delay > 0 { await simulation.wait(delay, on: node) }
        }
        try check()
        if pass.kind == .write, simulation.storeAnswerIsLost() {
            simulation.trace(node, "the store's answer is lost")
            simulation.observer.lost(news)
            throw StoreError(.database, "simulated: the connection to the database was lost")
        }
        simulation.observer.told(news)
    }

    private func check() throws(StoreError) {
        guard node.isAlive else { throw StoreError(.database, "simulated: the process was killed") }
    }
}

/// Makes a node's clients.
struct NodeClientMaker: ClientMaker {
    let node: SimulatedNode
    let simulation: Simulation

    func notificationClient(
        _ credential: Credential, _ environment: Environment
    ) throws -> any NotificationClient {
        SimulatedClient(node: node, environment: environment, simulation: simulation)
    }

    func broadcastClient(_ credential: Credential, _ environment: Environment) throws -> BroadcastClient {
        throw DeliveryError("broadcasts are not simulated")
    }
}
