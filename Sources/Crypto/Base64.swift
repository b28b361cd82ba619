/// Base64 of RFC 4648: the PEM alphabet with padding, and the URL alphabet without.
package enum Base64 {
    /// Which two characters stand for 62 and 63, and whether `=` pads the end.
    package enum Alphabet: Sendable {
        /// `+` and `/`, padded.
        case standard
        /// `-` and `_`, not padded (JWT).
        case url
    }

    /// The text of some bytes, as UTF-8.
    package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> [UInt8] {
        let digits = alphabet == .url ? urlDigits : standardDigits
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16
                | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(digits[Int(group >> 18)])
            text.append(digits[Int(group >> 12 & 63)])
            if left > 1 { text.append(digits[Int(group >> 6 & 63)]) }
            if left > 2 { text.append(digits[Int(group & 63)]) }
            if left < 3 && alphabet == .standard {
                text.append(contentsOf: repeatElement(padding, count: 3 - left))
            }
            index += 3
        }
        return text
    }

    /// The text of some bytes.
    package static func encodeToString(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
        String(decoding: encode(bytes, alphabet), as: UTF8.self)
    }

    /// The bytes of a text, or nil if it is not exactly what an encoder writes.
    ///
    /// Nothing is skipped: no white space, no missing padding (standard) or present padding (URL), and no
    /// bits left over in the last digit, so that each byte string has exactly one text.
    package static func decode(_ text: UnsafeRawBufferPointer, _ alphabet: Alphabet) -> [UInt8]? {
        var digitCount = text.count
        if alphabet == .standard {
            guard digitCount % 4 == 0 else { return nil }
            for _ in 0..<2 where digitCount > 0 && text[digitCount - 1] == padding { digitCount -= 1 }
        }
        guard digitCount % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digitCount / 4 * 3 + 2)
        var group: UInt32 = 0
        var bitCount = 0
        for index in 0..<digitCount {
            guard let value = value(of: text[index], alphabet) else { return nil }
            group = group << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bitCount)))
            }
        }
        guard group & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }

    /// The bytes of a text, or nil if it is not exactly what an encoder writes.
    package static func decode(_ text: [UInt8], _ alphabet: Alphabet) -> [UInt8]? {
        text.withUnsafeBytes { decode($0, alphabet) }
    }

    private static let padding = UInt8(ascii: "=")
    private static let standardDigits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlDigits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(of digit: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+") where alphabet == .standard: 62
        case UInt8(ascii: "/") where alphabet == .standard: 63
        case UInt8(ascii: "-") where alphabet == .url: 62
        case UInt8(ascii: "_") where alphabet == .url: 63
        default: nil
        }
    }
}
