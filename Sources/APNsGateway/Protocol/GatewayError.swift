/// What the gateway cannot do, with the reason in words.
///
/// Messages name the field, what was found and what is allowed. They never hold a whole device token, a key
/// or a payload.
public struct GatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing was refused.
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

extension GatewayError {
    /// The kinds of errors of this module; later versions may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code as text, stable across versions.
        public let description: String

        package init(_ description: String) { self.description = description }

        /// Not a fault that can be asked for.
        public static let invalidFault = Code("invalidFault")
    }
}
