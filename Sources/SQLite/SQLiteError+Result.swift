internal import CSQLite

extension SQLiteError {
    /// The extended code that a registered function fails with: `SQLITE_CONSTRAINT_FUNCTION`.
    ///
    /// SQLite itself never uses it, so that its message is always the function's own.
    static let functionResult = SQLITE_CONSTRAINT | Code.ConstraintKind.function << 8

    /// Builds the error for a result code of SQLite.
    ///
    /// SQLite's own message names tables and columns, yet for a general error at run time it may quote a value
    /// (full-text queries do). `quotesMessage` is therefore true only where no value is bound.
    init(result: Int32, database: OpaquePointer?, sql: String?, quotesMessage: Bool) {
        let code = Code(result: result)
        let general = String(cString: sqlite3_errstr(result))
        var message = general
        if let database, quotesMessage || code.hasSafeMessage {
            let specific = String(cString: sqlite3_errmsg(database))
            if specific != general, specific != "not an error" { message = specific }
        }
        self.init(code: code, message: message, extendedCode: result, sql: sql)
    }
}

extension SQLiteError.Code {
    /// The extended codes of `SQLITE_CONSTRAINT`: the high byte of the result.
    fileprivate enum ConstraintKind {
        static let check: Int32 = 1
        static let foreignKey: Int32 = 3
        static let function: Int32 = 4
        static let notNull: Int32 = 5
        static let primaryKey: Int32 = 6
        static let unique: Int32 = 8
        static let rowID: Int32 = 10
    }

    init(result: Int32) {
        switch result & 0xff {
        case SQLITE_BUSY: self = .busy
        case SQLITE_LOCKED: self = .locked
        case SQLITE_FULL: self = .full
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_CORRUPT: self = .corrupt
        case SQLITE_NOTADB: self = .notADatabase
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_IOERR: self = .inputOutput
        case SQLITE_NOMEM: self = .outOfMemory
        case SQLITE_CONSTRAINT: self.init(constraint: result >> 8)
        case SQLITE_TOOBIG: self = .tooBig
        case SQLITE_INTERRUPT: self = .interrupted
        case SQLITE_PERM, SQLITE_AUTH: self = .permission
        case SQLITE_MISUSE, SQLITE_RANGE: self = .misuse
        default: self = .sql
        }
    }

    private init(constraint kind: Int32) {
        switch kind {
        case ConstraintKind.check: self = .checkConstraint
        case ConstraintKind.foreignKey: self = .foreignKeyConstraint
        case ConstraintKind.function: self = .function
        case ConstraintKind.notNull: self = .notNullConstraint
        case ConstraintKind.primaryKey, ConstraintKind.unique, ConstraintKind.rowID: self = .uniqueConstraint
        default: self = .constraint
        }
    }

    /// Whether SQLite's message for this code names only tables, columns and files.
    fileprivate var hasSafeMessage: Bool {
        switch self {
        case .uniqueConstraint, .foreignKeyConstraint, .notNullConstraint, .checkConstraint, .busy, .locked,
            .function, .full, .readOnly, .corrupt, .notADatabase, .cannotOpen, .inputOutput:
            true
        default: false
        }
    }
}
