/// Any JSON value, as custom keys of a payload and unread parts of one carry it.
///
/// Whole numbers that fit 64 bits are integers, however they were written; a number never turns into a
/// Boolean or the other way round.
public enum JSONValue: Hashable, Sendable {
    /// The value null.
    case null
    /// The values true and false.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number; infinities and NaN cannot be encoded.
    case number(Double)
    /// A text.
    case string(String)
    /// An ordered list.
    case array([JSONValue])
    /// Values by key; their order is not kept.
    case object([String: JSONValue])

    /// The deepest nesting of arrays and objects that is read or written.
    public static let depthMax = JSONSyntax.depthMax

    /// The value of a key, when this is an object that has it.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// What kind of value this is, in words.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// The value null.
    public init(nilLiteral: ()) { self = .null }

    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An ordered list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Values by key; of a repeated key the last value stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
