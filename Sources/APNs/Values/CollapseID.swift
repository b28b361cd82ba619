/// The identifier under which notifications replace each other on screen: the header apns-collapse-id.
public struct CollapseID: Hashable, Sendable, CustomStringConvertible {
    /// The longest identifier, in bytes of UTF-8 (Apple: Sending notification requests to APNs).
    public static let byteCountMax = 64

    /// The identifier as it is sent.
    public let rawValue: String

    /// Takes an identifier.
    /// - Throws: `invalidCollapseID` when it is empty, longer than 64 bytes, or cannot be a header value:
    ///   control characters, or blanks at either end.
    public init(_ rawValue: String) throws(APNsError) {
        let fault: String?
        if rawValue.isEmpty {
            fault = "must not be empty"
        } else if rawValue.utf8.count > CollapseID.byteCountMax {
            fault = "has at most \(CollapseID.byteCountMax) bytes of UTF-8, not \(rawValue.utf8.count)"
        } else if !CollapseID.isHeaderValue(rawValue.utf8) {
            fault = "must not hold control characters or begin or end with a blank"
        } else {
            fault = nil
        }
        if let fault { throw APNsError(code: .invalidCollapseID, message: "a collapse id \(fault)") }
        self.rawValue = rawValue
    }

    /// Reads the header's value.
    ///
    /// - Returns: nil where the throwing initialiser throws, and for bytes that are not UTF-8.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard !text.isEmpty, text.count <= CollapseID.byteCountMax, CollapseID.isHeaderValue(text),
            let string = String(validating: text, as: UTF8.self)
        else { return nil }
        rawValue = string
    }

    /// The identifier as it is sent.
    public var description: String { rawValue }

    private static func isHeaderValue(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        bytes.first != 0x20 && bytes.last != 0x20 && !bytes.contains { $0 < 0x20 || $0 == 0x7f }
    }
}
