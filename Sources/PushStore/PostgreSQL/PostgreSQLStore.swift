internal import Crypto
public import PostgreSQL
internal import Recurrence
internal import Synchronization

/// A store in a PostgreSQL database that any number of services share.
///
/// Each has a bounded number of connections, each on a thread of its own. What a method changed is committed when it
/// returns. Nodes wake each other by notifications; a lease names the one that plans.
public final class PostgreSQLStore: Sendable {
    /// How a store is opened.
    public struct Configuration: Sendable, Hashable {
        /// How many queries run at once.
        public var readerCount: Int
        /// How many changes run at once.
        public var writerCount: Int
        /// How long a call waits for a server that cannot be reached, as during a failover.
        public var patienceMilliseconds: Int
        /// Whether it takes part in the work of a service: it is woken by others, and may plan.
        public var isNode: Bool
        /// How long a query with a client's condition may take, waiting included.
        public var queryMillisecondsMax: Int

        /// Makes a configuration; the defaults suit a service on two to four cores.
        public init(
            readerCount: Int = 4, writerCount: Int = 4, patienceMilliseconds: Int = 10_000,
            isNode: Bool = true, queryMillisecondsMax: Int = 10_000
        ) {
            self.readerCount = readerCount
            self.writerCount = writerCount
            self.patienceMilliseconds = patienceMilliseconds
            self.isNode = isNode
            self.queryMillisecondsMax = queryMillisecondsMax
        }

        /// For a command that does one thing.
        public static let command = Configuration(readerCount: 1, writerCount: 1, isNode: false)
    }

    /// After how long the server ends the transaction of a node that says nothing: one that was stopped in the midst of
    /// it keeps the others' changes waiting until then.
    private static let idleMilliseconds = 10_000
    /// How long the steps of a schema may take.
    private static let migrationMilliseconds = 24 * 3_600_000
    /// How often a change is run again that lost against another.
    static let attemptCountMax = 8
    /// How often work is done again whose connection broke before it was committed.
    private static let reconnectCountMax = 3

    let box: SecretBox
    /// The name of this store among those that share the database.
    let name: String
    let saves: SaveGroups
    /// When this node last got the scheduler's lease; nil when another has it.
    let leaseRenewal = Mutex<Int64?>(nil)
    /// The version of the schema that a program has to know, as it was read last.
    let neededSchemaVersion = Mutex(0)
    private let readers: [Connection]
    private let writers: [Connection]
    private let wakes: Wakes
    private let queryMillisecondsMax: Int
    /// What this store's planners are at; only one node plans.
    let planning = Mutex(SQLiteStore.Planning())

    private init(
        box: SecretBox, name: String, readers: [Connection], writers: [Connection], wakes: Wakes,
        queryMillisecondsMax: Int
    ) {
        self.queryMillisecondsMax = queryMillisecondsMax
        self.box = box
        self.name = name
        self.readers = readers
        self.writers = writers
        self.wakes = wakes
        saves = SaveGroups()
    }

