internal import CSQLite

extension Database {
    /// Runs one statement to its end and drops its rows.
    ///
    /// - Parameters:
    ///   - sql: One statement; values go through `?` placeholders, never into the text.
    ///   - values: One value for each placeholder, in order.
    /// - Returns: The number of rows the statement inserted, changed or deleted.
    /// - Throws: Whatever SQLite reports; nothing of the statement remains.
    @discardableResult
    public func execute(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int {
        let before = sqlite3_total_changes64(handle)
        try forEach(sql, values) { _ throws(SQLiteError) in }
        return Int(sqlite3_total_changes64(handle) - before)
    }

    /// Runs several statements without values, one after the other; for schemas.
    ///
    /// - Throws: Whatever SQLite reports; the statements before the failing one stay done.
    public func executeScript(_ sql: String) throws(SQLiteError) {
        try checkTransaction(sql: sql)
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, database: handle, sql: sql, quotesMessage: true)
        }
    }

    /// Calls a closure for each row of a query.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - values: One value for each placeholder, in order.
    ///   - body: Receives each row; the row is valid only inside. An error it throws ends the query.
    public func forEach(
        _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try checkTransaction(sql: sql)
        let statement = try cache.take(sql, database: handle)
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(values, database: handle)
        while true {
            switch sqlite3_step(statement.handle) {
            case SQLITE_ROW:
                try body(Row(statement: statement))
            case SQLITE_DONE:
                return
            case let result:
                throw SQLiteError(
                    result: result, database: handle, sql: sql, quotesMessage: values.isEmpty)
            }
        }
    }

    /// The rows of a query, each turned into a value.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - values: One value for each placeholder, in order.
    ///   - body: Turns a row into a value; the row is valid only inside.
    public func all<Element>(
        _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> [Element] {
        var elements: [Element] = []
        try forEach(sql, values) { row throws(SQLiteError) in elements.append(try body(row)) }
        return elements
    }

    /// The first row of a query turned into a value, or nil when there is none.
    ///
    /// - Parameters:
    ///   - sql: One statement; rows after the first are not read.
    ///   - values: One value for each placeholder, in order.
    ///   - body: Turns the row into a value; the row is valid only inside.
    public func first<Element>(
        _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> Element? {
        try checkTransaction(sql: sql)
        let statement = try cache.take(sql, database: handle)
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(values, database: handle)
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW:
            return try body(Row(statement: statement))
        case SQLITE_DONE:
            return nil
        case let result:
            throw SQLiteError(result: result, database: handle, sql: sql, quotesMessage: values.isEmpty)
        }
    }

    /// The row id of the last row this connection inserted.
    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Moves the write-ahead log into the file and empties it, as far as readers allow.
    public func checkpoint() throws(SQLiteError) {
        let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, database: handle, sql: nil, quotesMessage: true)
        }
    }

    /// Runs SQLite's own check of the file and throws `corrupt` with its first findings.
    public func checkIntegrity() throws(SQLiteError) {
        let findings = try all("PRAGMA integrity_check(5)") { row throws(SQLiteError) in try row.string(0) }
        guard findings == ["ok"] else {
            throw SQLiteError(code: .corrupt, message: findings.joined(separator: "; "))
        }
    }
}
