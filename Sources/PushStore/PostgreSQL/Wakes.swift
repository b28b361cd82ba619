internal import PostgreSQL
internal import Synchronization

/// Hears of other nodes' work, and keeps the server's clock.
final class Wakes: Sendable {
    static let channelName = "belfry_work"
    /// How often the server is asked what time it is, in milliseconds.
    private static let clockMilliseconds: Int64 = 10_000

    private struct State {
        var body: (@Sendable () -> Void)?
        var listener: Listener?
    }

    let clock = ServerClock()
    private let state = Mutex(State())

    func set(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.body = body }
    }

    func start(_ configuration: Session.Configuration) throws(PostgreSQLError) {
        var configuration = configuration
        configuration.answerTimeoutMilliseconds = 15_000
        let clock = clock
        // The listener must not keep what keeps it.
        let listener = try Listener(
            configuration, channel: "belfry_work",
            idle: { session throws(PostgreSQLError) in
                guard clock.isOlder(thanMilliseconds: Wakes.clockMilliseconds) else { return }
                try clock.read(session)
            }
        ) { [weak self] _ in
            self?.state.withLock { $0.body }?()
        }
        state.withLock { $0.listener = listener }
    }

    /// Asks the server what time it is.
    func readClock(_ session: Session) throws(PostgreSQLError) { try clock.read(session) }

    func stop() async {
        let listener = state.withLock { state in
            defer { state = State() }
            return state.listener
        }
        await listener?.close()
    }
}

/// The server's clock, read from time to time and carried on by the monotonic one.
final class ServerClock: Sendable {
    private struct Reading {
        var time: Int64
        var elapsed: Int64
    }

    private static let start = ContinuousClock.now
    private let reading = Mutex<Reading?>(nil)

    /// Milliseconds since the process first asked.
    static var elapsedMilliseconds: Int64 { Int64(start.duration(to: .now) / .milliseconds(1)) }

    var milliseconds: Int64? {
        reading.withLock { $0.map { $0.time + Self.elapsedMilliseconds - $0.elapsed } }
    }

    /// Asks the server.
    func read(_ session: Session) throws(PostgreSQLError) {
        let before = Self.elapsedMilliseconds
        let time = try session.query(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0].integer(0)
        set(time, at: (before + Self.elapsedMilliseconds) / 2)
    }

    func set(_ time: Int64, at elapsed: Int64) {
        reading.withLock { $0 = Reading(time: time, elapsed: elapsed) }
    }

    func isOlder(thanMilliseconds limit: Int64) -> Bool {
        reading.withLock { $0.map { Self.elapsedMilliseconds - $0.elapsed >= limit } ?? true }
    }
}
