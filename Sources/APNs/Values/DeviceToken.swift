/// The address of one app on one device, as opaque bytes.
///
/// Apple does not promise a size: 32 bytes are usual, 54 and 80 have been seen, up to 100 were announced
/// (WWDC 2015, session 720), so every size from 1 to 100 bytes is accepted. Tokens of up to 32 bytes are
/// kept inline; making, comparing and hashing them allocates nothing.
///
/// The description shows the first eight digits only, so that a token cannot slip into a log.
public struct DeviceToken: Sendable, CustomStringConvertible {
    /// The longest accepted token, in bytes.
    public static let byteCountMax = 100

    private static let inlineByteCountMax = 32

    // Big-endian, unused bytes zero: equal tokens have equal words.
    private var words: (UInt64, UInt64, UInt64, UInt64)
    private var count: UInt8
    /// All the bytes of a token that does not fit inline; the words then hold its first 32.
    private var long: [UInt8]?

    /// Reads hexadecimal digits of either case.
    /// - Throws: `invalidDeviceToken` for an odd number of digits, another character, or a wrong size.
    public init(hex: String) throws(APNsError) {
        var hex = hex
        let token = hex.withUTF8 { DeviceToken(hexUTF8: UnsafeRawBufferPointer($0)) }
        guard let token else { throw DeviceToken.error(hex: hex) }
        self = token
    }

    /// Reads hexadecimal digits of either case, without allocation for up to 64 digits.
    ///
    /// - Returns: nil for an odd number of digits, another character, or a wrong size.
    public init?(hexUTF8 digits: UnsafeRawBufferPointer) {
        let digitCount = digits.count
        guard digitCount >= 2, digitCount <= 2 * DeviceToken.byteCountMax, digitCount & 1 == 0 else {
            return nil
        }
        var isValid = true
        words = (
            DeviceToken.word(0, of: digits, isValid: &isValid),
            DeviceToken.word(1, of: digits, isValid: &isValid),
            DeviceToken.word(2, of: digits, isValid: &isValid),
            DeviceToken.word(3, of: digits, isValid: &isValid)
        )
        count = UInt8(digitCount / 2)
        long = nil
        if digitCount > 2 * DeviceToken.inlineByteCountMax {
            long = stride(from: 0, to: digitCount, by: 2).map { index in
                let byte = Hexadecimal.word(digits, from: index, count: 2, isValid: &isValid)
                return UInt8(truncatingIfNeeded: byte)
            }
        }
        if !isValid { return nil }
    }

    /// Takes the bytes as the device registered them.
    /// - Throws: `invalidDeviceToken` when there are no bytes or more than 100.
    public init(bytes: [UInt8]) throws(APNsError) {
        guard (1...DeviceToken.byteCountMax).contains(bytes.count) else {
            throw APNsError(
                code: .invalidDeviceToken,
                message: "a device token has 1 to \(DeviceToken.byteCountMax) bytes, not \(bytes.count)")
        }
        func word(_ index: Int) -> UInt64 {
            (8 * index..<8 * index + 8).reduce(0) { $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0) }
        }
        words = (word(0), word(1), word(2), word(3))
        count = UInt8(bytes.count)
        long = bytes.count > DeviceToken.inlineByteCountMax ? bytes : nil
    }

    /// How many bytes the token has.
    public var byteCount: Int { Int(count) }

    /// The bytes as the device registered them.
    public var bytes: [UInt8] {
        if let long { return long }
        return (0..<byteCount).map { UInt8(truncatingIfNeeded: word($0 / 8) >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// All digits, in lower case.
    public var hexString: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * byteCount)
        appendHex(to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends all digits in lower case; allocates only when the array has to grow.
    public func appendHex(to output: inout [UInt8]) {
        let digitCount = 2 * byteCount
        withUnsafeTemporaryAllocation(byteCount: digitCount, alignment: 8) { digits in
            if let long {
                for (index, byte) in long.enumerated() {
                    Hexadecimal.write(UInt64(byte) << 56, digits: 2, to: digits, at: 2 * index)
                }
            } else {
                for start in stride(from: 0, to: digitCount, by: 16) {
                    let count = min(16, digitCount - start)
                    Hexadecimal.write(word(start / 16), digits: count, to: digits, at: start)
                }
            }
            output.append(contentsOf: digits)
        }
    }

    /// The first eight digits and an ellipsis; never the whole token.
    public var description: String {
        // A token short enough to be shown whole is hidden by half.
        let visible = min(8, byteCount)
        return String(hexString.prefix(visible)) + "…"
    }

    private func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
    }

    /// The eight bytes at a word's place in the digits; zero where there are no digits.
    @inline(__always)
    private static func word(
        _ index: Int, of digits: UnsafeRawBufferPointer, isValid: inout Bool
    ) -> UInt64 {
        let count = min(16, digits.count - 16 * index)
        guard count > 0 else { return 0 }
        return Hexadecimal.word(digits, from: 16 * index, count: count, isValid: &isValid)
            << UInt64(64 - 4 * count)
    }

    private static func error(hex: String) -> APNsError {
        let count = hex.utf8.count
        let message: String
        if let offset = hex.utf8.firstIndex(where: { Hexadecimal.value(of: $0) == nil }) {
            let position = hex.utf8.distance(from: hex.startIndex, to: offset)
            message = "a device token consists of hexadecimal digits; byte \(position) is something else"
        } else if count == 0 || count > 2 * byteCountMax {
            message = "a device token has 2 to \(2 * byteCountMax) digits, not \(count)"
        } else {
            message = "a device token has an even number of digits, not \(count)"
        }
        return APNsError(code: .invalidDeviceToken, message: message)
    }
}

extension DeviceToken: Hashable {
    /// Whether two tokens have the same bytes.
    public static func == (one: DeviceToken, other: DeviceToken) -> Bool {
        one.words == other.words && one.count == other.count && one.long == other.long
    }

    /// Feeds the token's bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
        if let long { hasher.combine(long) }
    }
}
