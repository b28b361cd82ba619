extension JSONValue {
    /// Reads JSON text.
    /// - Throws: `invalidJSON` with line and column when the text is not UTF-8, breaks the grammar, nests
    ///   deeper than `depthMax`, or has a number outside the range of `Double`.
    public init(parsing text: [UInt8]) throws(APNsError) {
        self = try JSONDocument(parsing: text).value
    }

    /// Reads JSON text; see the other initialiser.
    public init(parsing text: String) throws(APNsError) {
        try self.init(parsing: Array(text.utf8))
    }
}

/// A JSON text that was read, with what its value cannot tell.
struct JSONDocument {
    let value: JSONValue
    /// Paths of keys that occur more than once in their object; the first one counted.
    let repeatedKeys: [[String]]

    init(parsing text: [UInt8]) throws(APNsError) {
        repeatedKeys = try JSONDocument.check(text)
        value = text.withUnsafeBytes(JSONValueBuilder.value)
    }

    /// Checks a text without making values, and gives the paths of the keys that occur more than once.
    static func check(_ text: [UInt8]) throws(APNsError) -> [[String]] {
        try text.withUnsafeBytes { bytes -> Result<[[String]], APNsError> in
            do throws(JSONSyntax.Fault) {
                return .success(try JSONSyntax(checking: bytes).repeatedKeys)
            } catch {
                let (line, column) = JSONSyntax.place(error.offset, in: bytes)
                let message = "line \(line), column \(column): \(error.message)"
                return .failure(APNsError(code: .invalidJSON, message: message))
            }
        }.get()
    }
}

extension JSONValue: Codable {
    /// How deep values are read through `Codable`, counting what they stand in.
    private static let codingDepthMax = 2 * depthMax

    /// Reads any value, as a part of some other type; `init(parsing:)` is for whole texts.
    /// - Throws: `DecodingError` for nesting deeper than 64 levels, besides what the decoder throws.
    public init(from decoder: any Decoder) throws {
        // Every failed attempt costs an error that grows with the depth, so the frequent kinds come first.
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if decoder.codingPath.count > JSONValue.codingDepthMax {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "nesting is too deep")
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
