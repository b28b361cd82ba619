internal import CPostgreSQL

/// The rows of a result.
public struct Rows: RandomAccessCollection, Sendable {
    let result: QueryResult

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { result.rowCount }

    /// One row, counted from 0.
    public subscript(index: Int) -> Row { Row(result: result, index: index) }

    /// How many rows the statement inserted, changed, deleted or found.
    public var affectedCount: Int { result.affectedCount }
}

/// One row of a result.
///
/// Columns are counted from 0. The typed readers refuse another type than the one asked for.
public struct Row: Sendable {
    let result: QueryResult
    let index: Int

    /// Whether a column is null, or does not exist.
    public func isNull(_ column: Int) -> Bool { result.bytes(index, column) == nil }

    /// A `bigint`, `integer` or `smallint`.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func integer(_ column: Int) throws(PostgreSQLError) -> Int64 {
        guard let integer = try optionalInteger(column) else { throw mismatch(column, "an integer") }
        return integer
    }

    /// As ``integer(_:)``, or nil for null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalInteger(_ column: Int) throws(PostgreSQLError) -> Int64? {
        let type = result.type(column)
        guard let bytes = result.bytes(index, column) else { return nil }
        switch (type, bytes.count) {
        case (TypeNumber.integer, 8): return Int64(bitPattern: Self.number(bytes))
        case (TypeNumber.mediumInteger, 4):
            return Int64(Int32(truncatingIfNeeded: Int64(bitPattern: Self.number(bytes))))
        case (TypeNumber.smallInteger, 2):
            return Int64(Int16(truncatingIfNeeded: Int64(bitPattern: Self.number(bytes))))
        default: throw mismatch(column, "an integer")
        }
    }

    /// A `double precision`.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func real(_ column: Int) throws(PostgreSQLError) -> Double {
        guard result.type(column) == TypeNumber.real, let bytes = result.bytes(index, column),
            bytes.count == 8
        else { throw mismatch(column, "a double precision") }
        return Double(bitPattern: Self.number(bytes))
    }

    /// A `boolean`.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func boolean(_ column: Int) throws(PostgreSQLError) -> Bool {
        guard let boolean = try optionalBoolean(column) else { throw mismatch(column, "a boolean") }
        return boolean
    }

    /// A `boolean`, or nil for null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalBoolean(_ column: Int) throws(PostgreSQLError) -> Bool? {
        guard let bytes = result.bytes(index, column) else { return nil }
        guard result.type(column) == TypeNumber.boolean, bytes.count == 1 else {
            throw mismatch(column, "a boolean")
        }
        return bytes[0] != 0
    }

    /// A `text`, `varchar`, `name`, `json` or `jsonb`.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func string(_ column: Int) throws(PostgreSQLError) -> String {
        guard let string = try optionalString(column) else { throw mismatch(column, "a text") }
        return string
    }

    /// As ``string(_:)``, or nil for null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalString(_ column: Int) throws(PostgreSQLError) -> String? {
        guard let bytes = result.bytes(index, column) else { return nil }
        switch result.type(column) {
        case TypeNumber.text, TypeNumber.varchar, TypeNumber.name, TypeNumber.json:
            return String(decoding: bytes, as: UTF8.self)
        case TypeNumber.jsonb:
            // A version number stands before the text.
            return String(decoding: bytes.dropFirst(), as: UTF8.self)
        default: throw mismatch(column, "a text")
        }
    }

    /// A `bytea`.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func bytes(_ column: Int) throws(PostgreSQLError) -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw mismatch(column, "a bytea") }
        return bytes
    }

    /// A `bytea`, or nil for null.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func optionalBytes(_ column: Int) throws(PostgreSQLError) -> [UInt8]? {
        guard let bytes = result.bytes(index, column) else { return nil }
        guard result.type(column) == TypeNumber.bytes else { throw mismatch(column, "a bytea") }
        return Array(bytes)
    }

    /// A `text[]` of one dimension without nulls.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func strings(_ column: Int) throws(PostgreSQLError) -> [String] {
        guard result.type(column) == TypeNumber.textArray, let bytes = result.bytes(index, column),
            let elements = Self.elements(bytes)
        else { throw mismatch(column, "a text[]") }
        return elements.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A `bigint[]` of one dimension without nulls.
    ///
    /// - Throws: `typeMismatch` when the column holds anything else.
    public func integers(_ column: Int) throws(PostgreSQLError) -> [Int64] {
        guard result.type(column) == TypeNumber.integerArray, let bytes = result.bytes(index, column),
            let elements = Self.elements(bytes)
        else { throw mismatch(column, "a bigint[]") }
        return elements.map { Int64(bitPattern: Self.number($0)) }
    }

    private static func elements(_ bytes: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>]? {
        func word(_ offset: Int) -> Int? {
            guard offset + 4 <= bytes.count else { return nil }
            return Int(Int32(truncatingIfNeeded: number(rebased(bytes, offset, 4))))
        }
        guard let dimensionCount = word(0), dimensionCount <= 1 else { return nil }
        guard dimensionCount == 1, let count = word(12), count >= 0 else { return [] }
        var elements: [UnsafeBufferPointer<UInt8>] = []
        var offset = 20
        for _ in 0..<count {
            guard let size = word(offset), size >= 0, offset + 4 + size <= bytes.count else { return nil }
            elements.append(rebased(bytes, offset + 4, size))
            offset += 4 + size
        }
        return elements
    }

    private static func rebased(
        _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ count: Int
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func mismatch(_ column: Int, _ allowed: String) -> PostgreSQLError {
        PostgreSQLError(
            code: .typeMismatch,
            message: "column \(column) (\(result.name(column))) holds "
                + (isNull(column) ? "null" : "type \(result.type(column))") + ", allowed: \(allowed)")
    }
}

