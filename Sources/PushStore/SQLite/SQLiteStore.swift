internal import FoundationEssentials
package import SQLite
internal import Synchronization

/// A store in one SQLite file: a writer and several readers, each on a thread of its own, over the write-ahead log.
///
/// What a method changed is on the disk when it returns. Changes that arrive together share a transaction. Several
/// processes may have the file open: `belfry app` works while a service runs.
public final class SQLiteStore: Sendable {
    /// How a store is opened.
    public struct Configuration: Sendable, Hashable {
        /// How many queries run at once.
        public var readerCount: Int
        /// The largest size of the file in pages of 4 KB; nil for no limit.
        public var pageCountMax: Int64?
        /// How long a change waits for another process that writes.
        public var busyTimeoutMilliseconds: Int32
        /// Memory for pages that changes touch, in megabytes.
        public var writerCacheMegabytes: Int
        /// How large the write-ahead log grows before it is moved into the file, in pages of 4 KB.
        public var checkpointPageCount: Int
        /// How long a query with a client's condition may take, waiting included.
        public var queryMillisecondsMax: Int
        /// How many installations a batch has at most.
        package var batchCountMax = SQLiteStore.batchCountMax
        /// How many installations one step of planning looks for.
        package var chunkCountMax = SQLiteStore.chunkCountMax

        /// Makes a configuration; the defaults suit a service on two to four cores.
        public init(
            readerCount: Int = 3, pageCountMax: Int64? = nil, busyTimeoutMilliseconds: Int32 = 10_000,
            writerCacheMegabytes: Int = 32, checkpointPageCount: Int = 4_000,
            queryMillisecondsMax: Int = 10_000
        ) {
            self.readerCount = readerCount
            self.pageCountMax = pageCountMax
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
            self.writerCacheMegabytes = writerCacheMegabytes
            self.checkpointPageCount = checkpointPageCount
            self.queryMillisecondsMax = queryMillisecondsMax
        }

        /// For an import: pages that many rows of a batch fall into are read and written once.
        public static let bulk = Configuration(
            readerCount: 1, writerCacheMegabytes: 256, checkpointPageCount: 65_536)
    }

    /// The name of the file in a data folder.
    public static let fileName = "belfry.sqlite"

    /// Memory for pages of one reader, in KB.
    private static let cacheKilobytes = 16_384
    /// How much of the file a reader maps into its address space, in bytes.
    private static let readerMapByteCount: Int64 = 1 << 32
    /// What the write-ahead log is cut to once all of it is in the file: a long backup, or a long query, lets it grow.
    private static let logByteCountMax = 64 << 20

    let box: SecretBox
    private let writer: Connection
    private let readers: [Connection]
    private let group: GroupWriter
    let configuration: Configuration
    private let gate: (any TransactionGate)?
    /// How many queries each reader has.
    private let loads: Mutex<[Int]>
    /// What this store's planners are at, so that none does another's work again.
    struct Planning {
        var segments: Set<Int64> = []
        var turn = 0
        var failureCounts: [Int64: Int] = [:]
    }
    let planning = Mutex(Planning())

    private init(
        box: SecretBox, writer: Connection, readers: [Connection], configuration: Configuration,
        gate: (any TransactionGate)? = nil
    ) {
        self.box = box
        self.configuration = configuration
        self.gate = gate
        self.writer = writer
        self.readers = readers
        group = GroupWriter(connection: writer)
        loads = Mutex(Array(repeating: 0, count: readers.count))
    }

