public import Foundation

/// The push service's answer.
public struct ServiceResponse: Sendable, Hashable {
    /// The status of the answer.
    public var status: Int
    /// JSON.
    public var body: Data
    /// What the header `Retry-After` says, in seconds; nil without it.
    public var retryAfterSeconds: Double?

    /// Makes an answer.
    public init(status: Int, body: Data = Data(), retryAfterSeconds: Double? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}
