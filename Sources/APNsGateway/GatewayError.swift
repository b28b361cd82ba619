/// An error of the gateway or its control interface: what was asked, what was found, what is allowed.
public struct GatewayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error.
    public var code: Code
    /// A sentence for a person; never a secret, never a whole device token.
    public var message: String
    /// The field of a request that is wrong, where there is one.
    public var field: String?

    /// Makes an error.
    public init(code: Code, message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The kind of a gateway error; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case invalidField, notFound, deviceNotFound, appNotFound, tokenNotFound, channelNotFound
            case deviceOffline, limitReached, conflict, unavailable, storage, identity
        }

        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The code's name.
        public var description: String { name.rawValue }

        /// A field has a wrong type or value, or is unknown.
        public static let invalidField = Code(.invalidField)
        /// There is nothing at this path.
        public static let notFound = Code(.notFound)
        /// No device has this id.
        public static let deviceNotFound = Code(.deviceNotFound)
        /// The device does not have this app.
        public static let appNotFound = Code(.appNotFound)
        /// The device does not have this token.
        public static let tokenNotFound = Code(.tokenNotFound)
        /// No channel has this id.
        public static let channelNotFound = Code(.channelNotFound)
        /// The device would have to be online for this.
        public static let deviceOffline = Code(.deviceOffline)
        /// A limit of the gateway is reached.
        public static let limitReached = Code(.limitReached)
        /// The present state does not allow this.
        public static let conflict = Code(.conflict)
        /// The gateway runs without the part that this needs.
        public static let unavailable = Code(.unavailable)
        /// The data folder's database failed.
        public static let storage = Code(.storage)
        /// The data folder's keys or certificates are unusable.
        public static let identity = Code(.identity)
    }
}
