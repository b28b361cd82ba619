/// An error of a PostgreSQL database: what went wrong, in which statement, never with a value or a password.
public struct PostgreSQLError: Error, Sendable, Hashable {
    /// The kind of the error.
    public var code: Code
    /// A sentence for a person, without values of parameters.
    public var message: String
    /// The server's five letters and digits (SQLSTATE); nil where the error was found by this module.
    public var sqlState: String?
    /// The SQL text of the statement, as written in the source with its placeholders, cut at 300 characters.
    public var sql: String?

    /// Makes an error.
    public init(code: Code, message: String, sqlState: String? = nil, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.sql = sql.map { String($0.prefix(Self.sqlCharacterCountMax)) }
    }

    static let sqlCharacterCountMax = 300
}

extension PostgreSQLError: CustomStringConvertible {
    /// The code, the message, the SQLSTATE and the statement.
    public var description: String {
        var text = "\(code): \(message)"
        if let sqlState { text += " (SQLSTATE \(sqlState))" }
        if let sql { text += " in: \(sql)" }
        return text
    }
}

extension PostgreSQLError {
    /// The kind of a PostgreSQL error; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case connectionString, connectionFailed, connectionLost, authentication, unavailable, readOnly
            case uniqueViolation, foreignKeyViolation, notNullViolation, checkViolation, constraint
            case serialization, deadlock, lockTimeout, queryCancelled
            case full, outOfMemory, tooManyConnections, insufficientPrivilege, data, sql, transactionAborted
            case schemaIsNewer, schemaIsOlder, migrationFailed
            case typeMismatch, misuse, cancelled, overloaded, closed, other
        }

        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The code's name.
        public var description: String { name.rawValue }

        /// The connection string cannot be read.
        public static let connectionString = Code(.connectionString)
        /// No server could be reached, or none of the wanted kind.
        public static let connectionFailed = Code(.connectionFailed)
        /// The connection broke while it was in use; what was not committed is undone.
        public static let connectionLost = Code(.connectionLost)
        /// The server does not know the user or the password.
        public static let authentication = Code(.authentication)
        /// The server starts, stops or recovers.
        public static let unavailable = Code(.unavailable)
        /// The server takes no changes: it is a standby, or it was made read-only.
        public static let readOnly = Code(.readOnly)
        /// A row with this key exists already.
        public static let uniqueViolation = Code(.uniqueViolation)
        /// A row refers to one that does not exist.
        public static let foreignKeyViolation = Code(.foreignKeyViolation)
        /// A column that must have a value got none.
        public static let notNullViolation = Code(.notNullViolation)
        /// A value does not satisfy the condition of its column or table.
        public static let checkViolation = Code(.checkViolation)
        /// Another constraint was violated.
        public static let constraint = Code(.constraint)
        /// Another transaction changed the same rows; the whole transaction may be run again.
        public static let serialization = Code(.serialization)
        /// Two transactions waited for each other; the whole transaction may be run again.
        public static let deadlock = Code(.deadlock)
        /// A lock was not had in time.
        public static let lockTimeout = Code(.lockTimeout)
        /// The statement ran longer than it may, or somebody cancelled it.
        public static let queryCancelled = Code(.queryCancelled)
        /// The server's disk is used up.
        public static let full = Code(.full)
        /// The server's memory is used up.
        public static let outOfMemory = Code(.outOfMemory)
        /// The server takes no more connections.
        public static let tooManyConnections = Code(.tooManyConnections)
        /// The user may not do this.
        public static let insufficientPrivilege = Code(.insufficientPrivilege)
        /// A value is none of its type, or too large.
        public static let data = Code(.data)
        /// The SQL text is wrong or refers to something that does not exist.
        public static let sql = Code(.sql)
        /// An earlier statement of the transaction failed.
        public static let transactionAborted = Code(.transactionAborted)
        /// The database was written by a newer version of the program that this one cannot work beside.
        public static let schemaIsNewer = Code(.schemaIsNewer)
        /// The database lacks steps that this program needs and may not take.
        public static let schemaIsOlder = Code(.schemaIsOlder)
        /// A migration list is inconsistent with itself or with the database.
        public static let migrationFailed = Code(.migrationFailed)
        /// A column holds another type than the caller asked for.
        public static let typeMismatch = Code(.typeMismatch)
        /// The module was used wrongly.
        public static let misuse = Code(.misuse)
        /// For callers: thrown inside a transaction to roll it back on purpose.
        public static let cancelled = Code(.cancelled)
        /// Too many jobs wait for the connection.
        public static let overloaded = Code(.overloaded)
        /// The connection is closed.
        public static let closed = Code(.closed)
        /// Anything else the server reports.
        public static let other = Code(.other)
    }
}

extension PostgreSQLError.Code {
    /// The kind of a SQLSTATE (PostgreSQL: appendix A, error codes; SQL: the first two are the class).
    init(sqlState: String) {
        switch sqlState {
        case "23505": self = .uniqueViolation
        case "23503": self = .foreignKeyViolation
        case "23502": self = .notNullViolation
        case "23514": self = .checkViolation
        case "25006": self = .readOnly
        case "25P02": self = .transactionAborted
        case "28000", "28P01": self = .authentication
        case "40001": self = .serialization
        case "40P01": self = .deadlock
        case "42501": self = .insufficientPrivilege
        case "53100": self = .full
        case "53200": self = .outOfMemory
        case "53300": self = .tooManyConnections
        case "55P03": self = .lockTimeout
        case "57014": self = .queryCancelled
        case "57P01", "57P02", "57P03", "57P05": self = .unavailable
        default:
            switch sqlState.prefix(2) {
            case "08": self = .connectionLost
            case "22": self = .data
            case "23": self = .constraint
            case "42", "0A", "3D", "3F": self = .sql
            default: self = .other
            }
        }
    }

    /// Whether the same transaction, run again from its start, may succeed.
    public var isRetryable: Bool { self == .serialization || self == .deadlock }

    /// Whether the session is of no more use: another connection has to be made.
    public var endsSession: Bool {
        self == .connectionLost || self == .connectionFailed || self == .unavailable || self == .readOnly
            || self == .closed
    }
}
