import APNs
import APNsClient
import Crypto
import PushService
import PushStore
import Recurrence
import SQLite

/// Runs the push service's own delivery on nodes that crash and stall, over a store that fails and an APNs that loses
/// answers, all on one thread and one virtual clock, in an order that a seed decides.
///
/// **What runs.** ``DeliveryService`` as it is: scheduler, planners, senders with their flushes, leases and permits,
/// the lane governor, retries; and ``SQLiteStore`` as it is, on a database in memory that all nodes share. Their tasks
/// are run job by job by ``NodeExecutor``; clocks, transactions and requests pass through ``NodeClock``, ``NodeGate``
/// and ``SimulatedClient``, where they wait for their turn. A node can die or stall wherever one of its tasks waits:
/// before a transaction, between its commit and the answer, with notifications on the wire, between an answer and its
/// report.
///
/// **What is checked.** ``Observer`` looks at every row that a transaction has changed and at every notification that
/// is sent; ``FinalCheck`` at everything once faults have ended and all has come to rest.
///
/// **What is not covered.** Connections and streams (the client's pool), HTTP, PostgreSQL's own concurrency,
/// broadcasts, digests and webhooks. Transactions run one at a time, as SQLite's do.
///
/// **How to replay.** A failure prints its seed and a command such as
/// `BELFRY_SIMULATION_SEED=42 swift test --filter SimulationTests`, which runs that seed alone and prints what happened
/// step by step. `BELFRY_SIMULATION_COUNT` sets how many seeds are run otherwise.
// @unchecked: all of a simulation runs on one thread.
final class Simulation: @unchecked Sendable {
    /// How a run ended.
    struct Result {
        var failures: [String]
        var trace: [String]
        /// Of everything that happened, in its order.
        var digest: UInt64
        var stepCount: Int
        var transactionCount: Int
        var notificationCount: Int
    }

    /// Steps that no scenario needs.
    static let stepCountMax = 400_000
    /// Virtual time in which everything ends once faults have ended.
    static let restSecondsMax: Int64 = 3 * 86_400
    private static let start = Instant(secondsSince1970: 1_796_000_000)
    private static let p8 = Swift.Result { try SigningKey.generate().p8 }

    var random: SimulationRandom
    /// What the seed made, and what is left of it.
    let original: Scenario
    private(set) var scenario: Scenario
    var time = VirtualTime()
    let store: SQLiteStore
    let connection: Connection
    private let secret = StoreSecret.random()
    private var observerStorage: Observer?
    private var networkStorage: SimulatedAPNs?
    private(set) var nodes: [SimulatedNode] = []
    private var nodeCount = 0
    /// How far clocks have been set forward, in milliseconds.
    private var jumped: Int64 = 0
    private(set) var jumpCount = 0
    private let operatorExecutor = NodeExecutor()

    private let isTracing: Bool
    private(set) var failures: [String] = []
    private var traceLines: [String] = []
    private var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    private var stepCount = 0
    /// What happens after so many more transactions and requests.
    private var armed: [(countdown: Int, action: () -> Void)] = []
    private var isDue: [() -> Void] = []
    /// What the tables say of when something is due next, and as of which change.
    private var dueByTables: Int64?
    private var dueAsOf = -1
    /// Whether faults have ended.
    private(set) var isResting = false

    var observer: Observer {
        guard let observerStorage else { preconditionFailure("the simulation has begun") }
        return observerStorage
    }
    var network: SimulatedAPNs {
        guard let networkStorage else { preconditionFailure("the simulation has begun") }
        return networkStorage
    }

