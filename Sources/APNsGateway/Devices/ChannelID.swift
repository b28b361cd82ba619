/// The name of a broadcast channel: base64 text that the gateway chose.
///
/// Apple: Sending channel management requests to APNs. Apple gives no size; ids made here have 16 bytes.
package struct ChannelID: Hashable, Sendable, CustomStringConvertible {
    /// The longest id that is read, in bytes of base64 text.
    package static let textByteCountMax = 128
    /// The size of new ids, in bytes before base64.
    package static let byteCount = 16

    /// The base64 text.
    package let rawValue: String

    /// Reads the header apns-channel-id.
    ///
    /// - Returns: nil for a text that is not base64 with padding, is empty, or is too long (BadChannelId).
    package init?(_ text: String) {
        var text = text
        let isValid = text.withUTF8 { ChannelID.isBase64(UnsafeRawBufferPointer($0)) }
        guard isValid else { return nil }
        rawValue = text
    }

    /// Reads the header apns-channel-id.
    ///
    /// - Returns: nil as the other initialiser.
    package init?(utf8 text: UnsafeRawBufferPointer) {
        guard ChannelID.isBase64(text) else { return nil }
        rawValue = String(decoding: text, as: UTF8.self)
    }

    /// Makes a random id.
    package static func random(using generator: inout some RandomNumberGenerator) -> ChannelID {
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return ChannelID(base64: Base64Text.encode(bytes))
    }

    private init(base64: String) {
        rawValue = base64
    }

    /// The base64 text.
    package var description: String { rawValue }

    private static func isBase64(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !text.isEmpty, text.count <= textByteCountMax, text.count % 4 == 0 else { return false }
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return padding <= 2 && text.dropLast(padding).allSatisfy(Base64Text.isDigit)
    }
}
