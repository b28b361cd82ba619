/// The value of the header apns-topic: a bundle identifier and the suffix of a push type.
///
/// Suffixes from Apple: Sending notification requests to APNs. An mdm topic is the UID of the MDM push
/// certificate and has no suffix.
public struct Topic: Hashable, Sendable, CustomStringConvertible {
    /// The longest accepted topic, in bytes: far above real ones, far below a header block.
    public static let byteCountMax = 255

    /// The topic as it is sent.
    public let rawValue: String

    /// Takes a whole topic.
    /// - Throws: `invalidTopic` when it is empty, longer than 255 bytes or has anything but ASCII letters,
    ///   digits, dots and hyphens.
    public init(_ rawValue: String) throws(APNsError) {
        if let fault = Topic.fault(rawValue) {
            throw APNsError(code: .invalidTopic, message: "a topic \(fault)")
        }
        self.rawValue = rawValue
    }

    /// Appends the suffix of a push type to a bundle identifier.
    /// - Throws: `invalidTopic` as the other initialiser.
    public init(bundleID: String, pushType: PushType) throws(APNsError) {
        if let fault = Topic.fault(bundleID) {
            throw APNsError(code: .invalidTopic, message: "a bundle identifier \(fault)")
        }
        try self.init(bundleID + pushType.topicSuffix)
    }

    /// Reads the header's value.
    ///
    /// - Returns: nil where the throwing initialiser throws.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard !text.isEmpty, text.count <= Topic.byteCountMax, text.allSatisfy(Topic.isAllowed) else {
            return nil
        }
        rawValue = String(decoding: text, as: UTF8.self)
    }

    /// The push type whose suffix the topic ends with; nil for a topic without a suffix.
    public var suffixedPushType: PushType? {
        PushType.allCases.first { type in
            let suffix = type.topicSuffix
            return !suffix.isEmpty && rawValue.utf8.count > suffix.utf8.count && rawValue.hasSuffix(suffix)
        }
    }

    /// The topic without the suffix of a push type.
    public var bundleID: String {
        guard let suffix = suffixedPushType?.topicSuffix else { return rawValue }
        return String(rawValue.dropLast(suffix.utf8.count))
    }

    /// Whether the topic ends as this push type needs: with its suffix, or without any.
    public func fits(_ pushType: PushType) -> Bool {
        (suffixedPushType?.topicSuffix ?? "") == pushType.topicSuffix
    }

    /// The topic as it is sent.
    public var description: String { rawValue }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e: true
        default: false
        }
    }

    private static func fault(_ text: String) -> String? {
        if text.isEmpty { return "must not be empty" }
        if text.utf8.count > byteCountMax {
            return "has at most \(byteCountMax) bytes, not \(text.utf8.count)"
        }
        if let byte = text.utf8.first(where: { !isAllowed($0) }) {
            let found = byte > 0x20 && byte < 0x7f ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
            return "consists of ASCII letters, digits, '.' and '-'; found \(found)"
        }
        return nil
    }
}
