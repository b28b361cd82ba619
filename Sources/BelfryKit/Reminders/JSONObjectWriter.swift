/// Writes one JSON object, member by member; what is nil is left out.
struct JSONObjectWriter {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private var bytes: [UInt8] = [0x7b]

    init() { bytes.reserveCapacity(256) }

    /// The whole object.
    var finished: [UInt8] { bytes + [0x7d] }

    mutating func write(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        begin(name)
        write(text)
    }

    mutating func write(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        begin(name)
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func write(_ name: StaticString, _ value: PayloadValue?) {
        guard let value else { return }
        begin(name)
        write(value)
    }

    /// Names are the library's own and need no escape.
    private mutating func begin(_ name: StaticString) {
        if bytes.count > 1 { bytes.append(0x2c) }
        bytes.append(0x22)
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: [0x22, 0x3a])
    }

    private mutating func write(_ value: PayloadValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        // JSON has no infinity; a content that holds one is refused before.
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
        case .string(let value): write(value)
        case .array(let values):
            bytes.append(0x5b)
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(0x2c) }
                write(value)
            }
            bytes.append(0x5d)
        case .object(let members):
            bytes.append(0x7b)
            var isFirst = true
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if !isFirst { bytes.append(0x2c) }
                isFirst = false
                write(name)
                bytes.append(0x3a)
                write(value)
            }
            bytes.append(0x7d)
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5c: bytes.append(contentsOf: [0x5c, byte])
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
