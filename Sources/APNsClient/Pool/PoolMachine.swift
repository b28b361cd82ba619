internal import Transport

/// When connections are opened, replaced and given up: pure; times are milliseconds of one clock.
///
/// ```
///            open                ready               retire / GOAWAY
///   (none) ────────▶ connecting ───────▶ ready ────────────────────▶ retiring ─▶ (none)
///                        │  failed          │ lost
///                        └────────▶ back-off ◀┘ (when it never carried an accepted notification)
/// ```
struct PoolMachine: Sendable {
    typealias ConnectionNumber = Int

    /// What the owner has to do.
    enum Action: Hashable, Sendable {
        /// Open a connection under this number.
        case open(ConnectionNumber)
        /// Send nothing more on it; close it when its streams have ended.
        case retire(ConnectionNumber)
        /// Nobody can be reached: end everything that waits with this error.
        case failQueued(TransportError)
    }

    /// What the owner has seen since the last tick.
    struct Measurement: Sendable {
        /// Connections that would take no more work.
        var saturated: Set<ConnectionNumber> = []
        /// How much of the time the busiest loop has waited, 0 to 1: with none left, another connection
        /// cannot send more.
        var idleFraction = 1.0
        /// Notifications that were answered.
        var answeredCount = 0
        /// How long was measured.
        var milliseconds: Int64 = 1
    }

    struct Configuration: Hashable, Sendable {
        var connectionCountMax: Int
        /// How long work waits without any usable connection before it fails.
        var unreachableAfterMilliseconds: Int64
        var backOffMilliseconds: Int64
        var backOffMillisecondsMax: Int64
        /// Surplus connections idle for so long are closed; the last one stays.
        var surplusIdleMilliseconds: Int64
    }

    private enum State: Hashable, Sendable {
        case connecting
        case ready
        case retiring
    }

    private struct Connection: Sendable {
        var state: State
        var hasAccepted = false
        /// Whether its end was weighed already, or needs no weighing.
        var isJudged = false
        var lastUsefulAt: Int64
    }

    /// Growth that is being judged: what more connections brought.
    private struct Growth: Sendable {
        var rateBefore: Double
        var judgedAt: Int64
    }

    /// Below this share of idle time the processor is the limit, not the number of connections.
    static let idleFractionMin = 0.2
    /// More connections must bring so much more, or the server is the limit.
    static let growthMin = 1.1
    /// How long a server's limit is believed before more connections are tried again.
    static let plateauMilliseconds: Int64 = 30_000
    /// From the moment that new connections carry load to the verdict on them.
    static let judgementMilliseconds: Int64 = 1000

    /// What becomes of work that comes, or comes back, after the end.
    static let closedError = TransportError(.closed, "the client was shut down")

    private let configuration: Configuration
    private var connections: [ConnectionNumber: Connection] = [:]
    private var nextNumber: ConnectionNumber = 1
    private var failureCount = 0
    private var openNotBefore: Int64 = .min
    /// Since when work has waited with no usable connection.
    private var strandedSince: Int64?
    /// Answers a millisecond, smoothed over about ten ticks.
    private var rate = 0.0
    private var growth: Growth?
    private var growNotBefore: Int64 = .min
    private var lastError = TransportError(.connect, "no connection yet")
    private(set) var isClosed = false

    init(configuration: Configuration) {
        self.configuration = configuration
    }

    /// How many connections exist, in whatever state.
    var connectionCount: Int { connections.count }

    /// How many connections can carry work.
    var readyCount: Int { connections.values.count { $0.state == .ready } }

    /// Work has come, or is still waiting after something changed.
    mutating func demand(now: Int64) -> [Action] {
        guard !isClosed else { return [.failQueued(Self.closedError)] }
        if connections.values.contains(where: { $0.state == .ready }) { return [] }
        let since = strandedSince ?? now
        strandedSince = since
        if now >= since + configuration.unreachableAfterMilliseconds {
            strandedSince = nil
            return [.failQueued(lastError)]
        }
        let isConnecting = connections.values.contains { $0.state == .connecting }
        guard !isConnecting, now >= openNotBefore else { return [] }
        return [open(now: now)]
    }

    /// The peer's SETTINGS have come.
    mutating func ready(_ number: ConnectionNumber, now: Int64) {
        guard connections[number]?.state == .connecting else { return }
        connections[number]?.state = .ready
        connections[number]?.lastUsefulAt = now
    }

    /// Answers have come, of whatever kind: the service can be reached.
    ///
    /// A connection that merely stands proves nothing; a server may send away everybody it lets in.
    mutating func answered() {
        strandedSince = nil
    }

