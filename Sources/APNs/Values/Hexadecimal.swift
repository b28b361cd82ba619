/// Hexadecimal digits to and from words, eight at a time, without strings and without allocation.
///
/// Eight digits are the eight bytes of one word; the constants below repeat a byte in each of them. No sum
/// carries from one byte into the next, since all bytes are below 0x80 by then.
enum Hexadecimal {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let nibbles: UInt64 = 0x0f0f_0f0f_0f0f_0f0f

    /// The value of an ASCII digit of either case, or nil.
    @inline(__always)
    static func value(of byte: UInt8) -> UInt8? {
        let decimal = byte &- 0x30
        let letter = (byte | 0x20) &- 0x61
        return decimal < 10 ? decimal : (letter < 6 ? letter &+ 10 : nil)
    }

    /// Reads up to sixteen digits as one big-endian number; `isValid` turns false when one of them is none.
    @inline(__always)
    static func word(
        _ digits: UnsafeRawBufferPointer, from start: Int, count: Int, isValid: inout Bool
    ) -> UInt64 {
        var word: UInt64 = 0
        var index = start
        let end = start &+ count
        while index &+ 8 <= end {
            let text = UInt64(bigEndian: digits.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            word = word << 32 | eight(text, isValid: &isValid)
            index &+= 8
        }
        while index < end {
            let value = value(of: digits[index])
            if value == nil { isValid = false }
            word = word << 4 | UInt64(value ?? 0)
            index &+= 1
        }
        return word
    }

    /// Writes the highest `count` of the sixteen digits of a word.
    @inline(__always)
    static func write(
        _ word: UInt64, digits count: Int, uppercased: Bool = false,
        to output: UnsafeMutableRawBufferPointer, at start: Int
    ) {
        var rest = word
        var index = start
        let end = start &+ count
        while index &+ 8 <= end {
            let text = text(rest >> 32, uppercased: uppercased)
            output.storeBytes(of: text.bigEndian, toByteOffset: index, as: UInt64.self)
            rest <<= 32
            index &+= 8
        }
        while index < end {
            output[index] = digit(UInt8(truncatingIfNeeded: rest >> 60), uppercased: uppercased)
            rest <<= 4
            index &+= 1
        }
    }

    /// The ASCII digit of a number below sixteen.
    @inline(__always)
    static func digit(_ value: UInt8, uppercased: Bool = false) -> UInt8 {
        value < 10 ? 0x30 &+ value : (uppercased ? 0x37 : 0x57) &+ value
    }

    /// The number that eight digits write, the first one in the highest byte.
    @inline(__always)
    private static func eight(_ text: UInt64, isValid: inout Bool) -> UInt64 {
        let ascii = text & ~highBits
        let folded = ascii | ones &* 0x20
        // A byte's high bit is set when it is a decimal digit, or a letter from a to f.
        let decimals = (ascii &+ ones &* 0x50) & ~(ascii &+ ones &* 0x46) & highBits
        let letters = (folded &+ ones &* 0x1f) & ~(folded &+ ones &* 0x19) & highBits
        if text != ascii || decimals | letters != highBits { isValid = false }
        var packed = (text & nibbles) &+ (letters >> 7) &* 9
        packed = (packed | packed >> 4) & 0x00ff_00ff_00ff_00ff
        packed = (packed | packed >> 8) & 0x0000_ffff_0000_ffff
        return (packed | packed >> 16) & 0xffff_ffff
    }

    /// The eight digits of the low 32 bits, the first one in the highest byte.
    @inline(__always)
    private static func text(_ value: UInt64, uppercased: Bool) -> UInt64 {
        var spread = (value | value << 16) & 0x0000_ffff_0000_ffff
        spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
        spread = (spread | spread << 4) & nibbles
        let letters = (spread &+ ones &* 6) >> 4 & ones
        return spread &+ ones &* 0x30 &+ letters &* (uppercased ? 0x07 : 0x27)
    }
}
