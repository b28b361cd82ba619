internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A session on a thread of its own: callers suspend, only that thread blocks.
///
/// Jobs run one after the other in the order they were submitted. A session that breaks is replaced before the next
/// job: attempts follow each other ever more slowly, for as long as the job has patience. The queue is bounded; a full
/// one refuses with `overloaded`. An open connection must be closed; one that is dropped open ends once its jobs are
/// done.
public final class Connection: Sendable {
    /// The largest number of jobs that wait for the thread.
    public static let pendingJobCountMax = 10_000
    /// The pauses between attempts to connect, in milliseconds; the last one repeats.
    static let pauses = [0, 100, 200, 400, 800, 1_600]

    private let thread: WorkThread
    private let box: SessionBox
    private let patienceMilliseconds: Int
    /// How many jobs wait or run.
    private let load = Mutex(0)

    /// The session, touched by the thread only.
    ///
    /// `@unchecked Sendable`: `session` is touched by the thread's jobs alone.
    private final class SessionBox: @unchecked Sendable {
        let configuration: Session.Configuration
        let prepare: @Sendable (Session) throws(PostgreSQLError) -> Void
        var session: Session?
        /// Why the latest attempt to connect failed; nil once one has succeeded.
        private var failure: PostgreSQLError?

        init(
            _ configuration: Session.Configuration,
            _ prepare: @escaping @Sendable (Session) throws(PostgreSQLError) -> Void
        ) {
            self.configuration = configuration
            self.prepare = prepare
        }

        /// The session, made anew until a deadline when there is none that works.
        func session(until deadline: Int64) throws(PostgreSQLError) -> Session {
            if let session, !session.isBroken { return session }
            session = nil
            // What has waited for its turn as long as it may does not try once more: with a server that drops
            // packets each attempt takes seconds, and whoever waits behind would wait for all of them.
            if let failure, MonotonicTime.milliseconds() >= deadline { throw failure }
            var attemptCount = 0
            while true {
                let pause = Connection.pauses[min(attemptCount, Connection.pauses.count - 1)]
                if pause > 0 { usleep(UInt32(pause) * 1_000) }
                attemptCount += 1
                do throws(PostgreSQLError) {
                    let new = try Session(configuration)
                    try prepare(new)
                    session = new
                    failure = nil
                    return new
                } catch {
                    failure = error
                    let isHopeful =
                        error.code == .connectionFailed || error.code == .unavailable
                        || error.code == .connectionLost || error.code == .tooManyConnections
                        || error.code == .readOnly
                    guard isHopeful, MonotonicTime.milliseconds() < deadline else { throw error }
                }
            }
        }
    }

    /// Starts a thread; the first job connects.
    ///
    /// - Parameters:
    ///   - configuration: How sessions are opened.
    ///   - patienceMilliseconds: How long a job waits for a server that cannot be reached.
    ///   - prepare: Called with each new session.
    public init(
        _ configuration: Session.Configuration, patienceMilliseconds: Int = 10_000,
        prepare: @escaping @Sendable (Session) throws(PostgreSQLError) -> Void = { _ in }
    ) throws(PostgreSQLError) {
        box = SessionBox(configuration, prepare)
        self.patienceMilliseconds = patienceMilliseconds
        thread = try WorkThread(pendingCountMax: Self.pendingJobCountMax)
    }

    deinit {
        let box = box
        _ = thread.close { box.session = nil }
    }

    /// How many jobs wait or run.
    public var pendingCount: Int { load.withLock { $0 } }

    /// Runs a closure with the session on its thread and waits for the result without blocking.
    ///
    /// The closure always runs to its end, also when the calling task is cancelled meanwhile.
    ///
    /// - Throws: `connectionFailed` and its like when there is no session to be had in time; `overloaded` or `closed`
    ///   when it was not run.
    public func run<Success: Sendable>(
        _ body: @escaping @Sendable (Session) -> Success
    ) async throws(PostgreSQLError) -> Success {
        load.withLock { $0 += 1 }
        defer { load.withLock { $0 -= 1 } }
        let deadline = MonotonicTime.milliseconds() + Int64(patienceMilliseconds)
        let box = box
        let result: Result<Success, PostgreSQLError> = await withCheckedContinuation { continuation in
            let submission = thread.submit {
                do throws(PostgreSQLError) {
                    let success = body(try box.session(until: deadline))
                    continuation.resume(returning: .success(success))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            switch submission {
            case .taken: break
            case .closed:
                continuation.resume(
                    returning: .failure(
                        PostgreSQLError(code: .closed, message: "the connection is closed")))
            case .full:
                continuation.resume(
                    returning: .failure(
                        PostgreSQLError(
                            code: .overloaded,
                            message: "more than \(Self.pendingJobCountMax) jobs wait for the connection")))
            }
        }
        return try result.get()
    }

    /// Runs a closure that throws, as ``run(_:)`` does.
    public func attempt<Success: Sendable>(
        _ body: @escaping @Sendable (Session) throws(PostgreSQLError) -> Success
    ) async throws(PostgreSQLError) -> Success {
        let result: Result<Success, PostgreSQLError> = try await run { session in
            do throws(PostgreSQLError) {
                return .success(try body(session))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs everything that waits, ends the session and the thread.
    ///
    /// Later jobs fail with `closed`.
    public func close() async {
        await withCheckedContinuation { continuation in
            let box = box
            let isFirst = thread.close {
                box.session = nil
                continuation.resume()
            }
            if !isFirst { continuation.resume() }
        }
    }
}
