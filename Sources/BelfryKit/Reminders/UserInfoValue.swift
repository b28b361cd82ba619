internal import Foundation

/// A value of a notification's `userInfo`, in a form that can be kept, compared and sent between threads.
public enum UserInfoValue: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Another number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    indirect case array([UserInfoValue])
    /// A dictionary.
    indirect case dictionary([String: UserInfoValue])

    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Makes true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a list.
    public init(arrayLiteral elements: UserInfoValue...) { self = .array(elements) }
    /// Makes a dictionary; of a key given twice the last value counts.
    public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }

    /// Reads a JSON value; null is none of them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([UserInfoValue].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: UserInfoValue].self))
        }
    }

    /// Writes a JSON value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        }
    }

    /// The value as `userInfo` takes it.
    var propertyListValue: Any {
        switch self {
        case .bool(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.propertyListValue)
        case .dictionary(let members): members.mapValues(\.propertyListValue)
        }
    }

    /// Whether it can be written as JSON: no infinity in it.
    var isFinite: Bool {
        switch self {
        case .number(let value): value.isFinite
        case .array(let values): values.allSatisfy(\.isFinite)
        case .dictionary(let members): members.values.allSatisfy(\.isFinite)
        default: true
        }
    }

    func hash(into hash: inout StableHash) {
        switch self {
        case .bool(let value): hash.combine(value ? "t" : "f")
        case .integer(let value): hash.combine("i\(value)")
        case .number(let value): hash.combine("n\(value)")
        case .string(let value):
            hash.combine("s")
            hash.combine(value)
        case .array(let values):
            hash.combine("a\(values.count)")
            for value in values { value.hash(into: &hash) }
        case .dictionary(let members):
            hash.combine("d\(members.count)")
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                hash.combine(key)
                value.hash(into: &hash)
            }
        }
    }
}
