internal import CPostgreSQL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A session with a PostgreSQL server, for use on one thread; every call may block on the network.
///
/// Not `Sendable` on purpose: ``Connection`` owns one on a thread of its own and is what concurrent code uses. Text
/// reaches SQL only through placeholders `$1`, `$2`…
public final class Session {
    /// How a session is opened.
    public struct Configuration: Sendable, Hashable {
        /// Where the database is.
        public var connectionString: ConnectionString
        /// The name the server shows for the session.
        public var applicationName: String
        /// How long the server may work on a statement before it gives it up, in milliseconds; 0 for no limit.
        public var statementTimeoutMilliseconds: Int
        /// How long to wait for an answer before the connection counts as lost, in milliseconds.
        public var answerTimeoutMilliseconds: Int
        /// The number of prepared statements that are kept.
        public var statementCountMax: Int

        /// Makes a configuration; the defaults suit short statements.
        public init(
            connectionString: ConnectionString, applicationName: String = "belfry",
            statementTimeoutMilliseconds: Int = 0, answerTimeoutMilliseconds: Int = 120_000,
            statementCountMax: Int = 256
        ) {
            self.connectionString = connectionString
            self.applicationName = applicationName
            self.statementTimeoutMilliseconds = statementTimeoutMilliseconds
            self.answerTimeoutMilliseconds = answerTimeoutMilliseconds
            self.statementCountMax = statementCountMax
        }
    }

    /// Has the server, too, find out within 19 seconds that a client is gone whose packets are dropped.
    ///
    /// What that one has locked in a transaction is in everybody's way until then; by default for two hours.
    private static let lifeSigns = """
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3;
        SET tcp_user_timeout = \(ConnectionString.acknowledgeTimeoutMilliseconds)
        """

    let handle: OpaquePointer
    let answerTimeoutMilliseconds: Int
    var cache: StatementCache
    var transactionDepth = 0
    /// Whether a transaction has tried to commit and its end is not known; see ``transaction(_:_:)``.
    public internal(set) var isCommitUncertain = false
    private let noticeCount: UnsafeMutablePointer<Int>

    /// Connects; blocks until a host of the wanted kind has answered.
    ///
    /// - Throws: `connectionFailed`, `authentication`, `unavailable`, `tooManyConnections`.
    public init(_ configuration: Configuration) throws(PostgreSQLError) {
        let parameters = configuration.connectionString.completed(
            applicationName: configuration.applicationName)
        guard let handle = Self.connect(parameters) else {
            throw PostgreSQLError(code: .outOfMemory, message: "there is no memory for a connection")
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw Self.connectError(handle, configuration.connectionString)
        }
        self.handle = handle
        answerTimeoutMilliseconds = configuration.answerTimeoutMilliseconds
        cache = StatementCache(countMax: configuration.statementCountMax)
        noticeCount = .allocate(capacity: 1)
        noticeCount.initialize(to: 0)
        PQsetnonblocking(handle, 1)
        // Without this libpq prints warnings on stderr, and warnings may quote values.
        PQsetNoticeReceiver(
            handle,
            { context, _ in context?.assumingMemoryBound(to: Int.self).pointee += 1 }, noticeCount)
        guard String(cString: PQparameterStatus(handle, "server_encoding")) == "UTF8" else {
            throw PostgreSQLError(
                code: .connectionFailed, message: "the database's encoding is not UTF8, which is needed")
        }
        try executeScript(
            """
            SET statement_timeout = \(configuration.statementTimeoutMilliseconds); SET TimeZone = 'UTC';
            \(Self.lifeSigns)
            """)
    }

    deinit {
        PQfinish(handle)
        noticeCount.deallocate()
    }

    /// How many warnings and notices the server has sent.
    public var serverNoticeCount: Int { noticeCount.pointee }

    /// Whether the connection is gone; the session is of no more use then.
    public internal(set) var isBroken = false

    /// The server's version, for example 150018 for 15.18.
    public var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// Which of several hosts the session is with.
    public var host: String { PQhost(handle).map { String(cString: $0) } ?? "" }

    // MARK: - Connecting

    private static func connect(_ parameters: [String: String]) -> OpaquePointer? {
        let keywords = parameters.keys.sorted()
        let copies = (keywords + keywords.map { parameters[$0] ?? "" }).map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) }
        let names = Array(pointers.prefix(keywords.count)) + [nil]
        let values = Array(pointers.dropFirst(keywords.count)) + [nil]
        return PQconnectdbParams(names, values, 0)
    }

    /// libpq's message names hosts, users and databases, never passwords; its lines are joined.
    private static func connectError(
        _ handle: OpaquePointer, _ connectionString: ConnectionString
    ) -> PostgreSQLError {
        let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        var lines = text.split(whereSeparator: \.isNewline).map { $0.trimmed }
        lines.removeAll { $0.isEmpty }
        let message = String(lines.joined(separator: "; ").prefix(600))
        let code: PostgreSQLError.Code =
            if PQconnectionNeedsPassword(handle) != 0 || PQconnectionUsedPassword(handle) != 0,
                text.contains("authentication") || text.contains("password")
            {
                .authentication
            } else if text.contains("the database system is") {
                .unavailable
            } else {
                .connectionFailed
            }
        return PostgreSQLError(code: code, message: "\(connectionString): \(message)")
    }

    // MARK: - Waiting

    /// The next result of what was sent; nil when there are no more.
    func nextResult() throws(PostgreSQLError) -> QueryResult? {
        let deadline = MonotonicTime.milliseconds() + Int64(answerTimeoutMilliseconds)
        while true {
            let rest = PQflush(handle)
            guard rest >= 0 else { throw lost() }
            if rest == 0, PQisBusy(handle) == 0 {
                return PQgetResult(handle).map(QueryResult.init(takingOwnership:))
            }
            guard wait(forOutput: rest == 1, until: deadline) else { throw lost() }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    /// Waits until the socket has input, or takes output; false when the deadline has passed.
    func wait(forOutput: Bool, until deadline: Int64) -> Bool {
        while true {
            let left = deadline - MonotonicTime.milliseconds()
            guard left > 0 else { return false }
            var descriptor = pollfd(
                fd: PQsocket(handle), events: Int16(forOutput ? POLLIN | POLLOUT : POLLIN), revents: 0)
            let count = poll(&descriptor, 1, Int32(clamping: min(left, 60_000)))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Marks the session as broken.
    func lost(sql: String? = nil) -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(
            code: .connectionLost, message: "the connection to the server is gone or does not answer",
            sql: sql)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
