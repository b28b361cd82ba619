/// A database on a thread of its own: callers suspend, only that thread blocks.
///
/// Jobs run one after the other in the order they were submitted. The queue is bounded; a full one refuses with
/// `overloaded`. An open connection must be closed; one that is dropped open closes itself once its jobs are done.
public final class Connection: Sendable {
    /// The largest number of jobs that wait for the thread.
    public static let pendingJobCountMax = 10_000

    /// Runs the jobs; nil when each is run by whoever submits it.
    private let thread: WorkThread?
    private let box: DatabaseBox

    /// The database, touched by the thread only.
    ///
    /// `@unchecked Sendable`: `database` is touched by the thread's jobs alone, or without a thread by callers that
    /// see to it that there is one at a time.
    private final class DatabaseBox: @unchecked Sendable {
        var database: Database?

        func open(
            _ path: String, _ configuration: Database.Configuration, _ migrations: [Migration]
        ) -> Result<Void, SQLiteError> {
            do throws(SQLiteError) {
                let database = try Database(path: path, configuration: configuration)
                if !migrations.isEmpty { try database.migrate(migrations) }
                self.database = database
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Opens a file on a new thread; the caller suspends meanwhile.
    ///
    /// - Parameters:
    ///   - path: The file, or `:memory:`.
    ///   - configuration: How it is opened.
    ///   - migrations: The schema to bring it to.
    /// - Throws: What ``Database/init(path:configuration:)`` and ``Database/migrate(_:)`` throw.
    public static func open(
        path: String, configuration: Database.Configuration = Database.Configuration(),
        migrations: [Migration] = []
    ) async throws(SQLiteError) -> Connection {
        let connection = try Connection()
        let box = connection.box
        let result: Result<Void, SQLiteError> = await withCheckedContinuation { continuation in
            let submission = connection.submit {
                continuation.resume(returning: box.open(path, configuration, migrations))
            }
            if let error = submission.error { continuation.resume(returning: .failure(error)) }
        }
        try result.get()
        return connection
    }

    /// Opens a file on a new thread and blocks the caller; for the start of a program.
    ///
    /// - Parameters:
    ///   - path: The file, or `:memory:`.
    ///   - configuration: How it is opened.
    ///   - migrations: The schema to bring it to.
    /// - Throws: What ``Database/init(path:configuration:)`` and ``Database/migrate(_:)`` throw.
    public convenience init(
        path: String, configuration: Database.Configuration = Database.Configuration(),
        migrations: [Migration] = []
    ) throws(SQLiteError) {
        try self.init()
        let slot = BlockingSlot<Result<Void, SQLiteError>>()
        let box = box
        let submission = submit { slot.fulfil(box.open(path, configuration, migrations)) }
        if let error = submission.error { throw error }
        try slot.wait().get()
    }

    private init() throws(SQLiteError) {
        box = DatabaseBox()
        thread = try WorkThread(pendingCountMax: Self.pendingJobCountMax)
    }

    private init(withoutThread box: DatabaseBox) {
        self.box = box
        thread = nil
    }

    /// Opens a database in memory that has no thread: each job runs at once where it is submitted.
    ///
    /// For simulations, which run everything on one thread in an order of their own. Only one job may run at a time,
    /// and none may submit another.
    package static func unthreadedInMemory(migrations: [Migration]) throws(SQLiteError) -> Connection {
        let box = DatabaseBox()
        try box.open(":memory:", Database.Configuration(statementCountMax: 512), migrations).get()
        return Connection(withoutThread: box)
    }

    private func submit(after delay: Int = 0, _ job: @escaping WorkThread.Job) -> WorkThread.Submission {
        if let thread { return thread.submit(after: delay, job) }
        guard box.database != nil else { return .closed }
        job()
        return .taken
    }

    deinit {
        let box = box
        _ = thread?.close { box.database = nil }
    }

    /// Runs a closure with the database on its thread and waits for the result without blocking.
    ///
    /// The closure always runs to its end, also when the calling task is cancelled meanwhile.
    ///
    /// - Throws: What the closure throws; `overloaded` or `closed` when it was not run.
    @discardableResult
    public func run<Success: Sendable>(
        _ body: @escaping @Sendable (Database) throws(SQLiteError) -> Success
    ) async throws(SQLiteError) -> Success {
        let result: Result<Success, SQLiteError> = await withCheckedContinuation { continuation in
            let box = box
            let submission = submit { continuation.resume(returning: Self.call(body, box)) }
            if let error = submission.error { continuation.resume(returning: .failure(error)) }
        }
        return try result.get()
    }

    /// Runs a closure with the database on its thread and blocks the caller; for threads that may block.
    ///
    /// - Throws: What the closure throws; `overloaded` or `closed` when it was not run.
    @discardableResult
    public func runBlocking<Success: Sendable>(
        _ body: @escaping @Sendable (Database) throws(SQLiteError) -> Success
    ) throws(SQLiteError) -> Success {
        let slot = BlockingSlot<Result<Success, SQLiteError>>()
        let box = box
        let submission = submit { slot.fulfil(Self.call(body, box)) }
        if let error = submission.error { throw error }
        return try slot.wait().get()
    }

    /// Queues a closure for later without waiting for it; nobody hears its errors but itself.
    ///
    /// `close` runs it before its time.
    ///
    /// - Throws: `overloaded` or `closed` when it will not be run.
    public func schedule(
        afterMilliseconds delay: Int, _ body: @escaping @Sendable (Database) -> Void
    ) throws(SQLiteError) {
        let box = box
        let submission = submit(after: delay) {
            if let database = box.database { body(database) }
        }
        if let error = submission.error { throw error }
    }

    /// Runs everything that waits, closes the file and ends the thread.
    ///
    /// Later jobs fail with `closed`.
    public func close() async {
        await withCheckedContinuation { continuation in
            let box = box
            let last: WorkThread.Job = {
                box.database = nil
                continuation.resume()
            }
            guard let thread else { return last() }
            if !thread.close(last: last) { continuation.resume() }
        }
    }

    /// As ``close()``, and blocks the caller until the file is closed; not for jobs of this connection.
    public func closeBlocking() {
        let box = box
        guard let thread else { return box.database = nil }
        _ = thread.close { box.database = nil }
        thread.waitUntilEnded()
    }

    private static func call<Success>(
        _ body: (Database) throws(SQLiteError) -> Success, _ box: DatabaseBox
    ) -> Result<Success, SQLiteError> {
        guard let database = box.database else { return .failure(.connectionClosed) }
        do {
            return .success(try body(database))
        } catch {
            return .failure(error)
        }
    }
}

extension SQLiteError {
    fileprivate static let connectionClosed = SQLiteError(code: .closed, message: "the connection is closed")
}

extension WorkThread.Submission {
    fileprivate var error: SQLiteError? {
        switch self {
        case .taken: nil
        case .closed: .connectionClosed
        case .full:
            SQLiteError(
                code: .overloaded,
                message: "more than \(Connection.pendingJobCountMax) jobs wait for the connection")
        }
    }
}
