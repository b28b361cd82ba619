public import Foundation

/// A request to the push service.
public struct ServiceRequest: Sendable, Hashable {
    /// For example `POST`.
    public var method: String
    /// The whole address.
    public var url: URL
    /// Header fields by name.
    public var headers: [String: String]
    /// JSON.
    public var body: Data
    /// How long the answer may take, in seconds.
    public var timeoutSeconds: Double

    /// Makes a request.
    public init(
        method: String, url: URL, headers: [String: String], body: Data, timeoutSeconds: Double = 30
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeoutSeconds = timeoutSeconds
    }
}
