internal import Foundation

/// A value of `userInfo` in a form that can be stored, compared and sent between threads.
package indirect enum PropertyValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([PropertyValue])
    case dictionary([String: PropertyValue])

    /// The deepest nesting that is taken.
    package static let depthMax = 64

    /// Reads a property-list value, or the null of a remote payload; nil for anything else.
    init?(_ value: Any, depth: Int = 0) {
        guard depth < Self.depthMax else { return nil }
        // What most values are, before a dozen casts that fail.
        if type(of: value) is String.Type, let text = value as? String {
            self = .string(text)
            return
        }
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
        case let value as Int32: self = .integer(Int64(value))
        case let value as Int16: self = .integer(Int64(value))
        case let value as Int8: self = .integer(Int64(value))
        case let value as UInt8: self = .integer(Int64(value))
        case let value as UInt16: self = .integer(Int64(value))
        case let value as UInt32: self = .integer(Int64(value))
        case let value as UInt:
            guard let whole = Int64(exactly: value) else { return nil }
            self = .integer(whole)
        case let value as UInt64:
            guard let whole = Int64(exactly: value) else { return nil }
            self = .integer(whole)
        case let value as Double: self = .number(value)
        case let value as Float: self = .number(Double(value))
        case let value as String: self = .string(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as NSString: self = .string(value.description)
        case is NSNull: self = .null
        case let value as [Any]:
            var items: [PropertyValue] = []
            for item in value {
                guard let read = PropertyValue(item, depth: depth + 1) else { return nil }
                items.append(read)
            }
            self = .array(items)
        case let value as [AnyHashable: Any]:
            guard let members = Self.members(of: value, depth: depth) else { return nil }
            self = .dictionary(members)
        default: return nil
        }
    }

    /// Foundation has a Bool as a C character, which is no other number's type in practice.
    private static func number(_ number: NSNumber) -> PropertyValue {
        switch String(cString: number.objCType) {
        case "c" where number.intValue == 0 || number.intValue == 1: .bool(number.boolValue)
        case "d", "f": .number(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }

    /// Reads a dictionary; nil when a key is no text or a value is none of a property list.
    static func members(of dictionary: [AnyHashable: Any], depth: Int = 0) -> [String: PropertyValue]? {
        var members: [String: PropertyValue] = [:]
        for (key, value) in dictionary {
            guard let name = key.base as? String ?? (key.base as? NSString)?.description,
                let read = PropertyValue(value, depth: depth + 1)
            else { return nil }
            members[name] = read
        }
        return members
    }

    /// The value as an app reads it.
    var value: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let items): items.map(\.value)
        case .dictionary(let members): members.mapValues(\.value)
        }
    }
}