    /// A connection carried notifications that were accepted, or refused for what they are: its credential
    /// is a good one.
    mutating func useful(_ number: ConnectionNumber, now: Int64) {
        guard connections[number] != nil else { return }
        connections[number]?.hasAccepted = true
        connections[number]?.lastUsefulAt = now
        strandedSince = nil
        failureCount = 0
        openNotBefore = .min
    }

    /// A connection takes no more work: GOAWAY, its stream ids have run out, or its token is stale.
    ///
    /// - Parameters:
    ///   - number: of the connection.
    ///   - mayReopenAtOnce: whether another may follow though this one never carried anything.
    ///   - jitter: 0 to 1, at random.
    ///   - now: the current time.
    mutating func retire(
        _ number: ConnectionNumber, mayReopenAtOnce: Bool = false, jitter: Double = 0, now: Int64
    ) {
        guard let connection = connections[number] else { return }
        connections[number]?.state = .retiring
        connections[number]?.isJudged = true
        if !mayReopenAtOnce { judge(connection, jitter: jitter, now: now) }
    }

    /// A connection has ended, or could not be made.
    ///
    /// - Parameters:
    ///   - number: of the connection.
    ///   - error: why.
    ///   - jitter: 0 to 1, at random.
    ///   - now: the current time.
    mutating func ended(
        _ number: ConnectionNumber, error: TransportError?, jitter: Double, now: Int64
    ) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        if let error { lastError = error }
        judge(connection, jitter: jitter, now: now)
    }

    /// One that did its work may be replaced at once.
    ///
    /// Apple takes rapid reconnecting for an attack.
    private mutating func judge(_ connection: Connection, jitter: Double, now: Int64) {
        guard !connection.hasAccepted, !connection.isJudged else { return }
        failureCount += 1
        let doublings = min(failureCount - 1, 20)
        let delay = min(
            configuration.backOffMilliseconds << doublings, configuration.backOffMillisecondsMax)
        openNotBefore = now + delay / 2 + Int64(Double(delay / 2) * jitter)
    }

    /// Looks at what was measured since the last call.
    mutating func tick(hasWork: Bool, measurement: Measurement, now: Int64) -> [Action] {
        guard !isClosed else { return [] }
        rate += (Double(measurement.answeredCount) / Double(max(measurement.milliseconds, 1)) - rate) * 0.1
        guard hasWork else { return retireSurplus(now: now) }
        return demand(now: now) + grow(measurement, now: now)
    }

    /// Opens more connections where those that exist are full, the processor is not, and more of them
    /// have not already failed to bring more.
    private mutating func grow(_ measurement: Measurement, now: Int64) -> [Action] {
        let ready = connections.filter { $0.value.state == .ready }
        let isWarmingUp =
            connections.values.contains { $0.state == .connecting }
            || ready.values.contains { !$0.hasAccepted }
        if isWarmingUp {
            growth?.judgedAt = now + Self.judgementMilliseconds
            return []
        }
        if let growth {
            guard now >= growth.judgedAt else { return [] }
            if rate < growth.rateBefore * Self.growthMin { growNotBefore = now + Self.plateauMilliseconds }
            self.growth = nil
        }
        guard !ready.isEmpty, now >= openNotBefore, now >= growNotBefore,
            measurement.idleFraction >= Self.idleFractionMin,
            ready.keys.allSatisfy(measurement.saturated.contains)
        else { return [] }
        // Doubles, so that a far server's line is filled within a few round trips.
        let room = configuration.connectionCountMax - connections.count
        let count = max(min(ready.count, room), 0)
        guard count > 0 else { return [] }
        growth = Growth(rateBefore: rate, judgedAt: now + Self.judgementMilliseconds)
        return (0..<count).map { _ in open(now: now) }
    }

    /// No more connections; those that exist retire.
    mutating func close() -> [Action] {
        guard !isClosed else { return [] }
        isClosed = true
        for number in connections.keys { connections[number]?.state = .retiring }
        return connections.keys.sorted().map { .retire($0) }
            + [.failQueued(Self.closedError)]
    }

    private mutating func open(now: Int64) -> Action {
        let number = nextNumber
        nextNumber += 1
        connections[number] = Connection(state: .connecting, lastUsefulAt: now)
        return .open(number)
    }

    private mutating func retireSurplus(now: Int64) -> [Action] {
        strandedSince = nil
        let ready = connections.filter { $0.value.state == .ready }
        guard ready.count > 1 else { return [] }
        let idle = ready.filter { now >= $0.value.lastUsefulAt + configuration.surplusIdleMilliseconds }
        let surplus = idle.keys.sorted().suffix(min(idle.count, ready.count - 1))
        for number in surplus { connections[number]?.state = .retiring }
        return surplus.map { .retire($0) }
    }
}