/// A result of libpq, freed with its last row.
///
/// `@unchecked Sendable`: a result is never changed after it was received, and libpq's readers do not either.
final class QueryResult: @unchecked Sendable {
    let handle: OpaquePointer

    init(takingOwnership handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int { Int(PQntuples(handle)) }
    var affectedCount: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    func type(_ column: Int) -> UInt32 { UInt32(PQftype(handle, Int32(column))) }

    func name(_ column: Int) -> String {
        PQfname(handle, Int32(column)).map { String(cString: $0) } ?? "no such column"
    }

    /// The bytes of a value, which live as long as the result; nil for null.
    func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
        guard row >= 0, row < rowCount, column >= 0, column < Int(PQnfields(handle)),
            PQgetisnull(handle, Int32(row), Int32(column)) == 0,
            let start = PQgetvalue(handle, Int32(row), Int32(column))
        else { return nil }
        let count = Int(PQgetlength(handle, Int32(row), Int32(column)))
        return UnsafeRawBufferPointer(start: start, count: count).assumingMemoryBound(to: UInt8.self)
    }

    /// What the server refused; nil when it did not.
    func error(sql: String?) -> PostgreSQLError? {
        switch status {
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: break
        default: return nil
        }
        func field(_ letter: Unicode.Scalar) -> String? {
            PQresultErrorField(handle, Int32(letter.value)).map { String(cString: $0) }
        }
        guard let state = field("C") else {
            return PostgreSQLError(
                code: .connectionLost, message: "the connection to the server is gone", sql: sql)
        }
        let code = PostgreSQLError.Code(sqlState: state)
        // Messages about values quote them.
        let message =
            switch code {
            case .data: "a value is none of the type it is used as"
            case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation, .constraint:
                "the constraint \(field("n") ?? field("c") ?? "") does not allow it"
            default: field("M") ?? "no message"
            }
        return PostgreSQLError(code: code, message: message, sqlState: state, sql: sql)
    }
}
