internal import APNs
internal import Crypto
internal import Synchronization
internal import Transport

/// The shell around ``PoolMachine`` and ``WorkQueue``: takes the lock, asks them, acts.
final class ConnectionPool: Sendable {
    typealias ConnectionNumber = PoolMachine.ConnectionNumber

    private struct Member {
        var loop: EventLoop
        var connection: LoopBound<APNsConnection>
        var isReady = false
    }

    private struct State {
        var machine: PoolMachine
        var queue = WorkQueue<Batch>()
        var members: [ConnectionNumber: Member] = [:]
        var measurement = PoolMachine.Measurement()
        /// Connections that would take no more work.
        var full: Set<ConnectionNumber> = []
        var isTicking = false
        var tickedAtNanoseconds: UInt64 = 0
        var idleNanoseconds: [UInt64]
        var housekeptAt: Int64 = 0
        var lastGoAwayReason: Reason?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: APNsClient.Configuration
    private let loops: EventLoopGroup
    private let connector: HTTP2Connector
    private let state: Mutex<State>

    private static let tickInterval = Duration.milliseconds(50)
    private static let housekeepingMilliseconds: Int64 = 60_000

    init(configuration: APNsClient.Configuration, loops: EventLoopGroup) throws(CryptoError) {
        self.configuration = configuration
        self.loops = loops
        var identity: Identity?
        if case .certificate(let own) = configuration.credential { identity = own }
        connector = HTTP2Connector(
            host: configuration.endpoint.host, port: configuration.endpoint.port,
            tls: try TLSContext.client(
                trust: configuration.endpoint.trust, identity: identity, applicationProtocols: ["h2"]),
            proxy: configuration.proxy, configuration: configuration.connection)
        state = Mutex(
            State(
                machine: PoolMachine(
                    configuration: .init(
                        connectionCountMax: max(configuration.connectionCountMax, 1),
                        unreachableAfterMilliseconds: configuration.unreachableAfter.wholeMilliseconds,
                        backOffMilliseconds: 500, backOffMillisecondsMax: 60_000,
                        surplusIdleMilliseconds: 30 * 60_000)),
                idleNanoseconds: loops.loops.map(\.idleNanoseconds)))
    }

    static var nowMilliseconds: Int64 { Int64(EventLoop.monotonicNanoseconds / 1_000_000) }

    // MARK: Callers

    func submit(_ batch: Batch) {
        let (actions, wakes) = state.withLock { state in
            let wasEmpty = state.queue.readyCount == 0
            state.queue.append(batch, count: batch.notifications.count)
            // With work already waiting, every connection is busy and comes back by itself.
            let wakes = wasEmpty ? state.members.values.filter(\.isReady) : []
            return (state.machine.demand(now: Self.nowMilliseconds), wakes)
        }
        perform(actions)
        wake(wakes)
        startTicking()
        // Cancelled before it was in the queue, where nobody would look for it again.
        if batch.isCancelled { dropCancelled() }
    }

    /// Ends what waits of cancelled batches.
    func dropCancelled() {
        let dropped = state.withLock { $0.queue.takeAll { $0.isCancelled } }
        for work in dropped { fail(work, .cancelled) }
    }

    /// Lets connections go once their last answers have come.
    func close() {
        perform(state.withLock { $0.machine.close() })
    }

    func shutdown() async {
        close()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.members.isEmpty { state.waiters.append(continuation) }
                return state.members.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }

    var snapshot: APNsClient.Snapshot {
        state.withLock { state in
            APNsClient.Snapshot(
                connectionCount: state.members.count, readyConnectionCount: state.machine.readyCount,
                queuedCount: state.queue.count, lastGoAwayReason: state.lastGoAwayReason)
        }
    }

    // MARK: Connections

    /// Work for a connection that has room; none says that it is not full.
    func take(max: Int, for number: ConnectionNumber) -> WorkQueue<Batch>.Work? {
        state.withLock { state in
            let work = state.queue.take(max: max)
            if work == nil { state.full.remove(number) }
            return work
        }
    }

