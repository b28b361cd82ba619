/// A value that cannot be an APNs value, with the reason in words.
///
/// Messages name the field, what was found and what is allowed. They never hold a whole device token,
/// a key or a payload.
public struct APNsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of value was refused.
    public var code: Code
    /// What was found and what is allowed, for people.
    public var message: String

    /// Makes an error from its parts.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message in one line.
    public var description: String { "\(code): \(message)" }
}

extension APNsError {
    /// The kinds of errors of this module; later versions may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code as text, stable across versions.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// Not a device token.
        public static let invalidDeviceToken = Code("invalidDeviceToken")
        /// Not a topic or not a bundle identifier.
        public static let invalidTopic = Code("invalidTopic")
        /// Not a collapse identifier.
        public static let invalidCollapseID = Code("invalidCollapseID")
        /// Not a broadcast channel identifier.
        public static let invalidChannelID = Code("invalidChannelID")
        /// Not a provider token (JWT) that APNs could accept.
        public static let invalidProviderToken = Code("invalidProviderToken")
        /// Bytes that are not JSON, or JSON that cannot be encoded.
        public static let invalidJSON = Code("invalidJSON")
        /// JSON that is not a notification payload.
        public static let invalidPayload = Code("invalidPayload")
        /// A payload above the size limit of its push type.
        public static let payloadTooLarge = Code("payloadTooLarge")
    }
}
