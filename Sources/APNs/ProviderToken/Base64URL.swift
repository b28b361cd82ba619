/// Base64 with the URL alphabet and without padding (RFC 4648 section 5), as JWTs use it.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let invalid: UInt8 = 0xff

    /// Six bits for each byte of text, or `invalid`.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    static func append(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xffff
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                output.append(alphabet[Int(bits >> UInt32(bitCount) & 0x3f)])
            }
        }
        if bitCount > 0 { output.append(alphabet[Int(bits << UInt32(6 - bitCount) & 0x3f)]) }
    }

    /// The bytes of a text; nil for a character outside the alphabet, padding, an impossible length or
    /// unused bits that are not zero.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in text {
            let value = values[Int(byte)]
            if value == invalid { return nil }
            bits = (bits << 6 | UInt32(value)) & 0x3fff
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bits & (1 << UInt32(bitCount) - 1) == 0 ? output : nil
    }
}
