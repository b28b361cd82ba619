/// What a simulated phone cannot do, and why.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of mistake it is.
    public var code: Code
    /// Names what was asked for, what was found and what is allowed.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message.
    public var description: String { "\(code): \(message)" }

    /// A kind of mistake.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let description: String

        init(_ name: String) { description = name }

        /// No app of this bundle identifier is on the phone, or there is one already.
        public static let app = Code("app")
        /// The phone shows no such notification, or it has no such action.
        public static let notification = Code("notification")
        /// A push that no device would get: not JSON, without `aps`, too large.
        public static let push = Code("push")
        /// Something is not possible as the phone is now: locked, off, no question on the screen.
        public static let state = Code("state")
        /// A value from outside: a time, a name, a field of a request.
        public static let value = Code("value")
        /// The gateway cannot be reached, or refuses.
        public static let link = Code("link")
    }
}
