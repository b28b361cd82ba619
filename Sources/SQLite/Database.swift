internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open SQLite file, for use on one thread; every call may block on the disk.
///
/// Not `Sendable` on purpose: ``Connection`` owns one on a thread of its own and is what concurrent code uses.
/// Files are created with mode 0600. Text reaches SQL only through placeholders.
public final class Database {
    /// How a database is opened.
    public struct Configuration: Sendable, Hashable {
        /// What the connection may do with the file.
        public enum Access: Sendable, Hashable {
            case readOnly
            case readWrite
            /// Creates the file when it does not exist.
            case readWriteCreate
        }

        /// When SQLite waits for the disk (`PRAGMA synchronous`).
        public enum Synchronous: String, Sendable, Hashable {
            /// After a power failure the last transactions may be missing; after a crash of the process none is.
            case normal = "NORMAL"
            /// Every committed transaction survives a power failure.
            case full = "FULL"
        }

        /// What the connection may do with the file.
        public var access: Access
        /// When SQLite waits for the disk.
        public var synchronous: Synchronous
        /// How long a statement waits for a lock another connection holds before it fails with `busy`.
        public var busyTimeoutMilliseconds: Int32
        /// The number of prepared statements that are kept.
        public var statementCountMax: Int
        /// The largest size of the file in pages of 4 KB, or nil for SQLite's own limit.
        public var pageCountMax: Int64?

        /// Makes a configuration; the defaults suit a file that one process writes.
        public init(
            access: Access = .readWriteCreate, synchronous: Synchronous = .normal,
            busyTimeoutMilliseconds: Int32 = 5_000, statementCountMax: Int = 64, pageCountMax: Int64? = nil
        ) {
            self.access = access
            self.synchronous = synchronous
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
            self.statementCountMax = statementCountMax
            self.pageCountMax = pageCountMax
        }
    }

    let handle: OpaquePointer
    var cache: StatementCache
    var transactionDepth = 0
    /// When running statements fail with `interrupted`; nil for never.
    public var deadline: StatementDeadline? {
        didSet { applyDeadline() }
    }

    /// Opens a file, or a database in memory with the path `:memory:`.
    ///
    /// Sets the write-ahead log, foreign keys and the busy timeout, and switches off SQLite's habit of reading
    /// a misspelt name in double quotes as a text.
    ///
    /// - Throws: `cannotOpen`, `permission`, `readOnly`, `notADatabase`, `corrupt`, `busy`.
    public init(path: String, configuration: Configuration = Configuration()) throws(SQLiteError) {
        let isInMemory = path == ":memory:"
        if configuration.access == .readWriteCreate, !isInMemory { Self.createPrivately(path) }
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(path, &handle, configuration.access.flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle, result == SQLITE_OK else {
            defer { sqlite3_close_v2(handle) }
            let error = SQLiteError(result: result, database: handle, sql: nil, quotesMessage: true)
            throw SQLiteError(code: error.code, message: "\(path): \(error.message)", extendedCode: result)
        }
        self.handle = handle
        cache = StatementCache(countMax: configuration.statementCountMax)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, configuration.busyTimeoutMilliseconds)
        belfry_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        belfry_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        belfry_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        belfry_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        try configure(configuration, isInMemory: isInMemory)
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
    }

    private func configure(_ configuration: Configuration, isInMemory: Bool) throws(SQLiteError) {
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
        if let pageCountMax = configuration.pageCountMax {
            try execute("PRAGMA max_page_count = \(pageCountMax)")
        }
        guard configuration.access != .readOnly, !isInMemory else {
            // Reading the schema finds a file that is no database at once instead of at the first query.
            try execute("PRAGMA schema_version")
            return
        }
        let mode = try first("PRAGMA journal_mode = WAL") { row throws(SQLiteError) in try row.string(0) }
        guard mode == "wal" else {
            throw SQLiteError(
                code: .cannotOpen,
                message: "found journal mode \(mode ?? "none"), the file system must allow wal")
        }
    }

    /// Creates the file with mode 0600 before SQLite would create it with the process's mask.
    private static func createPrivately(_ path: String) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        // A failure shows again, with its reason, when SQLite opens the file.
        if descriptor >= 0 { close(descriptor) }
    }
}

extension Database.Configuration.Access {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .readWrite: SQLITE_OPEN_READWRITE
        case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}
