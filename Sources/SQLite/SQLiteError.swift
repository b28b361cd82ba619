/// An error of an SQLite database: what went wrong, in which statement, never with a bound value.
public struct SQLiteError: Error, Sendable, Hashable {
    /// The kind of the error.
    public var code: Code
    /// A sentence for a person, without any bound value.
    public var message: String
    /// SQLite's extended result code, or 0 where the error was found by this module.
    public var extendedCode: Int32
    /// The SQL text of the statement, as written in the source with its placeholders, cut at 300 bytes.
    public var sql: String?

    /// Makes an error.
    public init(code: Code, message: String, extendedCode: Int32 = 0, sql: String? = nil) {
        self.code = code
        self.message = message
        self.extendedCode = extendedCode
        self.sql = sql.map { String($0.prefix(Self.sqlCharacterCountMax)) }
    }

    static let sqlCharacterCountMax = 300
}

extension SQLiteError: CustomStringConvertible {
    /// The code, the message, SQLite's number and the statement.
    public var description: String {
        var text = "\(code): \(message)"
        if extendedCode != 0 { text += " (SQLite result \(extendedCode))" }
        if let sql { text += " in: \(sql)" }
        return text
    }
}

extension SQLiteError {
    /// The kind of an SQLite error; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case busy, locked, full, readOnly, corrupt, notADatabase, cannotOpen, inputOutput, outOfMemory
            case uniqueConstraint, foreignKeyConstraint, notNullConstraint, checkConstraint, constraint
            case tooBig, interrupted, permission, misuse, function, sql
            case schemaIsNewer, schemaIsForeign, migrationFailed
            case typeMismatch, transactionAborted, cancelled, overloaded, closed
        }

        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The code's name.
        public var description: String { name.rawValue }

        /// Another connection holds the lock and did not release it within the busy timeout.
        public static let busy = Code(.busy)
        /// A conflict inside this process, for example a table that is being read while it is dropped.
        public static let locked = Code(.locked)
        /// The disk, the quota or the configured page limit is used up.
        public static let full = Code(.full)
        /// The file, its folder or the connection does not allow writing.
        public static let readOnly = Code(.readOnly)
        /// The file is damaged.
        public static let corrupt = Code(.corrupt)
        /// The file is not an SQLite database at all.
        public static let notADatabase = Code(.notADatabase)
        /// The file could not be opened or created.
        public static let cannotOpen = Code(.cannotOpen)
        /// The operating system reported an error while reading or writing.
        public static let inputOutput = Code(.inputOutput)
        /// Memory is used up.
        public static let outOfMemory = Code(.outOfMemory)
        /// A row with this key exists already.
        public static let uniqueConstraint = Code(.uniqueConstraint)
        /// A row refers to one that does not exist.
        public static let foreignKeyConstraint = Code(.foreignKeyConstraint)
        /// A column that must have a value got none.
        public static let notNullConstraint = Code(.notNullConstraint)
        /// A value does not satisfy the condition of its column or table.
        public static let checkConstraint = Code(.checkConstraint)
        /// Another constraint was violated.
        public static let constraint = Code(.constraint)
        /// A text or blob is larger than SQLite allows.
        public static let tooBig = Code(.tooBig)
        /// The statement was interrupted.
        public static let interrupted = Code(.interrupted)
        /// The operating system refused access.
        public static let permission = Code(.permission)
        /// The module was used wrongly, for example with too few bound values.
        public static let misuse = Code(.misuse)
        /// A function that this program registered refused its arguments; the message is its own.
        public static let function = Code(.function)
        /// The SQL text is wrong or refers to something that does not exist.
        public static let sql = Code(.sql)
        /// The file was written by a newer version of the program.
        public static let schemaIsNewer = Code(.schemaIsNewer)
        /// The file holds tables of something else.
        public static let schemaIsForeign = Code(.schemaIsForeign)
        /// A migration list is inconsistent with itself or with the file.
        public static let migrationFailed = Code(.migrationFailed)
        /// A column holds another type than the caller asked for.
        public static let typeMismatch = Code(.typeMismatch)
        /// SQLite rolled the transaction back by itself after an earlier error.
        public static let transactionAborted = Code(.transactionAborted)
        /// For callers: thrown inside a transaction to roll it back on purpose.
        public static let cancelled = Code(.cancelled)
        /// Too many jobs wait for the connection.
        public static let overloaded = Code(.overloaded)
        /// The connection is closed.
        public static let closed = Code(.closed)
    }
}
