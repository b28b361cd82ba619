internal import CSQLite

extension Database {
    /// Makes a Swift closure a function that statements on this connection can call.
    ///
    /// SQLite takes it for deterministic: the same arguments must always give the same result. It is called on
    /// the connection's thread and must not use the database. Text arguments that are not UTF-8 arrive repaired.
    ///
    /// - Parameters:
    ///   - name: The name in SQL; a function of the same name and argument count is replaced.
    ///   - argumentCount: How many arguments it takes.
    ///   - body: What it does. The message of an error it throws becomes the statement's error, with the code
    ///     `function`.
    public func register(
        function name: String, argumentCount: Int,
        body: @escaping @Sendable ([Value]) throws(SQLiteError) -> Value
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(FunctionBox(body: body))
        // SQLite calls the last closure in every case, also when it refuses the function.
        let result = sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(),
            { context, count, arguments in FunctionBox.call(context, count, arguments) }, nil, nil,
            { pointer in if let pointer { Unmanaged<FunctionBox>.fromOpaque(pointer).release() } })
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, database: handle, sql: nil, quotesMessage: true)
        }
    }
}

/// What SQLite keeps of a function.
private final class FunctionBox {
    let body: @Sendable ([Value]) throws(SQLiteError) -> Value

    init(body: @escaping @Sendable ([Value]) throws(SQLiteError) -> Value) {
        self.body = body
    }

    static func call(
        _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let context, let pointer = sqlite3_user_data(context) else { return }
        let box = Unmanaged<FunctionBox>.fromOpaque(pointer).takeUnretainedValue()
        let values = (0..<Int(count)).map { argument in value(arguments?[argument]) }
        do throws(SQLiteError) {
            give(try box.body(values), to: context)
        } catch {
            sqlite3_result_error(context, error.message, -1)
            sqlite3_result_error_code(context, SQLiteError.functionResult)
        }
    }

    private static func value(_ argument: OpaquePointer?) -> Value {
        guard let argument else { return .null }
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(argument))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(argument))
        case SQLITE_TEXT:
            guard let start = sqlite3_value_text(argument) else { return .text("") }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_value_blob(argument) else { return .blob([]) }
            return .blob(
                [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))))
        default: return .null
        }
    }

    private static func give(_ value: Value, to context: OpaquePointer) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let integer): sqlite3_result_int64(context, integer)
        case .real(let real): sqlite3_result_double(context, real)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    belfry_sqlite3_result_text(context, characters.baseAddress, UInt64(characters.count))
                }
            }
        case .blob(let blob):
            blob.withUnsafeBytes { bytes in
                belfry_sqlite3_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
            }
        }
    }
}
