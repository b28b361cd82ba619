/// One request to an ``HTTPServer``, received whole.
public struct HTTPRequest: Sendable {
    /// As sent, in the client's case.
    public var method: String
    /// Percent-decoded; starts with `/`, or is `*` for `OPTIONS *`.
    public var path: String
    /// The path between its slashes, each piece decoded on its own, so that `%2F` does not split.
    public var pathSegments: [String]
    /// Decoded names and values in order; a name without `=` has an empty value.
    public var query: [(name: String, value: String)]
    /// Found by name in any case; fields of one name are joined.
    public var headers: HTTPHeaders
    /// At most as long as the server's limit.
    public var body: [UInt8]
    /// The peer's IP address in numbers, without its port.
    public var remoteAddress: String

    /// Makes a request as a server would hand it to its handler, for tests of handlers.
    ///
    /// - Parameters:
    ///   - method: in upper case.
    ///   - path: decoded; it is cut at its slashes.
    ///   - query: decoded.
    ///   - headers: without fields unless given.
    ///   - body: empty unless given.
    ///   - remoteAddress: the loopback address unless given.
    public init(
        method: String = "GET", path: String, query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = [:], body: [UInt8] = [], remoteAddress: String = "127.0.0.1"
    ) {
        self.init(
            method: method,
            target: RequestTarget(path: path, segments: RequestTarget.segments(of: path), query: query),
            headers: headers, body: body, remoteAddress: remoteAddress)
    }

    /// Makes a request of a target as it stands on a request line, as batches of requests carry them.
    ///
    /// - Returns: nil when the target is malformed.
    package init?(
        method: String, rawTarget: String, headers: HTTPHeaders, body: [UInt8], remoteAddress: String
    ) {
        guard let target = try? RequestTarget(Array(rawTarget.utf8)) else { return nil }
        self.init(
            method: method, target: target, headers: headers, body: body, remoteAddress: remoteAddress)
    }

    init(
        method: String, target: RequestTarget, headers: HTTPHeaders, body: [UInt8], remoteAddress: String
    ) {
        self.method = method
        path = target.path
        pathSegments = target.segments
        query = target.query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The first query value of a name, compared with case.
    public func queryValue(named name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Who asked: the peer, or, when the peer is a proxy on this machine, whom that has had the request from.
    ///
    /// A proxy adds its peer's address as the last entry of `X-Forwarded-For`; what stands before is the client's to
    /// write. A peer elsewhere is not believed.
    public var clientAddress: String {
        guard
            remoteAddress.hasPrefix("127.") || remoteAddress == "::1" || remoteAddress == "::ffff:127.0.0.1",
            let last = headers.first(named: "x-forwarded-for")?.split(separator: ",").last,
            let text = last.split(separator: " ").first, last.split(separator: " ").count == 1,
            (2...45).contains(text.utf8.count), text.allSatisfy({ $0.isHexDigit || ".:".contains($0) })
        else { return remoteAddress }
        return String(text)
    }

    /// The id after which a client of an event stream wants to go on (`Last-Event-ID`).
    ///
    /// Source: the HTML standard, "Server-sent events".
    public var lastEventID: String? { headers.first(named: "last-event-id") }
}
