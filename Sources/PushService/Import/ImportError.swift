/// Why an import could not go on.
public struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, what was found, what is allowed.
    public var message: String

    /// Makes an error.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
