/// An error in how a client was set up: which setting, what was found, what is allowed.
public struct APNsClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of error, an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// A key, its id or its team cannot be used.
        public static let credential = Code("credential")
        /// A server's address cannot be used.
        public static let endpoint = Code("endpoint")

        /// The name of the kind.
        public var description: String { name }
    }

    /// What kind of error this is.
    public let code: Code
    /// For people; never holds a secret.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kind and the message.
    public var description: String { "\(code): \(message)" }
}
