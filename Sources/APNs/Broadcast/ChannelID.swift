import FoundationEssentials

/// The identifier of a broadcast channel: the header apns-channel-id, base64 chosen by APNs.
///
/// From Apple: Sending channel management requests to APNs, which leaves the size open.
public struct ChannelID: Hashable, Sendable, CustomStringConvertible {
    /// The longest accepted identifier, in characters; a bound of this library, not of Apple.
    public static let characterCountMax = 256

    /// The identifier as it is sent.
    public let rawValue: String

    /// Takes an identifier.
    /// - Throws: `invalidChannelID` when it is empty, longer than 256 characters or not padded base64.
    public init(_ rawValue: String) throws(APNsError) {
        let count = rawValue.utf8.count
        guard (1...ChannelID.characterCountMax).contains(count) else {
            throw APNsError(
                code: .invalidChannelID,
                message: "a channel id has 1 to \(ChannelID.characterCountMax) characters, not \(count)")
        }
        guard let bytes = Data(base64Encoded: rawValue), !bytes.isEmpty,
            bytes.base64EncodedString() == rawValue
        else {
            throw APNsError(code: .invalidChannelID, message: "a channel id is base64 with its padding")
        }
        self.rawValue = rawValue
    }

    /// Encodes the bytes of an identifier.
    /// - Throws: `invalidChannelID` when there are none or more than 192.
    public init(bytes: [UInt8]) throws(APNsError) {
        try self.init(Data(bytes).base64EncodedString())
    }

    /// Reads the header's value.
    ///
    /// - Returns: nil where the throwing initialiser throws, and for bytes that are not UTF-8.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard let string = String(validating: text, as: UTF8.self), let id = try? ChannelID(string) else {
            return nil
        }
        self = id
    }

    /// The identifier as it is sent.
    public var description: String { rawValue }
}
