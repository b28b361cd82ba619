internal import CSQLite

extension Database {
    /// When a transaction takes the write lock.
    public enum TransactionKind: String, Sendable {
        /// At once: two writers wait for each other here instead of failing in the middle.
        case immediate = "IMMEDIATE"
        /// Never, when it only reads: all its queries see the same state.
        case deferred = "DEFERRED"
    }

    /// Runs a closure in a transaction: all of it is kept, or none when it throws.
    ///
    /// Inside another transaction this is a savepoint: an error undoes the inner part only, if the outer closure
    /// catches it. An outcome that is no error of the database is best a return value; to undo on purpose, throw
    /// an error with the code `cancelled`.
    ///
    /// - Parameters:
    ///   - kind: When the write lock is taken; without effect inside another transaction.
    ///   - body: The work; runs once.
    /// - Throws: `busy` when the lock is not had in time, what `body` throws, and `transactionAborted` when SQLite
    ///   had undone the transaction after an error that `body` swallowed.
    @discardableResult
    public func transaction<Success>(
        _ kind: TransactionKind = .immediate, _ body: () throws(SQLiteError) -> Success
    ) throws(SQLiteError) -> Success {
        let depth = transactionDepth
        try execute(depth == 0 ? "BEGIN \(kind.rawValue)" : "SAVEPOINT belfry_\(depth)")
        transactionDepth = depth + 1
        do {
            let success = try body()
            try checkTransaction(sql: nil)
            try execute(depth == 0 ? "COMMIT" : "RELEASE belfry_\(depth)")
            transactionDepth = depth
            return success
        } catch {
            transactionDepth = depth
            undo(depth: depth)
            throw error
        }
    }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Refuses a statement inside a transaction that SQLite has already undone (after `full`, for example):
    /// alone, it would be kept although the statements before it are gone.
    func checkTransaction(sql: String?) throws(SQLiteError) {
        guard transactionDepth > 0, !isInTransaction else { return }
        throw SQLiteError(
            code: .transactionAborted, message: "the transaction was undone after an earlier error", sql: sql)
    }

    private func undo(depth: Int) {
        // After some errors SQLite has rolled back by itself; there is nothing left to undo then.
        guard isInTransaction else { return }
        if depth == 0 {
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
        } else {
            sqlite3_exec(handle, "ROLLBACK TO belfry_\(depth); RELEASE belfry_\(depth)", nil, nil, nil)
        }
    }
}
