import Foundation

/// A value of D-Bus.
indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case signed(Int32)
    case unsigned(UInt32)
    case long(Int64)
    case text(String)
    case array([BusValue])
    case entry(BusValue, BusValue)
    case variant(BusValue)

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var unsigned: UInt32? { if case .unsigned(let number) = self { number } else { nil } }

    /// The members of a dictionary with texts as keys, without their variants.
    var members: [String: BusValue] {
        guard case .array(let items) = self else { return [:] }
        var members: [String: BusValue] = [:]
        for case .entry(.text(let key), .variant(let value)) in items { members[key] = value }
        return members
    }
}

/// A message of D-Bus, in the little-endian form that both sides use here.
///
/// Source: D-Bus Specification, "Message Protocol". Written for the tests alone: it shares nothing with the library
/// that the presenter uses.
struct BusMessage: Sendable {
    enum Kind: UInt8, Sendable { case call = 1, reply, error, signal }

    var kind: Kind
    var serial: UInt32 = 0
    var path: String?
    var interface: String?
    var member: String?
    var errorName: String?
    var replySerial: UInt32?
    var destination: String?
    var sender: String?
    var signature = ""
    var body: [BusValue] = []

    init(_ kind: Kind) { self.kind = kind }

    // MARK: Writing

    func encoded() -> [UInt8] {
        var body = BusWriter()
        for value in self.body { body.append(value) }
        var fields = BusWriter()
        func field(_ code: UInt8, _ type: String, _ write: (inout BusWriter) -> Void) {
            fields.align(8)
            fields.bytes.append(code)
            fields.signature(type)
            write(&fields)
        }
        for (code, type, text) in [
            (1, "o", path), (2, "s", interface), (3, "s", member), (4, "s", errorName), (6, "s", destination),
            (7, "s", sender),
        ] as [(UInt8, String, String?)] {
            if let text { field(code, type) { $0.append(.text(text)) } }
        }
        if let replySerial { field(5, "u") { $0.append(.unsigned(replySerial)) } }
        if !signature.isEmpty { field(8, "g") { $0.signature(signature) } }
        var message = BusWriter()
        message.bytes = [UInt8(ascii: "l"), kind.rawValue, 0, 1]
        message.append(.unsigned(UInt32(body.bytes.count)))
        message.append(.unsigned(serial))
        message.append(.unsigned(UInt32(fields.bytes.count)))
        message.bytes += fields.bytes
        message.align(8)
        return message.bytes + body.bytes
    }

    // MARK: Reading

    /// Takes a message from the start of bytes; nil when they hold no whole one.
    init?(taking bytes: inout [UInt8]) {
        var reader = BusReader(bytes: bytes)
        guard bytes.count >= 16 else { return nil }
        reader.position = 1
        guard let kind = Kind(rawValue: reader.byte()) else { return nil }
        reader.position = 4
        let bodyCount = Int(reader.number())
        let serial = reader.number()
        let fieldCount = Int(reader.number())
        let bodyStart = (16 + fieldCount + 7) / 8 * 8
        guard bytes.count >= bodyStart + bodyCount else { return nil }
        self.kind = kind
        self.serial = serial
        while reader.position < 16 + fieldCount {
            reader.align(8)
            let code = reader.byte()
            let type = reader.signature()
            let value = type == "g" ? .text(reader.signature()) : reader.value(of: type)
            switch code {
            case 1: path = value.text
            case 2: interface = value.text
            case 3: member = value.text
            case 4: errorName = value.text
            case 5: replySerial = value.unsigned
            case 6: destination = value.text
            case 7: sender = value.text
            case 8: signature = value.text ?? ""
            default: break
            }
        }
        reader.position = bodyStart
        var rest = Substring(signature)
        while !rest.isEmpty { body.append(reader.value(of: BusReader.takeType(&rest))) }
        bytes.removeFirst(bodyStart + bodyCount)
    }
}

private struct BusWriter {
    var bytes: [UInt8] = []

    mutating func align(_ count: Int) {
        while bytes.count % count != 0 { bytes.append(0) }
    }

    mutating func signature(_ text: String) {
        bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
    }

    /// Only the types that the fake service sends.
    mutating func append(_ value: BusValue) {
        switch value {
        case .unsigned(let number):
            align(4)
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        case .text(let text):
            append(.unsigned(UInt32(text.utf8.count)))
            bytes += Array(text.utf8) + [0]
        case .array(let items):
            // Of texts, which need no space between length and first item.
            var inner = BusWriter()
            for item in items { inner.append(item) }
            append(.unsigned(UInt32(inner.bytes.count)))
            bytes += inner.bytes
        default: preconditionFailure("the fake service sends no \(value)")
        }
    }
}

private struct BusReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func align(_ count: Int) { position = (position + count - 1) / count * count }

    mutating func byte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    mutating func integer(_ count: Int) -> UInt64 {
        align(count)
        defer { position += count }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func number() -> UInt32 { UInt32(integer(4)) }

    mutating func text(_ count: Int) -> String {
        defer { position += count + 1 }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func signature() -> String { text(Int(byte())) }

    mutating func value(of type: String) -> BusValue {
        switch type.first {
        case "y": return .byte(byte())
        case "b": return .boolean(number() != 0)
        case "i": return .signed(Int32(bitPattern: number()))
        case "u": return .unsigned(number())
        case "x": return .long(Int64(bitPattern: integer(8)))
        case "s", "o": return .text(text(Int(number())))
        case "v": return .variant(value(of: signature()))
        case "{":
            align(8)
            var rest = type.dropFirst().dropLast()
            let key = value(of: Self.takeType(&rest))
            return .entry(key, value(of: Self.takeType(&rest)))
        case "a":
            let count = Int(number())
            let element = String(type.dropFirst())
            align(element.hasPrefix("{") ? 8 : element == "s" ? 4 : 1)
            let end = position + count
            var items: [BusValue] = []
            while position < end { items.append(value(of: element)) }
            return .array(items)
        default: preconditionFailure("the fake service reads no '\(type)'")
        }
    }

    /// Takes the first complete type of a signature.
    static func takeType(_ rest: inout Substring) -> String {
        guard let first = rest.popFirst() else { return "" }
        if first == "a" { return "a" + takeType(&rest) }
        guard first == "{" else { return String(first) }
        let inner = takeType(&rest) + takeType(&rest)
        rest = rest.dropFirst()
        return "{" + inner + "}"
    }
}
