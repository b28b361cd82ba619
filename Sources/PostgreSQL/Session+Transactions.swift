internal import CPostgreSQL

extension Session {
    /// What a transaction sees of others, and whether it may change anything.
    public enum TransactionKind: String, Sendable {
        /// Each statement sees what was committed before it.
        case readWrite = "ISOLATION LEVEL READ COMMITTED READ WRITE"
        /// All statements see the same state, and change nothing.
        case snapshot = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
    }

    /// Runs a closure in a transaction: all of it is kept, or none when it throws.
    ///
    /// Inside another transaction this is a savepoint. When the connection breaks while the end is on its way,
    /// nobody knows whether it was kept: ``isCommitUncertain`` says so.
    ///
    /// - Throws: What `body` throws and what the server reports.
    @discardableResult
    public func transaction<Success>(
        _ kind: TransactionKind = .readWrite, _ body: () throws -> Success
    ) throws -> Success {
        let depth = transactionDepth
        if depth == 0 { isCommitUncertain = false }
        try query(depth == 0 ? "BEGIN \(kind.rawValue)" : "SAVEPOINT belfry_\(depth)")
        transactionDepth = depth + 1
        do {
            let success = try body()
            transactionDepth = depth
            if depth == 0 {
                try commit()
            } else {
                try query("RELEASE SAVEPOINT belfry_\(depth)")
            }
            return success
        } catch {
            transactionDepth = depth
            undo(depth: depth)
            throw error
        }
    }

    private func commit() throws(PostgreSQLError) {
        isCommitUncertain = true
        do throws(PostgreSQLError) {
            try query("COMMIT")
        } catch {
            if !isBroken { isCommitUncertain = false }
            throw error
        }
        isCommitUncertain = false
    }

    private func undo(depth: Int) {
        guard !isBroken, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        let text =
            depth == 0
            ? "ROLLBACK" : "ROLLBACK TO SAVEPOINT belfry_\(depth); RELEASE SAVEPOINT belfry_\(depth)"
        do throws(PostgreSQLError) {
            try executeScript(text)
        } catch {
            // What cannot be rolled back is rolled back by ending the session.
            isBroken = true
        }
    }

    // MARK: - Advisory locks

    /// Takes a lock by number for as long as the transaction runs; waits for it.
    public func lockInTransaction(_ number: Int64) throws(PostgreSQLError) {
        try query("SELECT pg_advisory_xact_lock($1)", [.integer(number)])
    }

    /// Takes a lock by number for as long as the transaction runs, unless somebody has it.
    ///
    /// - Returns: Whether it was free.
    public func tryLockInTransaction(_ number: Int64) throws(PostgreSQLError) -> Bool {
        try query("SELECT pg_try_advisory_xact_lock($1)", [.integer(number)])[0].boolean(0)
    }

    /// Takes a lock by number for as long as the session lives, unless somebody has it.
    ///
    /// - Returns: Whether it was free.
    public func tryLock(_ number: Int64) throws(PostgreSQLError) -> Bool {
        try query("SELECT pg_try_advisory_lock($1)", [.integer(number)])[0].boolean(0)
    }

    /// Gives a lock of the session back.
    ///
    /// - Returns: Whether the session had it.
    @discardableResult
    public func unlock(_ number: Int64) throws(PostgreSQLError) -> Bool {
        try query("SELECT pg_advisory_unlock($1)", [.integer(number)])[0].boolean(0)
    }
}
