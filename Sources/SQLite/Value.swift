/// A value of SQLite: what is bound to a placeholder or read from a column.
public enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The name of the value's type, for messages.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        }
    }
}

extension Value {
    /// An integer, or null.
    public init(_ value: Int64?) {
        self = value.map(Value.integer) ?? .null
    }

    /// An integer, or null.
    public init(_ value: Int?) {
        self = value.map { .integer(Int64($0)) } ?? .null
    }

    /// A text, or null.
    public init(_ value: String?) {
        self = value.map(Value.text) ?? .null
    }

    /// A blob, or null.
    public init(_ value: [UInt8]?) {
        self = value.map(Value.blob) ?? .null
    }

    /// A number with fraction, or null.
    public init(_ value: Double?) {
        self = value.map(Value.real) ?? .null
    }

    /// A truth value, stored as 0 or 1.
    public init(_ value: Bool) {
        self = .integer(value ? 1 : 0)
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An integer.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// A number with fraction.
    public init(floatLiteral value: Double) {
        self = .real(value)
    }

    /// A text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }

    /// A truth value, stored as 0 or 1.
    public init(booleanLiteral value: Bool) {
        self = .integer(value ? 1 : 0)
    }

    /// Null.
    public init(nilLiteral: ()) {
        self = .null
    }
}
