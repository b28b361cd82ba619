/// Why a change of an object was refused, with the code LeanCloud's clients know.
public struct ChangeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// LeanCloud's error code, for example 105 for a bad key, 111 for a wrong type, 305 for an unmet condition.
    public var code: Int
    /// The field, what was found and what is allowed.
    public var message: String
    /// What failed in the store; nil when the request itself is at fault.
    public var storeCode: StoreError.Code?

    /// Makes an error.
    public init(code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message.
    public var description: String { "\(code): \(message)" }

    /// An error of the store, which clients see as code 1.
    public init(_ error: StoreError) {
        self.init(code: 1, error.message)
        storeCode = error.code
    }
}
