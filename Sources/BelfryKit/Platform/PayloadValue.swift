internal import Foundation
internal import Recurrence

/// A value of a notification's payload, or of an installation's attributes, that can be compared, kept and sent between
/// threads.
public indirect enum PayloadValue: Hashable, Sendable, Codable {
    /// JSON's null.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([PayloadValue])
    /// Members by name.
    case object([String: PayloadValue])

    /// The deepest nesting that is taken.
    public static let depthMax = 64

    /// Reads what `userInfo` and `JSONSerialization` hold.
    ///
    /// Dates become ISO 8601 texts and data base64, as JSON has neither.
    /// - Returns: nil for anything that is no property-list value, deeper than ``depthMax``, or not finite.
    public init?(_ value: Any) {
        self.init(value, depth: 0)
    }

    private init?(_ value: Any, depth: Int) {
        guard depth < Self.depthMax else { return nil }
        // An object of Foundation would pass for a Bool below wherever it is 0 or 1.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            self = Self.number(number)
            return
        }
        switch value {
        // Exact types first: casts through NSNumber would turn true into 1.
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .integer(Int64(value))
        case let value as Int64: self = .integer(value)
        case let value as any BinaryInteger:
            guard let whole = Int64(exactly: value) else { return nil }
            self = .integer(whole)
        case let value as Double:
            guard value.isFinite else { return nil }
            self = .number(value)
        case let value as Float:
            guard value.isFinite else { return nil }
            self = .number(Double(value))
        case let value as String: self = .string(value)
        case let value as NSString: self = .string(value.description)
        case let value as Date: self = .string(Self.text(of: value))
        case let value as Data: self = .string(value.base64EncodedString())
        case is NSNull: self = .null
        case let value as [Any]:
            var items: [PayloadValue] = []
            for item in value {
                guard let read = PayloadValue(item, depth: depth + 1) else { return nil }
                items.append(read)
            }
            self = .array(items)
        case let value as [AnyHashable: Any]:
            var members: [String: PayloadValue] = [:]
            for (key, member) in value {
                guard let key = key as? String, let read = PayloadValue(member, depth: depth + 1) else {
                    return nil
                }
                members[key] = read
            }
            self = .object(members)
        default: return nil
        }
    }

    /// Foundation has a Bool as a C character, which is no other number's type in practice.
    private static func number(_ number: NSNumber) -> PayloadValue {
        switch String(cString: number.objCType) {
        case "c" where number.intValue == 0 || number.intValue == 1: .bool(number.boolValue)
        case "B": .bool(number.boolValue)
        case "d", "f": number.doubleValue.isFinite ? .number(number.doubleValue) : .null
        default: .integer(number.int64Value)
        }
    }

    private static func text(of date: Date) -> String {
        Instant(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded(.down))).iso8601
    }

    /// Reads JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([PayloadValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: PayloadValue].self))
        }
    }

    /// Writes JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The value as Foundation holds it, for `userInfo`.
    public var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let value): value.map(\.foundationValue)
        case .object(let value): value.mapValues(\.foundationValue)
        }
    }

    /// The text, when it is one.
    public var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The whole number, when it is one.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// A member of an object; nil for other values.
    public subscript(name: String) -> PayloadValue? {
        if case .object(let members) = self { return members[name] }
        return nil
    }
}

extension PayloadValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// A list.
    public init(arrayLiteral elements: PayloadValue...) { self = .array(elements) }
    /// An object; of a name that is given twice the last value counts.
    public init(dictionaryLiteral elements: (String, PayloadValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
