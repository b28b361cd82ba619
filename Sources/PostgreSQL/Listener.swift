internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Listens on a channel from a thread of its own, for as long as it is not closed.
///
/// A broken session is replaced; whoever listens is called then too, for what was sent meanwhile is lost.
public final class Listener: Sendable {
    /// How long one wait takes, after which the thread looks whether it is to end.
    private static let waitMilliseconds = 250

    /// What the thread and the listener share.
    private final class Progress: Sendable {
        private struct State {
            var isClosing = false
            var hasEnded = false
            var waiters: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var isClosing: Bool { state.withLock { $0.isClosing } }

        func close() {
            state.withLock { $0.isClosing = true }
        }

        func end() {
            let waiters = state.withLock { state in
                state.hasEnded = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        func waitForEnd() async {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if !state.hasEnded { state.waiters.append(continuation) }
                    return state.hasEnded
                }
                if hasEnded { continuation.resume() }
            }
        }
    }

    private let thread: WorkThread
    private let progress = Progress()

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - channel: Written in the source: a lower-case name.
    ///   - idle: Called on the thread with the session between two waits.
    ///   - body: Called on the thread with what came; with nothing after a new connection.
    public init(
        _ configuration: Session.Configuration, channel: StaticString,
        idle: @escaping @Sendable (Session) throws(PostgreSQLError) -> Void = { _ in },
        _ body: @escaping @Sendable ([ServerNotification]) -> Void
    ) throws(PostgreSQLError) {
        thread = try WorkThread(pendingCountMax: 1)
        let progress = progress
        _ = thread.submit { Listener.run(configuration, channel, idle, body, progress) }
    }

    private static func run(
        _ configuration: Session.Configuration, _ channel: StaticString,
        _ idle: (Session) throws(PostgreSQLError) -> Void, _ body: ([ServerNotification]) -> Void,
        _ progress: Progress
    ) {
        var failureCount = 0
        while !progress.isClosing {
            do throws(PostgreSQLError) {
                let session = try Session(configuration)
                try session.listen(channel)
                try idle(session)
                failureCount = 0
                body([])
                while !progress.isClosing {
                    let found = try session.waitForNotifications(milliseconds: waitMilliseconds)
                    if !found.isEmpty { body(found) }
                    try idle(session)
                }
            } catch {
                failureCount += 1
                let pause = Connection.pauses[min(failureCount, Connection.pauses.count - 1)]
                usleep(UInt32(pause) * 1_000)
            }
        }
        progress.end()
    }

    deinit {
        progress.close()
        _ = thread.close {}
    }

    /// Stops listening and waits until the thread has ended its session.
    public func close() async {
        progress.close()
        await progress.waitForEnd()
    }
}
