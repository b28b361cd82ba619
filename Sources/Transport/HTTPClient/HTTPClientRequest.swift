/// One request an ``HTTPClient`` makes.
public struct HTTPClientRequest: Sendable, Hashable {
    /// For example `GET`.
    public var method: String
    /// With scheme and host; `http` and `https` only.
    public var url: String
    /// In the order they are sent; `Host` and `Content-Length` are the client's to send.
    public var headers: [HTTPHeaders.Field]
    /// Sent with its length; nil for a request without one.
    public var body: [UInt8]?
    /// From the first look at the name to the last byte of the answer.
    public var timeout: Duration
    /// The largest answer, in bytes of its body; a larger one is an error.
    public var responseByteCountMax: Int

    /// Makes a request.
    public init(
        method: String = "GET", url: String, headers: [HTTPHeaders.Field] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), responseByteCountMax: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.responseByteCountMax = responseByteCountMax
    }

    /// Finds what cannot be sent; nothing of it reaches the network.
    func validate() throws(TransportError) {
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw TransportError(.argument, "method: an HTTP method is needed")
        }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", url.dropFirst(scheme.count).hasPrefix("://") else {
            throw TransportError(.argument, "url: http:// or https:// is needed")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw TransportError(.argument, "url: blanks and control characters have to be escaped")
        }
        for field in headers {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter) else {
                throw TransportError(.argument, "headers: \"\(field.name)\" cannot be a name")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw TransportError(.argument, "headers: the value of \(field.name) has a control character")
            }
        }
        guard timeout > .zero, timeout < .seconds(1 << 20) else {
            throw TransportError(.argument, "timeout: a positive time below twelve days is needed")
        }
        guard responseByteCountMax >= 0 else {
            throw TransportError(.argument, "responseByteCountMax: 0 or more is needed")
        }
    }
}

/// What a server answered to an ``HTTPClient``.
public struct HTTPClientResponse: Sendable, Hashable {
    /// The status; redirects are answers like any other.
    public var status: Int
    /// The headers.
    public var headers: HTTPHeaders
    /// The body as it was sent, without any coding undone.
    public var body: [UInt8]
}
