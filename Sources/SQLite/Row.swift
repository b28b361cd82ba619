internal import CSQLite

/// One row of a result, valid only inside the closure that receives it.
///
/// Columns are counted from 0. The typed readers refuse another type than the one asked for; SQLite's own silent
/// conversions (text that becomes 0) never happen. An integer is accepted where a real is asked for.
public struct Row: ~Copyable {
    private let statement: Statement

    init(statement: Statement) {
        self.statement = statement
    }

    /// The number of columns.
    public var columnCount: Int { Int(sqlite3_column_count(statement.handle)) }

    /// The value of a column, whatever its type; null for a column that does not exist.
    public subscript(_ column: Int) -> Value {
        guard column >= 0, column < columnCount else { return .null }
        return switch sqlite3_column_type(statement.handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement.handle, Int32(column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement.handle, Int32(column)))
        case SQLITE_TEXT: .text(text(at: Int32(column)))
        case SQLITE_BLOB: .blob(blob(at: Int32(column)))
        default: .null
        }
    }

    /// An integer column.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        let value = self[column]
        guard case .integer(let integer) = value else { throw mismatch(column, value, allowed: "integer") }
        return integer
    }

    /// An integer column that may be null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    /// A truth value: an integer column that holds 0 or 1.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func boolean(_ column: Int) throws(SQLiteError) -> Bool {
        let value = self[column]
        switch value {
        case .integer(0): return false
        case .integer(1): return true
        default: throw mismatch(column, value, allowed: "integer 0 or 1")
        }
    }

    /// A column with a fraction; an integer is taken too.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func real(_ column: Int) throws(SQLiteError) -> Double {
        let value = self[column]
        switch value {
        case .real(let real): return real
        case .integer(let integer): return Double(integer)
        default: throw mismatch(column, value, allowed: "real")
        }
    }

    /// A text column.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func string(_ column: Int) throws(SQLiteError) -> String {
        let value = self[column]
        guard case .text(let text) = value else { throw mismatch(column, value, allowed: "text") }
        return text
    }

    /// A text column that may be null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalString(_ column: Int) throws(SQLiteError) -> String? {
        isNull(column) ? nil : try string(column)
    }

    /// A blob column.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func bytes(_ column: Int) throws(SQLiteError) -> [UInt8] {
        let value = self[column]
        guard case .blob(let blob) = value else { throw mismatch(column, value, allowed: "blob") }
        return blob
    }

    /// A blob column that may be null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalBytes(_ column: Int) throws(SQLiteError) -> [UInt8]? {
        isNull(column) ? nil : try bytes(column)
    }

    /// Whether a column is null.
    public func isNull(_ column: Int) -> Bool {
        guard column >= 0, column < columnCount else { return true }
        return sqlite3_column_type(statement.handle, Int32(column)) == SQLITE_NULL
    }

    private func text(at column: Int32) -> String {
        guard let start = sqlite3_column_text(statement.handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func blob(at column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement.handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    private func mismatch(_ column: Int, _ found: Value, allowed: String) -> SQLiteError {
        let name =
            column >= 0 && column < columnCount
            ? sqlite3_column_name(statement.handle, Int32(column)).map { String(cString: $0) } ?? "?"
            : "no such column"
        return SQLiteError(
            code: .typeMismatch,
            message: "column \(column) (\(name)) holds \(found.typeName), allowed: \(allowed)",
            sql: statement.sql)
    }
}
