/// An error of the network layer: what failed, in words an operator can act on.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure, an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The host name could not be resolved.
        public static let resolution = Code("resolution")
        /// No address of the host could be connected to.
        public static let connect = Code("connect")
        /// Something took longer than it may; the message says what.
        public static let timeout = Code("timeout")
        /// The TLS handshake or a TLS record failed.
        public static let tls = Code("tls")
        /// The peer broke HTTP/2, or cannot speak it.
        public static let http2 = Code("http2")
        /// The HTTP proxy refused the tunnel.
        public static let proxy = Code("proxy")
        /// The peer or the network ended the connection.
        public static let connectionLost = Code("connectionLost")
        /// We closed it ourselves.
        public static let closed = Code("closed")
        /// An address could not be listened on.
        public static let listen = Code("listen")
        /// The peer sent more, or faster, than a limit allows.
        public static let limit = Code("limit")
        /// An argument is not usable; the message names it.
        public static let argument = Code("argument")

        /// The name of the kind.
        public var description: String { name }
    }

    /// What kind of failure this is.
    public let code: Code
    /// What was found and what would have been allowed; never a secret.
    public let message: String

    /// Makes an error of a kind with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kind and the message.
    public var description: String { "\(code): \(message)" }
}
