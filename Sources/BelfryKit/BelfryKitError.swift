/// An error of the app library: what was found, and what is allowed.
public struct BelfryKitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error.
    public var code: Code
    /// A sentence for a person that names the field, what was found and what is allowed.
    public var message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The kind of an error; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        init(_ name: String) {
            description = name
        }
    }
}
