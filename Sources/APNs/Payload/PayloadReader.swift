/// Takes typed values out of a JSON object, one key at a time; what is left over can be asked for.
struct PayloadReader {
    private let path: String
    private(set) var rest: [String: JSONValue]

    /// - Parameter path: What the object is called in messages, ending with a dot unless empty.
    init(_ value: JSONValue, path: String) throws(APNsError) {
        guard case .object(let members) = value else {
            throw PayloadReader.error(path, expected: "an object", found: value)
        }
        self.path = path
        rest = members
    }

    /// Takes a value out of the object; null counts as absent.
    mutating func value(_ key: String) -> JSONValue? {
        let value = rest.removeValue(forKey: key)
        return value == .null ? nil : value
    }

    mutating func string(_ key: String) throws(APNsError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let string) = value else { throw error(key, expected: "a string", found: value) }
        return string
    }

    mutating func integer(_ key: String) throws(APNsError) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let integer) = value else {
            throw error(key, expected: "a whole number", found: value)
        }
        return integer
    }

    /// Seconds since 1970; a fraction is dropped.
    mutating func instant(_ key: String) throws(APNsError) -> Int64? {
        guard case .number(let number) = rest[key], let seconds = Int64(exactly: number.rounded(.down)) else {
            return try integer(key)
        }
        rest[key] = nil
        return seconds
    }

    mutating func number(_ key: String) throws(APNsError) -> Double? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        default: throw error(key, expected: "a number", found: value)
        }
    }

    /// A switch: the numbers 1 and 0, or a Boolean; absent means off.
    mutating func flag(_ key: String) throws(APNsError) -> Bool {
        guard let value = value(key) else { return false }
        switch value {
        case .integer(0), .bool(false): return false
        case .integer(1), .bool(true): return true
        default: throw error(key, expected: "1 or 0", found: value)
        }
    }

    mutating func strings(_ key: String) throws(APNsError) -> [String]? {
        guard let value = value(key) else { return nil }
        guard case .array(let values) = value else {
            throw error(key, expected: "an array of strings", found: value)
        }
        var strings: [String] = []
        for element in values {
            guard case .string(let string) = element else {
                throw error(key, expected: "an array of strings", found: element)
            }
            strings.append(string)
        }
        return strings
    }

    mutating func object(_ key: String) throws(APNsError) -> [String: JSONValue]? {
        guard let value = value(key) else { return nil }
        guard case .object(let members) = value else { throw error(key, expected: "an object", found: value) }
        return members
    }

    /// A reader of an object inside this one.
    mutating func reader(_ key: String) throws(APNsError) -> PayloadReader? {
        guard let value = value(key) else { return nil }
        guard case .object = value else { throw error(key, expected: "an object", found: value) }
        return try PayloadReader(value, path: "\(path)\(key).")
    }

    func error(_ key: String, expected: String, found: JSONValue?) -> APNsError {
        PayloadReader.error(path + key, expected: expected, found: found)
    }

    private static func error(_ path: String, expected: String, found: JSONValue?) -> APNsError {
        let name = path.isEmpty ? "a payload" : path.hasSuffix(".") ? String(path.dropLast()) : path
        let found = found?.kind ?? "nothing"
        return APNsError(code: .invalidPayload, message: "\(name) is \(expected), not \(found)")
    }
}