    /// Opens a file, made with mode 0600 when it does not exist, and brings it to the newest schema.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - secret: what its secrets are sealed with; the same one at every opening.
    ///   - configuration: how it is opened.
    /// - Throws: `secret` when the file was made with another secret, `database` for what SQLite reports.
    public static func open(
        path: String, secret: StoreSecret, configuration: Configuration = Configuration()
    ) async throws(StoreError) -> SQLiteStore {
        do {
            let writer = try await Connection.open(
                path: path,
                configuration: Database.Configuration(
                    synchronous: .full, busyTimeoutMilliseconds: configuration.busyTimeoutMilliseconds,
                    statementCountMax: 256, pageCountMax: configuration.pageCountMax),
                migrations: SQLiteSchema.migrations)
            let box = try await writer.run { database throws(SQLiteError) in
                try database.execute("PRAGMA cache_size = -\(configuration.writerCacheMegabytes * 1_024)")
                try database.execute("PRAGMA wal_autocheckpoint = \(configuration.checkpointPageCount)")
                try database.executeScript("PRAGMA journal_size_limit = \(logByteCountMax)")
                try SQLiteFunctions.register(on: database)
                return try Self.unlock(database, secret)
            }.get()
            var readers: [Connection] = []
            for _ in 0..<max(1, configuration.readerCount) {
                let reader = try await Connection.open(
                    path: path,
                    configuration: Database.Configuration(
                        access: .readOnly, busyTimeoutMilliseconds: configuration.busyTimeoutMilliseconds,
                        statementCountMax: 128))
                try await reader.run { database throws(SQLiteError) in
                    try database.execute("PRAGMA cache_size = -\(cacheKilobytes)")
                    try SQLiteFunctions.register(on: database)
                    try database.execute("PRAGMA mmap_size = \(readerMapByteCount)")
                }
                readers.append(reader)
            }
            return SQLiteStore(
                box: box, writer: writer, readers: readers, configuration: configuration)
        } catch let error as SQLiteError {
            throw StoreError(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.database, "\(error)")
        }
    }

    /// A database in memory for ``open(on:secret:configuration:gate:)``.
    ///
    /// - Parameter hasThread: whether it has a thread of its own; without, it runs on whichever thread uses it, and
    ///   only one may at a time.
    package static func connectionInMemory(hasThread: Bool = false) throws(StoreError) -> Connection {
        do {
            let connection =
                hasThread
                ? try Connection(path: ":memory:", migrations: SQLiteSchema.migrations)
                : try Connection.unthreadedInMemory(migrations: SQLiteSchema.migrations)
            try connection.runBlocking { database throws(SQLiteError) in
                try SQLiteFunctions.register(on: database)
            }
            return connection
        } catch {
            throw StoreError(error)
        }
    }

