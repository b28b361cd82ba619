internal import CPostgreSQL

extension Session {
    /// How much of a copy is gathered before it is sent, in bytes.
    private static let copyByteCount = 256 * 1024

    /// Adds many rows to a table: the fastest way in (PostgreSQL: COPY, binary format).
    ///
    /// - Parameters:
    ///   - table: The table, written in the source.
    ///   - columns: Its columns, written in the source, with commas between them.
    ///   - rows: One value for each column, of exactly the column's type.
    /// - Returns: The number of rows.
    /// - Throws: Whatever the server reports; no row is kept then.
    @discardableResult
    public func copy(
        _ table: StaticString, _ columns: StaticString, _ rows: some Sequence<[Value]>
    ) throws(PostgreSQLError) -> Int {
        let sql = "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
        guard !isBroken, PQsendQuery(handle, sql) == 1 else { throw lost(sql: sql) }
        guard try onlyResult(sql).status == PGRES_COPY_IN else {
            throw PostgreSQLError(code: .misuse, message: "the statement takes no rows", sql: sql)
        }
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00]
        bytes += Array(repeating: 0, count: 8)
        for row in rows {
            bytes += Value.bigEndian(Int16(row.count))
            for value in row {
                guard let binary = value.binary else {
                    bytes += Value.bigEndian(Int32(-1))
                    continue
                }
                bytes += Value.bigEndian(Int32(binary.count))
                bytes += binary
            }
            if bytes.count >= Self.copyByteCount {
                try put(bytes, sql)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        bytes += Value.bigEndian(Int16(-1))
        try put(bytes, sql)
        while true {
            let result = PQputCopyEnd(handle, nil)
            if result == 1 { break }
            guard result == 0, waitForOutput() else { throw lost(sql: sql) }
        }
        return Rows(result: try onlyResult(sql)).affectedCount
    }

    private func put(_ bytes: [UInt8], _ sql: String) throws(PostgreSQLError) {
        while true {
            let result = bytes.withUnsafeBytes {
                PQputCopyData(
                    handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
            if result == 1 { break }
            guard result == 0, waitForOutput() else { throw lost(sql: sql) }
        }
        // What is not sent stays in libpq's memory: it must not pile up.
        while true {
            let rest = PQflush(handle)
            if rest == 0 { return }
            guard rest == 1, waitForOutput() else { throw lost(sql: sql) }
        }
    }

    private func waitForOutput() -> Bool {
        let deadline = MonotonicTime.milliseconds() + Int64(answerTimeoutMilliseconds)
        guard wait(forOutput: true, until: deadline) else { return false }
        return PQconsumeInput(handle) == 1
    }
}
