/// A value of a placeholder; its case is the type the server takes it for, also when it is nil.
public enum Value: Sendable, Hashable {
    /// Null of whatever type the statement implies.
    case null
    /// `boolean`.
    case boolean(Bool?)
    /// `bigint`.
    case integer(Int64?)
    /// `double precision`.
    case real(Double?)
    /// `text`; cast in the statement where another type is meant, for example `jsonb`.
    case text(String?)
    /// `bytea`.
    case bytes([UInt8]?)
    /// `bigint[]`.
    case integers([Int64?])
    /// `text[]`.
    case texts([String?])
    /// `bytea[]`.
    case blobs([[UInt8]?])
    /// `boolean[]`.
    case booleans([Bool?])
    /// `double precision[]`.
    case reals([Double?])

    /// A `bigint`, or null.
    public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }

    /// The server's number of the type; 0 leaves it to the statement.
    var typeNumber: UInt32 {
        switch self {
        case .null: 0
        case .boolean: TypeNumber.boolean
        case .integer: TypeNumber.integer
        case .real: TypeNumber.real
        case .text: TypeNumber.text
        case .bytes: TypeNumber.bytes
        case .integers: 1016
        case .texts: 1009
        case .blobs: 1001
        case .booleans: 1000
        case .reals: 1022
        }
    }

    /// The value in the server's binary format; nil for null.
    var binary: [UInt8]? {
        switch self {
        case .null: nil
        case .boolean(let value): value.map { [$0 ? 1 : 0] }
        case .integer(let value): value.map(Self.bigEndian)
        case .real(let value): value.map { Self.bigEndian($0.bitPattern) }
        case .text(let value): value.map { Array($0.utf8) }
        case .bytes(let value): value
        case .integers(let values): Self.array(values, TypeNumber.integer, Self.bigEndian)
        case .texts(let values): Self.array(values, TypeNumber.text) { Array($0.utf8) }
        case .blobs(let values): Self.array(values, TypeNumber.bytes) { $0 }
        case .booleans(let values): Self.array(values, TypeNumber.boolean) { [$0 ? 1 : 0] }
        case .reals(let values): Self.array(values, TypeNumber.real) { Self.bigEndian($0.bitPattern) }
        }
    }

    static func bigEndian(_ integer: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    }

    /// One dimension, counted from 1: flags, element type and length, then each element with its size.
    private static func array<Element>(
        _ values: [Element?], _ type: UInt32, _ encode: (Element) -> [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.count * 16)
        bytes += bigEndian(Int32(values.isEmpty ? 0 : 1))
        bytes += bigEndian(Int32(values.contains { $0 == nil } ? 1 : 0))
        bytes += bigEndian(type)
        guard !values.isEmpty else { return bytes }
        bytes += bigEndian(Int32(values.count))
        bytes += bigEndian(Int32(1))
        for value in values {
            guard let value else {
                bytes += bigEndian(Int32(-1))
                continue
            }
            let element = encode(value)
            bytes += bigEndian(Int32(element.count))
            bytes += element
        }
        return bytes
    }
}

/// The server's numbers of types (PostgreSQL: catalog pg_type).
enum TypeNumber {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let smallInteger: UInt32 = 21
    static let mediumInteger: UInt32 = 23
    static let text: UInt32 = 25
    static let json: UInt32 = 114
    static let real: UInt32 = 701
    static let name: UInt32 = 19
    static let varchar: UInt32 = 1043
    static let jsonb: UInt32 = 3802
    static let textArray: UInt32 = 1009
    static let integerArray: UInt32 = 1016
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// A `bigint`.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// A `text`.
    public init(stringLiteral value: String) {
        self = .text(value)
    }

    /// A `boolean`.
    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }
}