    /// Connects, and brings the database to the newest schema.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - secret: What its secrets are sealed with; the same one for all that share it.
    ///   - configuration: How it is opened.
    /// - Throws: `secret` when the database was made with another secret, `database` for what PostgreSQL reports.
    public static func open(
        _ address: ConnectionString, secret: StoreSecret, configuration: Configuration = Configuration()
    ) async throws(StoreError) -> PostgreSQLStore {
        do {
            let session = Session.Configuration(connectionString: address)
            func connect(
                _ prepare: @escaping @Sendable (Session) throws(PostgreSQLError) -> Void
            ) throws(PostgreSQLError) -> Connection {
                try Connection(
                    session, patienceMilliseconds: configuration.patienceMilliseconds, prepare: prepare)
            }
            // Changes touch a few rows each by their keys, however few or many the tables have had when their
            // statements were planned.
            let writers = try (0..<max(1, configuration.writerCount)).map { _ in
                try connect { session throws(PostgreSQLError) in
                    try session.executeScript(
                        """
                        SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
                        SET lock_timeout = 30000; SET idle_in_transaction_session_timeout = \(idleMilliseconds)
                        """)
                }
            }
            let readers = try (0..<max(1, configuration.readerCount)).map { _ in
                try connect { session throws(PostgreSQLError) in
                    try session.executeScript(
                        "SET jit = off; SET idle_in_transaction_session_timeout = \(idleMilliseconds)")
                }
            }
            // Steps may rewrite large tables, or wait for a node that does.
            var patient = session
            patient.answerTimeoutMilliseconds = migrationMilliseconds
            let migration = patient
            let wakes = Wakes()
            let box = try await writers[0].run { session -> Result<SecretBox, StoreError> in
                do {
                    // A command must not bring the schema further than the nodes that run may know.
                    try Session(migration).migrate(
                        PostgreSQLSchema.migrations, isUpgradeAllowed: configuration.isNode)
                    // Before anything is done by a clock.
                    try wakes.readClock(session)
                    return .success(try unlock(session, secret))
                } catch let error as PostgreSQLError {
                    return .failure(StoreError(error))
                } catch {
                    return .failure(error as? StoreError ?? StoreError(.database, "\(error)"))
                }
            }.get()
            if configuration.isNode { try wakes.start(session) }
            return PostgreSQLStore(
                box: box, name: PushIdentifier.random(), readers: readers, writers: writers, wakes: wakes,
                queryMillisecondsMax: configuration.queryMillisecondsMax)
        } catch let error as PostgreSQLError {
            throw StoreError(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.database, "\(error)")
        }
    }

    /// Makes the box for the database's salt, and proves or stores that it is the right one.
    private static func unlock(_ session: Session, _ secret: StoreSecret) throws -> SecretBox {
        let place = SecretBox.Place(table: "administration", row: 1, column: "proof")
        return try session.transaction {
            try session.execute(
                """
                INSERT INTO administration (only_row, revision, salt) VALUES (1, 0, $1)
                ON CONFLICT DO NOTHING
                """, [.bytes(RandomBytes.make(count: SecretBox.saltByteCount))])
            let row = try session.query("SELECT salt, proof FROM administration FOR UPDATE")
            guard let row = row.first else {
                throw StoreError(.database, "the table administration is empty")
            }
            let box = try SecretBox(secret: secret, salt: try row.bytes(0))
            if let proof = try row.optionalBytes(1) {
                _ = try box.open(proof, at: place)
            } else {
                try session.execute(
                    "UPDATE administration SET proof = $1", [.bytes(try box.seal("belfry", at: place))])
            }
            return box
        }
    }

    /// Finishes what waits and ends the connections.
    public func close() async {
        await wakes.stop()
        do throws(StoreError) {
            try await endLease()
        } catch {
            // It runs out by itself.
        }
        for connection in readers + writers { await connection.close() }
    }

    /// Calls a closure when another node says that there is new work, and after the connection was lost.
    public func onWork(_ body: @escaping @Sendable () -> Void) {
        wakes.set(body)
    }

    /// The server's clock, which all nodes share: wrong or stepped clocks of machines do no harm.
    ///
    /// - Returns: milliseconds since 1970; nil before the first answer of the server.
    public var serverMilliseconds: Int64? { wakes.clock.milliseconds }

    /// The server's numbers of this store's sessions; for tests, which cut them.
    package func sessionIdentifiers() async -> [Int64] {
        var all: [Int64] = []
        for connection in readers + writers {
            let identifier = try? await connection.attempt { session throws(PostgreSQLError) in
                try session.query("SELECT pg_backend_pid()::bigint")[0].integer(0)
            }
            if let identifier { all.append(identifier) }
        }
        return all
    }

    // MARK: - Work

