/// A request to be sent whole over HTTP/2.
public struct HTTP2Request: Sendable {
    /// Such as `POST`.
    public var method: String
    /// The path with its query.
    public var path: String
    /// Names in lower case, without the pseudo-header fields.
    public var fields: [(name: String, value: String)]
    /// Empty for none.
    public var body: [UInt8]

    /// Makes a request.
    public init(
        method: String, path: String, fields: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }
}

/// An answer that was received whole.
public struct HTTP2Response: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, the status included.
    public var fields: HTTP2Fields
    /// The body, up to the connection's limit.
    public var body: [UInt8]
}
