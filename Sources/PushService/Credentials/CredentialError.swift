/// Why a file is no credential for APNs.
public struct CredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field or file, what was found, what is allowed; never key material.
    public var message: String

    /// Makes an error.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
