internal import CSQLite

/// A prepared statement; lives in the cache of the database that prepared it and is used on its thread.
final class Statement {
    let handle: OpaquePointer
    let sql: String
    /// True while its rows are being read, so that the same text used again meanwhile gets a statement of its own.
    var isInUse = false
    /// Counts up with each use; the smallest number is the one used longest ago.
    var lastUse: UInt64 = 0

    init(sql: String, database: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        var isAlone = true
        var text = sql
        let result = text.withUTF8 { utf8 -> Int32 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                var tail: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(
                    database, characters.baseAddress, Int32(characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
                if let tail, let start = characters.baseAddress {
                    let rest = characters[(tail - start)...]
                    isAlone = rest.allSatisfy { $0 == 0x20 || $0 == 0x0a || $0 == 0x09 || $0 == 0x3b }
                }
                return result
            }
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, database: database, sql: sql, quotesMessage: true)
        }
        guard let handle else {
            throw SQLiteError(code: .misuse, message: "the text holds no statement", sql: sql)
        }
        guard isAlone else {
            sqlite3_finalize(handle)
            throw SQLiteError(code: .misuse, message: "found more than one statement, allowed: one", sql: sql)
        }
        self.handle = handle
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds every placeholder; their number must match.
    func bind(_ values: [Value], database: OpaquePointer) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == expected else {
            throw SQLiteError(
                code: .misuse, message: "found \(values.count) values, the statement takes \(expected)",
                sql: sql)
        }
        for (offset, value) in values.enumerated() {
            let result = bind(value, at: Int32(offset + 1))
            guard result == SQLITE_OK else {
                throw SQLiteError(result: result, database: database, sql: sql, quotesMessage: false)
            }
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return sqlite3_bind_int64(handle, index, integer)
        case .real(let real):
            return sqlite3_bind_double(handle, index, real)
        case .text(var text):
            return text.withUTF8 { utf8 in
                guard let start = utf8.baseAddress, utf8.count <= Int32.max else {
                    return utf8.isEmpty ? belfry_sqlite3_bind_text(handle, index, "", 0) : SQLITE_TOOBIG
                }
                return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
                    belfry_sqlite3_bind_text(handle, index, $0, Int32(utf8.count))
                }
            }
        case .blob(let blob):
            return blob.withUnsafeBytes { bytes in
                guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
                guard bytes.count <= Int32.max else { return SQLITE_TOOBIG }
                return belfry_sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
            }
        }
    }

    /// Makes the statement ready for its next use and drops the bound values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}
