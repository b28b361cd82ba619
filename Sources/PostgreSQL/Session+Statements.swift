internal import CPostgreSQL

/// One statement with the values of its placeholders.
public struct Statement: Sendable, Hashable {
    /// One statement; values go through `$1`, `$2`…, never into the text.
    public var sql: String
    /// One for each placeholder.
    public var values: [Value]

    /// Makes a statement.
    public init(_ sql: String, _ values: [Value] = []) {
        self.sql = sql
        self.values = values
    }
}

extension Session {
    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: One statement; values go through `$1`, `$2`…, never into the text.
    ///   - values: One value for each placeholder.
    ///   - isKept: Whether it is prepared and kept for the next time; false for texts that hardly come twice, which
    ///     the server then plans for their values.
    /// - Returns: The rows, all of them.
    /// - Throws: Whatever the server reports; nothing of the statement remains.
    @discardableResult
    public func query(
        _ sql: String, _ values: [Value] = [], isKept: Bool = true
    ) throws(PostgreSQLError) -> Rows {
        let name = isKept ? try prepare(sql, values) : nil
        try send(name, sql, values)
        return Rows(result: try onlyResult(sql))
    }

    /// Runs one statement and gives the number of rows it inserted, changed or deleted.
    ///
    /// - Throws: Whatever the server reports.
    @discardableResult
    public func execute(
        _ sql: String, _ values: [Value] = [], isKept: Bool = true
    ) throws(PostgreSQLError) -> Int {
        try query(sql, values, isKept: isKept).affectedCount
    }

    /// Runs several statements without values, one after the other; for schemas.
    ///
    /// - Throws: Whatever the server reports. Outside of a transaction they are all done or none is.
    public func executeScript(_ sql: String) throws(PostgreSQLError) {
        guard !isBroken, PQsendQuery(handle, sql) == 1 else { throw lost() }
        _ = try onlyResult(nil)
    }

    /// Sends several statements at once and waits once: one round trip (PostgreSQL: libpq, pipeline mode).
    ///
    /// Outside of a transaction they are one transaction. When one fails, those after it are not run.
    /// - Returns: The rows of each.
    /// - Throws: What the server reports for the first that failed.
    @discardableResult
    public func pipeline(_ statements: [Statement]) throws(PostgreSQLError) -> [Rows] {
        guard statements.count > 1 else {
            return try statements.map { statement throws(PostgreSQLError) in
                try query(statement.sql, statement.values)
            }
        }
        var names: [String] = []
        for statement in statements { names.append(try prepare(statement.sql, statement.values)) }
        guard !isBroken, PQenterPipelineMode(handle) == 1 else { throw lost() }
        for (statement, name) in zip(statements, names) { try send(name, statement.sql, statement.values) }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        var all: [Rows] = []
        var failure: PostgreSQLError?
        for statement in statements {
            while let result = try nextResult() {
                if let error = result.error(sql: statement.sql) {
                    failure = failure ?? error
                } else if result.status != PGRES_PIPELINE_ABORTED {
                    all.append(Rows(result: result))
                }
                if PQstatus(handle) != CONNECTION_OK { throw lost(sql: statement.sql) }
            }
        }
        guard try nextResult()?.status == PGRES_PIPELINE_SYNC, PQexitPipelineMode(handle) == 1 else {
            throw lost()
        }
        if let failure { throw noted(failure) }
        return all
    }

    /// Runs a query and hands out its rows in pages, so that no more than one is in memory.
    ///
    /// Needs a transaction around it, whose cursor it is.
    /// - Parameter body: Gets a page; false ends the query.
    /// - Throws: Whatever the server reports, and what `body` throws.
    public func forEachPage(
        _ sql: String, _ values: [Value], rowCountMax: Int, _ body: (Rows) throws -> Bool
    ) throws {
        precondition(transactionDepth > 0, "a cursor lives in a transaction")
        let name = "belfry_cursor_\(transactionDepth)"
        try query("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values, isKept: false)
        while true {
            let rows = try query("FETCH \(rowCountMax) FROM \(name)", isKept: false)
            let goesOn = rows.isEmpty ? false : try body(rows)
            if !goesOn || rows.count < rowCountMax { break }
        }
        try query("CLOSE \(name)", isKept: false)
    }

    // MARK: - Parts

    /// The name of a statement, prepared when it is not yet.
    private func prepare(_ sql: String, _ values: [Value]) throws(PostgreSQLError) -> String {
        let key = StatementCache.Key(sql: sql, types: values.map(\.typeNumber))
        if let name = cache.name(of: key) { return name }
        let (name, evicted) = cache.add(key)
        do throws(PostgreSQLError) {
            if let evicted { try executeScript("DEALLOCATE \(evicted)") }
            guard !isBroken,
                PQsendPrepare(handle, name, sql, Int32(values.count), key.types.map { Oid($0) }) == 1
            else { throw lost(sql: sql) }
            _ = try onlyResult(sql)
            return name
        } catch {
            cache.remove(key)
            throw error
        }
    }

    private func send(_ name: String?, _ sql: String, _ values: [Value]) throws(PostgreSQLError) {
        guard !isBroken else { throw lost(sql: sql) }
        let binaries = values.map(\.binary)
        var storage: [UInt8] = []
        var offsets: [Int?] = []
        for binary in binaries {
            guard let binary else {
                offsets.append(nil)
                continue
            }
            offsets.append(storage.count)
            storage += binary
            // An empty value has an address too.
            storage.append(0)
        }
        let lengths = binaries.map { Int32($0?.count ?? 0) }
        let formats = Array(repeating: Int32(1), count: values.count)
        let isSent = storage.withUnsafeBytes { bytes -> Bool in
            let pointers: [UnsafePointer<CChar>?] = offsets.map { offset in
                offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            if let name {
                return PQsendQueryPrepared(
                    handle, name, Int32(values.count), pointers, lengths, formats, 1) == 1
            }
            return PQsendQueryParams(
                handle, sql, Int32(values.count), values.map { Oid($0.typeNumber) }, pointers, lengths,
                formats,
                1) == 1
        }
        guard isSent else {
            guard PQstatus(handle) == CONNECTION_OK else { throw lost(sql: sql) }
            throw PostgreSQLError(
                code: .misuse, message: "the statement cannot be sent with \(values.count) values", sql: sql)
        }
    }

    /// The last result of what was sent; throws the first error.
    func onlyResult(_ sql: String?) throws(PostgreSQLError) -> QueryResult {
        var last: QueryResult?
        var failure: PostgreSQLError?
        while let result = try nextResult() {
            if failure == nil, let error = result.error(sql: sql) { failure = error }
            last = result
            if result.status == PGRES_COPY_IN { return result }
            if PQstatus(handle) != CONNECTION_OK { throw lost(sql: sql) }
        }
        if let failure { throw noted(failure) }
        guard let last else { throw lost(sql: sql) }
        return last
    }

    /// Remembers what an error says about the session.
    func noted(_ error: PostgreSQLError) -> PostgreSQLError {
        if error.code.endsSession { isBroken = true }
        return error
    }
}
