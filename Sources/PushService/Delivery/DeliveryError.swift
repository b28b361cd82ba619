/// What keeps a service from sending at all.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do about it, without secrets.
    public var message: String

    /// Makes an error.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
