/// The UUID of a request: apns-id, apns-unique-id or apns-request-id.
///
/// Only the canonical form of 8-4-4-4-12 digits is read, in either case and with any version and variant
/// bits: APNs answers with upper-case identifiers that are often not valid by RFC 9562.
public struct NotificationID: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    public var high: UInt64
    /// The last eight bytes, big-endian.
    public var low: UInt64

    /// The number of characters of the canonical form.
    public static let characterCount = 36

    /// Makes an identifier from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the canonical form in either case, without allocation.
    ///
    /// - Returns: nil for anything else.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard text.count == NotificationID.characterCount else { return nil }
        let dashes = (text[8] ^ 0x2d) | (text[13] ^ 0x2d) | (text[18] ^ 0x2d) | (text[23] ^ 0x2d)
        guard dashes == 0 else { return nil }
        var isValid = true
        high =
            Hexadecimal.word(text, from: 0, count: 8, isValid: &isValid) << 32
            | Hexadecimal.word(text, from: 9, count: 4, isValid: &isValid) << 16
            | Hexadecimal.word(text, from: 14, count: 4, isValid: &isValid)
        low =
            Hexadecimal.word(text, from: 19, count: 4, isValid: &isValid) << 48
            | Hexadecimal.word(text, from: 24, count: 12, isValid: &isValid)
        if !isValid { return nil }
    }

    /// Reads the canonical form in either case.
    ///
    /// - Returns: nil for anything else.
    public init?(_ string: String) {
        var string = string
        guard let id = string.withUTF8({ NotificationID(utf8: UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = id
    }

    /// Makes a random identifier (version 4).
    public static func random(using generator: inout some RandomNumberGenerator) -> NotificationID {
        let high: UInt64 = generator.next()
        let low: UInt64 = generator.next()
        return NotificationID(
            high: high & 0xffff_ffff_ffff_0fff | 0x4000,
            low: low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    /// The canonical form in lower case, as Apple asks clients to send it.
    public var uuidString: String { string(uppercased: false) }

    /// The canonical form in upper case, as APNs writes the identifiers it makes.
    public var uppercasedUUIDString: String { string(uppercased: true) }

    /// The canonical form in lower case.
    public var description: String { uuidString }

    /// Appends the canonical form; allocates only when the array has to grow.
    public func append(to output: inout [UInt8], uppercased: Bool = false) {
        withUnsafeTemporaryAllocation(byteCount: NotificationID.characterCount, alignment: 8) { text in
            write(to: text, uppercased: uppercased)
            output.append(contentsOf: text)
        }
    }

    private func string(uppercased: Bool) -> String {
        String(unsafeUninitializedCapacity: NotificationID.characterCount) { text in
            write(to: UnsafeMutableRawBufferPointer(text), uppercased: uppercased)
            return NotificationID.characterCount
        }
    }

    private func write(to text: UnsafeMutableRawBufferPointer, uppercased: Bool) {
        Hexadecimal.write(high, digits: 8, uppercased: uppercased, to: text, at: 0)
        Hexadecimal.write(high << 32, digits: 4, uppercased: uppercased, to: text, at: 9)
        Hexadecimal.write(high << 48, digits: 4, uppercased: uppercased, to: text, at: 14)
        Hexadecimal.write(low, digits: 4, uppercased: uppercased, to: text, at: 19)
        Hexadecimal.write(low << 16, digits: 12, uppercased: uppercased, to: text, at: 24)
        for index in [8, 13, 18, 23] { text[index] = 0x2d }
    }
}
