/// Hexadecimal digits to and from words, without strings and without allocation.
enum Hexadecimal {
    /// What `value(of:)` gives for a byte that is no digit; its high bits survive in an OR of many values.
    static let invalid: UInt8 = 0xff

    /// The value of an ASCII digit of either case, or `invalid`.
    @inline(__always)
    static func value(of byte: UInt8) -> UInt8 {
        let decimal = byte &- 0x30
        let letter = (byte | 0x20) &- 0x61
        return decimal < 10 ? decimal : (letter < 6 ? letter &+ 10 : invalid)
    }

    /// Reads up to sixteen digits as one big-endian number.
    ///
    /// Bits above 0x0f are set in `faults` when one of the digits is none.
    @inline(__always)
    static func word(
        _ digits: UnsafeRawBufferPointer, from start: Int, count: Int, faults: inout UInt8
    ) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start &+ count {
            let value = value(of: digits[index])
            faults |= value
            word = word << 4 | UInt64(value & 0x0f)
        }
        return word
    }

    /// The ASCII digit of the low four bits.
    @inline(__always)
    static func digit(_ nibble: UInt64, uppercased: Bool = false) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: nibble & 0x0f)
        return value < 10 ? 0x30 &+ value : (uppercased ? 0x41 : 0x61) &+ value &- 10
    }

    /// Writes the highest `count` of the sixteen digits of a word.
    @inline(__always)
    static func write(
        _ word: UInt64, digits count: Int, uppercased: Bool = false,
        to output: UnsafeMutableRawBufferPointer, at start: Int
    ) {
        var rest = word
        for index in start..<start &+ count {
            output[index] = digit(rest >> 60, uppercased: uppercased)
            rest <<= 4
        }
    }
}