    /// One of several stores on one connection, as if each were a process of its own; for simulations.
    ///
    /// - Parameters:
    ///   - connection: from ``connectionInMemory()``.
    ///   - gate: what each of its transactions passes.
    package static func open(
        on connection: Connection, secret: StoreSecret, configuration: Configuration,
        gate: (any TransactionGate)?
    ) throws(StoreError) -> SQLiteStore {
        do {
            let box = try connection.runBlocking { database throws(SQLiteError) in
                try Self.unlock(database, secret)
            }.get()
            return SQLiteStore(
                box: box, writer: connection, readers: [connection], configuration: configuration, gate: gate)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.database, "\(error)")
        }
    }

    /// Makes the box for the file's salt, and proves or stores that it is the right one.
    private static func unlock(
        _ database: Database, _ secret: StoreSecret
    ) throws(SQLiteError) -> Result<SecretBox, StoreError> {
        let place = SecretBox.Place(table: "administration", row: 1, column: "proof")
        let text = "belfry"
        return try database.transaction { () throws(SQLiteError) -> Result<SecretBox, StoreError> in
            let stored = try database.first("SELECT salt, proof FROM administration") {
                row throws(SQLiteError) in
                (salt: try row.bytes(0), proof: try row.optionalBytes(1))
            }
            guard let stored else {
                return .failure(StoreError(.database, "the table administration is empty"))
            }
            do throws(StoreError) {
                let box = try SecretBox(secret: secret, salt: stored.salt)
                guard let proof = stored.proof else {
                    let sealed = try box.seal(text, at: place)
                    do throws(SQLiteError) {
                        try database.execute("UPDATE administration SET proof = ?", [.blob(sealed)])
                    } catch {
                        throw StoreError(error)
                    }
                    return .success(box)
                }
                _ = try box.open(proof, at: place)
                return .success(box)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Finishes what waits and closes the file.
    public func close() async {
        for reader in readers { await reader.close() }
        await writer.close()
    }

    // MARK: - Work

    /// Runs queries on a reader's thread; all of them see the same state.
    ///
    /// - Parameter body: the queries; throws `SQLiteError` or `StoreError`.
    package func read<Success: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws(StoreError) -> Success {
        try await read(on: readers.indices, until: nil, body)
    }

    /// Runs queries whose cost a client's condition decides.
    ///
    /// The first reader is never among them, so that they hold up neither the sending nor the look-up of a row.
    ///
    /// - Throws: `tooCostly` when they have not ended in time.
    package func readLimited<Success: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws(StoreError) -> Success {
        try await read(
            on: readers.count > 1 ? readers.indices.dropFirst() : readers.indices,
            until: .after(milliseconds: configuration.queryMillisecondsMax), body)
    }

    private func read<Success: Sendable>(
        on candidates: Range<Int>, until deadline: StatementDeadline?,
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws(StoreError) -> Success {
        let pass = try await gate?.enter(.read)
        let index = loads.withLock { loads in
            let index = candidates.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        let result: Result<Success, StoreError>
        do {
            result = try await readers[index].run { database throws(SQLiteError) in
                database.deadline = deadline
                defer { database.deadline = nil }
                return try Self.attempt(database, .deferred, body)
            }
        } catch {
            throw StoreError(error)
        }
        if let gate, let pass { try await gate.leave(pass) }
        return try result.get()
    }

    /// Runs a change on the writer's thread: all of it is kept, or nothing when it throws.
    ///
    /// Changes that arrive together share one transaction. When that is lost, as on a full disk, a change is run a
    /// second time by itself: it must do nothing but through the database.
    ///
    /// - Parameter body: the change; throws `SQLiteError` or `StoreError`. Short: everybody else waits.
    @discardableResult
    package func write<Success: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws(StoreError) -> Success {
        let pass = try await gate?.enter(.write)
        let result: Result<Success, StoreError> = await withCheckedContinuation { continuation in
            group.submit(
                GroupWriter.Job(
                    run: { database throws(SQLiteError) in
                        let result = try Self.attempt(database, .immediate, body)
                        return { continuation.resume(returning: result) }
                    },
                    fail: { continuation.resume(returning: .failure(StoreError($0))) }))
        }
        if let gate, let pass { try await gate.leave(pass) }
        return try result.get()
    }

    /// Runs a body in a transaction, or a savepoint of the one that is open.
    ///
    /// An error that leaves the transaction
    /// around it whole is a result; one that has undone it is thrown.
    private static func attempt<Success>(
        _ database: Database, _ kind: Database.TransactionKind, _ body: (Database) throws -> Success
    ) throws(SQLiteError) -> Result<Success, StoreError> {
        let wasInTransaction = database.isInTransaction
        var failure: StoreError?
        do throws(SQLiteError) {
            return .success(
                try database.transaction(kind) { () throws(SQLiteError) in
                    do {
                        return try body(database)
                    } catch let error as SQLiteError {
                        throw error
                    } catch {
                        failure = error as? StoreError ?? StoreError(.database, "\(error)")
                        throw SQLiteError(code: .cancelled, message: "undone")
                    }
                })
        } catch {
            if wasInTransaction, !database.isInTransaction { throw error }
            return .failure(failure ?? StoreError(error))
        }
    }

    /// Copies the whole database into another file while it stays in use.
    ///
    /// - Parameters:
    ///   - path: the file to write; it is replaced.
    ///   - progress: called with the pages left and the total.
    public func backup(
        to path: String, progress: @escaping @Sendable (_ left: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StoreError) {
        do {
            try await readers[0].run { database throws(SQLiteError) in
                try database.backup(to: path, pagesPerSlice: 4_096) { left, total in
                    progress(left, total)
                    return true
                }
            }
        } catch {
            throw StoreError(error)
        }
    }
}

extension StoreError {
    /// What an error of SQLite means to users of a store.
    package init(_ error: SQLiteError) {
        switch error.code {
        case .interrupted:
            self.init(
                .tooCostly, "where: the query takes too long; fewer rows or a simpler condition will do")
            return
        case .function:
            // What a function says of a pattern names nothing of the database.
            self.init(.tooCostly, "where: \(error.message)")
            return
        default: break
        }
        let code: Code =
            switch error.code {
            case .full: .full
            case .overloaded, .busy: .overloaded
            case .uniqueConstraint: .conflict
            default: .database
            }
        self.init(code, error.description)
    }
}

extension SQLiteStore: Store {
    /// The version of the schema that this program knows.
    public var schemaVersion: Int { SQLiteSchema.migrations.count }
}