    func ready(_ number: ConnectionNumber) {
        state.withLock { state in
            state.machine.ready(number, now: Self.nowMilliseconds)
            state.members[number]?.isReady = true
        }
    }

    /// Answers have come; `isUseful` when they show that APNs takes the connection's credential.
    func answered(_ number: ConnectionNumber, count: Int, isUseful: Bool) {
        guard count > 0 else { return }
        state.withLock { state in
            state.measurement.answeredCount += count
            state.machine.answered()
            if isUseful { state.machine.useful(number, now: Self.nowMilliseconds) }
        }
    }

    /// A connection takes no more work for now.
    ///
    /// It stays full until it finds no work for its room: a far server's answers come in bursts, and nothing
    /// is heard of the connection between two of them.
    func saturated(_ number: ConnectionNumber) {
        state.withLock { state in _ = state.full.insert(number) }
    }

    /// A connection that takes no more work tells so; its streams may still end.
    ///
    /// - Parameters:
    ///   - number: of the connection.
    ///   - reason: APNs' own words, if it had any.
    ///   - mayReopenAtOnce: whether the end is no sign of trouble.
    func retired(_ number: ConnectionNumber, goAway reason: Reason?, mayReopenAtOnce: Bool = false) {
        let actions = state.withLock { state in
            state.machine.retire(
                number, mayReopenAtOnce: mayReopenAtOnce, jitter: Double.random(in: 0...1),
                now: Self.nowMilliseconds)
            state.members[number]?.isReady = false
            if let reason { state.lastGoAwayReason = reason }
            return state.queue.isEmpty ? [] : state.machine.demand(now: Self.nowMilliseconds)
        }
        perform(actions)
    }

    func ended(_ number: ConnectionNumber, error: TransportError?) {
        let (actions, waiters) = state.withLock { state in
            state.members[number] = nil
            state.full.remove(number)
            state.machine.ended(
                number, error: error, jitter: Double.random(in: 0...1), now: Self.nowMilliseconds)
            let waiters = state.members.isEmpty ? state.waiters : []
            if state.members.isEmpty { state.waiters = [] }
            let actions = state.queue.isEmpty ? [] : state.machine.demand(now: Self.nowMilliseconds)
            return (actions, waiters)
        }
        perform(actions)
        for waiter in waiters { waiter.resume() }
    }

    /// Sends a notification again: at once, or after a delay.
    func again(_ retry: WorkQueue<Batch>.Retry, afterMilliseconds delay: Int64 = 0) {
        let (actions, wakes, isClosed) = state.withLock { state in
            if state.machine.isClosed { return ([] as [PoolMachine.Action], [] as [Member], true) }
            if delay > 0 {
                state.queue.append(retry, due: Self.nowMilliseconds + delay)
                return ([], [], false)
            }
            let wasEmpty = state.queue.readyCount == 0
            state.queue.append(retry)
            return (
                state.machine.demand(now: Self.nowMilliseconds),
                wasEmpty ? state.members.values.filter(\.isReady) : [], false
            )
        }
        if isClosed { return fail(.again(retry), .notSent(PoolMachine.closedError)) }
        perform(actions)
        wake(wakes)
        startTicking()
    }

    /// Ends work that waits: as it ended before, or as never sent.
    func fail(_ work: WorkQueue<Batch>.Work, _ failure: Outcome.Failure) {
        switch work {
        case .fresh(let batch, let range):
            for index in range { batch.store(Outcome(result: .failed(failure)), at: index) }
            batch.settle(range.count)
        case .again(let retry):
            let outcome = Outcome(result: .failed(failure), attemptCount: retry.attemptCount)
            retry.owner.store(retry.last?.outcome ?? outcome, at: retry.index)
            retry.owner.settle(1)
        }
    }