    /// Makes the world of a seed.
    ///
    /// - Parameters:
    ///   - isTracing: whether it is written down what happens.
    ///   - change: what is to be different from what the seed makes.
    init(seed: UInt64, isTracing: Bool, change: (inout Scenario) -> Void = { _ in }) throws {
        self.isTracing = isTracing
        random = SimulationRandom(seed: seed)
        var made = Scenario(&random)
        change(&made)
        original = made
        scenario = made
        connection = try SQLiteStore.connectionInMemory()
        store = try SQLiteStore.open(
            on: connection, secret: secret, configuration: SQLiteStore.Configuration(), gate: nil)
        observerStorage = try Observer(self, connection)
        networkStorage = SimulatedAPNs(self)
    }

    // MARK: - What happened

    func fail(_ text: String) {
        trace(nil, "FAILED: \(text)")
        failures.append("\(text), at \(time.now) µs")
    }

    func trace(_ node: SimulatedNode?, _ text: @autoclosure () -> String) {
        digest =
            (digest ^ UInt64(bitPattern: time.now) ^ UInt64(node?.number ?? 0) << 48) &* 0x0000_0100_0000_01b3
        guard isTracing else { return }
        let line = text()
        traceLines.append("\(time.now) \(node.map { "\($0.owner)#\($0.number)" } ?? "-") \(line)")
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }

    // MARK: - Time

    func wallTime(of node: SimulatedNode?) -> Instant {
        Self.start.advanced(byMilliseconds: time.now / 1_000 + jumped + (node?.skew ?? 0))
    }

    /// What the clock shows that is furthest ahead.
    var latestWallTime: Instant { wallTime(of: nil).advanced(byMilliseconds: 2_000) }

    /// Calls something later.
    ///
    /// - Parameter node: whose work it is; it does not happen while the node is stalled, nor after its death.
    func after(_ microseconds: Int64, on node: SimulatedNode?, _ action: @escaping () -> Void) {
        time.add(
            time.reserve(),
            VirtualTime.Timer(due: time.now + microseconds, kind: .work, node: node, action: action))
    }

    /// Does something of the scenario later.
    func schedule(_ microseconds: Int64, _ action: @escaping () -> Void) {
        time.add(
            time.reserve(),
            VirtualTime.Timer(due: time.now + microseconds, kind: .script, node: nil, action: action))
    }

    /// Waits on a node's behalf, come what may; not at all when it is dead.
    func wait(_ microseconds: Int64, on node: SimulatedNode) async {
        await withUnsafeContinuation { continuation in
            guard node.isAlive else { return continuation.resume() }
            after(microseconds, on: node) { continuation.resume() }
        }
    }

    /// Waits on a node's behalf until the task is cancelled.
    func sleep(_ microseconds: Int64, on node: SimulatedNode, _ kind: VirtualTime.Kind) async {
        let id = time.reserve()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard node.isAlive, !Task.isCancelled else { return continuation.resume() }
                time.add(
                    id,
                    VirtualTime.Timer(due: time.now + microseconds, kind: kind, node: node) {
                        continuation.resume()
                    })
            }
        } onCancel: {
            time.take(id)?.action()
        }
    }

    // MARK: - The store's faults

    func storeDelay(_ kind: TransactionPass.Kind) -> Int64 {
        if kind == .write { point() }
        if random.isTrue(perMille: scenario.storeSlowPerMille) { return random.time(1_000...90_000_000) }
        if kind == .read, !random.isTrue(perMille: 200) { return 0 }
        return random.time(20...2_000)
    }

    func storeFails(_ kind: TransactionPass.Kind) -> Bool {
        random.isTrue(perMille: scenario.storeFailurePerMille)
    }

    /// Ends everything that goes wrong.
    func calm() {
        isResting = true
        time.removeScript()
        armed = []
        scenario.lossPerMille = 0
        scenario.slowPerMille = 0
        scenario.storeSlowPerMille = 0
        scenario.storeFailurePerMille = 0
        scenario.storeLossPerMille = 0
    }

    func storeAnswerIsLost() -> Bool { random.isTrue(perMille: scenario.storeLossPerMille) }

    // MARK: - Nodes

    func startNode(_ owner: String) {
        nodeCount += 1
        let node = SimulatedNode(
            number: nodeCount, owner: owner, skew: random.between(-2_000...2_000))
        trace(node, "starts")
        var configuration = SQLiteStore.Configuration()
        configuration.batchCountMax = scenario.batchCountMax
        configuration.chunkCountMax = scenario.planCountMax
        let nodeStore: SQLiteStore
        do {
            nodeStore = try SQLiteStore.open(
                on: connection, secret: secret, configuration: configuration,
                gate: NodeGate(node: node, simulation: self))
        } catch {
            return fail("a node cannot open its store: \(error)")
        }
        var limits = DeliveryLimits()
        limits.plannerCount = scenario.plannerCount
        limits.laneCount = scenario.laneCount
        limits.lightDeviceCountMax = scenario.lightDeviceCountMax
        limits.chunkCount = scenario.chunkCount
        let service = DeliveryService(
            store: nodeStore,
            clients: ClientDirectory(store: nodeStore, maker: NodeClientMaker(node: node, simulation: self)),
            owner: owner, clock: NodeClock(node: node, simulation: self), limits: limits,
            report: { [self] event in
                if case .failed(let text, _) = event { trace(node, "reports: \(text)") }
            })
        nodes.append(node)
        node.task = Task(executorPreference: node.executor) {
            await service.run()
            node.hasEnded = true
        }
    }

    /// Kills a process: what it knows is gone, what it has not committed or sent does not happen.
    func kill(_ node: SimulatedNode) {
        trace(node, "is killed")
        node.isAlive = false
        node.isStalled = false
        observer.died(node)
        // Its tasks are brought to their end; nothing they do has an effect, since every way out of a dead node is cut.
        for call in node.calls { call.abandon() }
        for timer in time.takeAll(of: node) { timer.action() }
        node.task?.cancel()
        while !node.executor.isEmpty {
            node.executor.runOne { _ in 0 }
            for timer in time.takeAll(of: node) { timer.action() }
        }
        if !node.hasEnded { fail("the tasks of a node do not end: \(node.owner)") }
        remove(node)
    }

    private func remove(_ node: SimulatedNode) {
        if node.executor.foreignCount > 0 { fail("a task left the simulation's thread") }
        nodes.removeAll { $0 === node }
    }

    func stall(_ node: SimulatedNode, for microseconds: Int64) {
        trace(node, "is stopped for \(microseconds) µs")
        node.isStalled = true
        schedule(microseconds) { [self] in wake(node) }
    }

    private func wake(_ node: SimulatedNode) {
        guard node.isStalled else { return }
        trace(node, "goes on")
        node.isStalled = false
    }

    func jump(_ milliseconds: Int64) {
        trace(nil, "clocks are set forward by \(milliseconds) ms")
        jumped += milliseconds
        jumpCount += 1
    }

    // MARK: - Requests

    /// Does something as a client of the service, at once.
    func perform<Success: Sendable>(
        _ name: String, _ body: @escaping @Sendable (SQLiteStore) async throws -> Success
    ) -> Success? {
        let pass = observer.begin(nil, isWriting: true)
        let slot = Slot<Success>()
        let store = store
        Task(executorPreference: operatorExecutor) {
            do {
                slot.value = try await body(store)
            } catch {
                slot.error = error
            }
        }
        while !operatorExecutor.isEmpty { operatorExecutor.runOne { _ in 0 } }
        trace(nil, name)
        if let error = slot.error { fail("\(name): \(error)") }
        if slot.error == nil, slot.value == nil { fail("\(name) does not end") }
        _ = observer.end(pass, by: nil)
        return slot.value
    }

    // @unchecked: all of a simulation runs on one thread.
    private final class Slot<Success>: @unchecked Sendable {
        var value: Success?
        var error: (any Error)?
    }

    func signingKey() -> String {
        do {
            return try Self.p8.get()
        } catch {
            fail("no key can be made: \(error)")
            return ""
        }
    }

    // MARK: - The run

    /// Notes that something has been done; what is armed happens so many of these later.
    func point() {
        guard !armed.isEmpty, !isResting else { return }
        armed[0].countdown -= 1
        if armed[0].countdown <= 0 { isDue.append(armed.removeFirst().action) }
    }

    /// Lets something happen after so many transactions and requests, once what was armed before has happened.
    func arm(after count: Int, _ action: @escaping () -> Void) {
        armed.append((count, action))
    }

    func run() -> Result {
        let script = Script(self)
        script.setUp()
        drive { self.time.nextDue(.script) == nil && self.isWorkOver(after: script.end) }
        script.endFaults()
        let restStart = time.now
        drive {
            if self.time.now - restStart > Self.restSecondsMax * 1_000_000 {
                self.fail("something is left after three days without faults: \(script.openWork())")
            }
            return self.observer.mirror.isEverythingEnded
        }
        if failures.isEmpty { FinalCheck(self, script).run() }
        // One that was to start again stays away: nobody would end it.
        time.removeScript()
        for node in nodes {
            node.whenEnded = {}
            node.isEnding = true
            node.task?.cancel()
        }
        drive { self.nodes.isEmpty }
        while let node = nodes.first { kill(node) }
        if failures.isEmpty, observer.mirror.batches.values.contains(where: { $0.state == .claimed }) {
            fail("a node has ended and holds a batch")
        }
        return Result(
            failures: failures, trace: traceLines, digest: digest, stepCount: stepCount,
            transactionCount: observer.transactionCount, notificationCount: observer.attempts.count)
    }

    private func isWorkOver(after end: Int64) -> Bool {
        observer.mirror.isEverythingEnded || time.now > end
    }

    /// Runs jobs and lets time go on until a condition holds or something has failed.
    private func drive(until isOver: () -> Bool) {
        while failures.isEmpty {
            stepCount += 1
            if stepCount > Self.stepCountMax { return fail("there are too many steps") }
            if runJob() {
                runDue()
                continue
            }
            if isOver() { return }
            guard runTimer() else { return fail("nothing is left that could happen") }
            runDue()
        }
    }

    private func runDue() {
        while !isDue.isEmpty, failures.isEmpty { isDue.removeFirst()() }
        for node in nodes where node.hasEnded {
            if !node.isEnding { fail("a node has ended by itself") }
            trace(node, "has ended")
            remove(node)
            node.whenEnded()
        }
    }

    private func runJob() -> Bool {
        let ready = nodes.filter(\.canRun)
        guard !ready.isEmpty else { return false }
        let node = ready.count == 1 ? ready[0] : random.element(of: ready)
        node.executor.runOne { count in random.below(count) }
        return true
    }

    private func runTimer() -> Bool {
        guard let due = time.nextDue() else { return false }
        if due > time.now, due == time.nextDue(.poll) {
            // Nobody would find anything before something is due: time goes on to then, or some looks are left out.
            let target = leapTarget()
            if let work = time.nextDue(.work) {
                let pause = random.time(0...8_000_000)
                time.advance(to: max(due, min(target, work, due + pause)))
            } else {
                time.advance(to: max(due, target))
            }
        } else {
            time.advance(to: due)
        }
        guard let timer = time.takeDue() else { return false }
        timer.action()
        return true
    }

    /// When something is due next, by the tables or by the script.
    private func leapTarget() -> Int64 {
        var target = time.nextDue(.script) ?? .max
        if dueAsOf != observer.changeCount {
            dueAsOf = observer.changeCount
            do {
                dueByTables = try observer.mirror.nextDue()
            } catch {
                fail("the tables cannot be read: \(error)")
            }
        }
        if let due = dueByTables {
            target = min(target, (due - Self.start.millisecondsSince1970 - jumped) * 1_000)
        }
        return target == .max ? 0 : target
    }
}