    /// Runs queries on a reader's thread, each of which sees what was committed before it.
    package func read<Success: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> Success
    ) async throws(StoreError) -> Success {
        try await run(on: readers) { session in
            do {
                return .success(try body(session))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs queries on a reader's thread; all of them see the same state.
    package func snapshot<Success: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> Success
    ) async throws(StoreError) -> Success {
        try await read { session in try session.transaction(.snapshot) { try body(session) } }
    }

    /// Runs queries whose cost a client's condition decides; all of them see the same state.
    ///
    /// The first reader is never among them, so that they hold up neither the sending nor the look-up of a row.
    ///
    /// - Throws: `tooCostly` when they have not ended in time.
    package func readLimited<Success: Sendable>(
        _ body: @escaping @Sendable (Session, QueryDeadline) throws -> Success
    ) async throws(StoreError) -> Success {
        let deadline = QueryDeadline(milliseconds: queryMillisecondsMax)
        return try await run(on: readers.count > 1 ? Array(readers.dropFirst()) : readers) { session in
            do {
                return .success(
                    try session.transaction(.snapshot) {
                        try deadline.apply(to: session)
                        return try body(session, deadline)
                    })
            } catch let error as PostgreSQLError where error.code == .queryCancelled {
                return .failure(QueryDeadline.error)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs a change on a writer's thread: all of it is kept, or nothing when it throws.
    ///
    /// A change that loses against another one is run again from its start: it must do nothing but through the session.
    @discardableResult
    package func write<Success: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> Success
    ) async throws(StoreError) -> Success {
        try await run(on: writers) { session in
            var attemptCount = 0
            while true {
                attemptCount += 1
                do {
                    return .success(try session.transaction { try body(session) })
                } catch let error as PostgreSQLError where Self.isWorthRepeating(error, attemptCount) {
                    continue
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// Makes and drops the parts of tables that are split by days; outside of a transaction, for each takes its locks alone.
    func arrangeDays(now: Instant) async throws(StoreError) {
        try await run(on: writers) { session in
            do {
                return .success(try PostgreSQLDay.arrange(now: now, session))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Whether another transaction was in the way.
    ///
    /// A key that is taken is seen the next time, and then dealt with.
    static func isWorthRepeating(_ error: PostgreSQLError, _ attemptCount: Int) -> Bool {
        if error.code == .uniqueViolation { return attemptCount < 3 }
        return error.code.isRetryable && attemptCount < attemptCountMax
    }

    private func run<Success: Sendable>(
        on connections: [Connection],
        _ body: @escaping @Sendable (Session) -> Result<Success, any Error>
    ) async throws(StoreError) -> Success {
        var reconnectCount = 0
        while true {
            let connection = connections.min { $0.pendingCount < $1.pendingCount } ?? connections[0]
            do {
                let (result, isUncertain) = try await connection.run { session in
                    let result = body(session)
                    return (result, session.isBroken && session.isCommitUncertain)
                }
                if case .failure(let error as PostgreSQLError) = result, error.code.endsSession {
                    // Who has only read may read again.
                    guard !isUncertain || readers.contains(where: { $0 === connection }) else {
                        throw StoreError(
                            .uncertain,
                            "the connection broke while a change was being kept: it may be, or not")
                    }
                    if reconnectCount < Self.reconnectCountMax {
                        reconnectCount += 1
                        continue
                    }
                }
                return try result.get()
            } catch let error as StoreError {
                throw error
            } catch let error as PostgreSQLError {
                throw StoreError(error)
            } catch {
                throw StoreError(.database, "\(error)")
            }
        }
    }

    /// Says to the other nodes that there is new work, once the transaction is committed.
    static func announceWork(_ session: Session) throws(PostgreSQLError) {
        try session.notify(Wakes.channelName)
    }
}

extension StoreError {
    /// What an error of PostgreSQL means to users of a store.
    package init(_ error: PostgreSQLError) {
        let code: Code =
            switch error.code {
            case .full: .full
            case .overloaded, .tooManyConnections, .outOfMemory, .lockTimeout, .serialization, .deadlock:
                .overloaded
            case .uniqueViolation: .conflict
            case _ where error.code.endsSession: .unavailable
            default: .database
            }
        self.init(code, error.description)
    }
}

extension PostgreSQLStore: Store {
    /// The version of the schema that this program knows.
    public var schemaVersion: Int { Self.knownSchemaVersion }
}