    /// Looks after connections that have nothing to do; called about once a second by each.
    func housekeep() {
        let actions = state.withLock { state in
            let now = Self.nowMilliseconds
            guard now >= state.housekeptAt + Self.housekeepingMilliseconds, state.queue.isEmpty else {
                return [] as [PoolMachine.Action]
            }
            state.housekeptAt = now
            return state.machine.tick(hasWork: false, measurement: .init(), now: now)
        }
        perform(actions)
    }

    // MARK: Acting

    private func perform(_ actions: [PoolMachine.Action]) {
        for action in actions {
            switch action {
            case .open(let number):
                open(number)
            case .retire(let number):
                let member = state.withLock { state in
                    state.members[number]?.isReady = false
                    return state.members[number]
                }
                guard let member else { continue }
                member.loop.execute { member.connection.value?.retire() }
            case .failQueued(let error):
                let works = state.withLock { $0.queue.takeAll() }
                for work in works { fail(work, .notSent(error)) }
            }
        }
    }

    private func open(_ number: ConnectionNumber) {
        let loop = loops.next()
        let member = Member(loop: loop, connection: LoopBound(loop: loop))
        state.withLock { $0.members[number] = member }
        let isRunning = loop.execute { [self] in
            let connection = APNsConnection(number: number, pool: self)
            member.connection.value = connection
            connection.connect(with: connector, on: loop)
        }
        if !isRunning { ended(number, error: TransportError(.closed, "the event loop ended")) }
    }

    private func wake(_ members: [Member]) {
        for member in members {
            member.loop.execute { member.connection.value?.fill() }
        }
    }

    private func startTicking() {
        let starts = state.withLock { state in
            guard !state.isTicking, !state.queue.isEmpty else { return false }
            state.isTicking = true
            state.tickedAtNanoseconds = EventLoop.monotonicNanoseconds
            state.idleNanoseconds = loops.loops.map(\.idleNanoseconds)
            state.measurement = .init()
            return true
        }
        guard starts else { return }
        let loop = loops.loops[0]
        let isRunning = loop.execute { [self] in
            let ticker = Ticker()
            ticker.timer = loop.schedule(after: Self.tickInterval, repeating: Self.tickInterval) { [self] in
                if !tick() { ticker.timer?.cancel() }
            }
        }
        if !isRunning {
            perform([.failQueued(TransportError(.closed, "the event loop ended"))])
        }
    }

    /// Keeps a repeating timer at hand inside its own body.
    private final class Ticker {
        var timer: EventLoopTimer?
    }

    /// Answers whether there is still something to look after.
    private func tick() -> Bool {
        let (actions, wakes, goesOn) = state.withLock { state in
            let now = Self.nowMilliseconds
            let hadReady = state.queue.readyCount > 0
            state.queue.advance(to: now)
            measureIdleTime(&state)
            state.measurement.saturated = state.full
            let actions = state.machine.tick(
                hasWork: state.queue.readyCount > 0, measurement: state.measurement, now: now)
            state.measurement = .init()
            state.isTicking = !state.queue.isEmpty
            let wakes =
                !hadReady && state.queue.readyCount > 0 ? state.members.values.filter(\.isReady) : []
            return (actions, wakes, state.isTicking)
        }
        perform(actions)
        wake(wakes)
        return goesOn
    }

    private func measureIdleTime(_ state: inout State) {
        let now = EventLoop.monotonicNanoseconds
        let nanoseconds = max(now &- state.tickedAtNanoseconds, 1)
        let elapsed = Double(nanoseconds)
        state.measurement.milliseconds = Int64(nanoseconds / 1_000_000)
        state.tickedAtNanoseconds = now
        var least = 1.0
        for (index, loop) in loops.loops.enumerated() {
            let idle = loop.idleNanoseconds
            least = min(least, Double(idle &- state.idleNanoseconds[index]) / elapsed)
            state.idleNanoseconds[index] = idle
        }
        state.measurement.idleFraction = least
    }
}
