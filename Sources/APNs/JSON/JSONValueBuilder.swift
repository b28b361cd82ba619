/// Makes values of JSON text that ``JSONSyntax`` has checked.
///
/// Why not Foundation (Swift 6.3.1 on Linux, CPU time of a row of 15 fields and 387 bytes; this: 3 µs):
/// - `JSONSerialization` with a walk over its values takes 22 µs and changes numbers: 123456.78901234567, a
///   coordinate say, comes back as 123456.78901234563. Of a repeated key the last value counts.
/// - `JSONDecoder` takes 22 µs as well, since it can only try each kind of value in turn, and makes the integer
///   9223372036854775 of 9223372036854775.807.
///
/// Sending with variables reads the attributes of every device, and has 20 µs of CPU time for all of its work.
/// Whatever this reads is compared with what Foundation reads, on generated texts in the tests and by the fuzzer.
struct JSONValueBuilder {
    private let text: UnsafeRawBufferPointer
    private var position: Int

    /// Builds the value of a whole text.
    ///
    /// - Parameter text: JSON that was checked; anything else gives some other value, never an access outside of it.
    static func value(of text: UnsafeRawBufferPointer) -> JSONValue {
        var builder = JSONValueBuilder(text: text, position: 0)
        builder.skipBlanks()
        return builder.value()
    }

    private mutating func value() -> JSONValue {
        switch next {
        case 0x7b: object()
        case 0x5b: array()
        case 0x22: .string(string())
        case 0x74: word(.bool(true), count: 4)
        case 0x66: word(.bool(false), count: 5)
        case 0x6e: word(.null, count: 4)
        default: number()
        }
    }

    private mutating func object() -> JSONValue {
        var members: [String: JSONValue] = [:]
        position += 1
        skipBlanks()
        while let byte = next, byte != 0x7d {
            let key = string()
            skipBlanks()
            position += 1
            skipBlanks()
            let value = value()
            // Of a repeated key the first value counts, as ``JSONDocument`` reports.
            if members[key] == nil { members[key] = value }
            skipComma()
        }
        position += 1
        return .object(members)
    }

    private mutating func array() -> JSONValue {
        var elements: [JSONValue] = []
        position += 1
        skipBlanks()
        while let byte = next, byte != 0x5d {
            elements.append(value())
            skipComma()
        }
        position += 1
        return .array(elements)
    }

    private mutating func word(_ value: JSONValue, count: Int) -> JSONValue {
        position += count
        return value
    }

    private mutating func string() -> String {
        position += 1
        let start = position
        while let byte = next, byte != 0x22, byte != 0x5c { position += 1 }
        if next == 0x22 {
            position += 1
            return String(decoding: text[start..<position - 1], as: UTF8.self)
        }
        var bytes = Array(text[start..<position])
        while let byte = next, byte != 0x22 {
            position += 1
            if byte == 0x5c { escape(to: &bytes) } else { bytes.append(byte) }
        }
        position += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what follows a backslash.
    private mutating func escape(to bytes: inout [UInt8]) {
        guard let letter = next else { return }
        position += 1
        switch letter {
        case 0x62: bytes.append(0x08)
        case 0x66: bytes.append(0x0c)
        case 0x6e: bytes.append(0x0a)
        case 0x72: bytes.append(0x0d)
        case 0x74: bytes.append(0x09)
        case 0x75:
            var scalar = codeUnit()
            if 0xd800...0xdbff ~= scalar {
                // The second half follows, with its own `\u`.
                position += 2
                scalar = 0x10000 + (scalar - 0xd800) << 10 + (codeUnit() & 0x3ff)
            }
            bytes.append(contentsOf: String(Character(Unicode.Scalar(scalar) ?? "\u{fffd}")).utf8)
        default: bytes.append(letter)
        }
    }

    private mutating func codeUnit() -> UInt32 {
        guard position + 4 <= text.count else {
            position = text.count
            return 0xfffd
        }
        var isValid = true
        defer { position += 4 }
        return UInt32(truncatingIfNeeded: Hexadecimal.word(text, from: position, count: 4, isValid: &isValid))
    }

    /// A number; whole ones that fit 64 bits are integers, however they are written.
    private mutating func number() -> JSONValue {
        let start = position
        var isInteger = true
        loop: while let byte = next {
            switch byte {
            case 0x30...0x39, 0x2d: break
            case 0x2b, 0x2e, 0x45, 0x65: isInteger = false
            default: break loop
            }
            position += 1
        }
        guard position > start else {
            position += 1
            return .null
        }
        let digits = String(decoding: text[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(digits) { return .integer(integer) }
        let double = Double(digits) ?? 0
        return Int64(exactly: double).map(JSONValue.integer) ?? .number(double)
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func skipComma() {
        skipBlanks()
        if next == 0x2c { position += 1 }
        skipBlanks()
    }
}
