internal import FoundationEssentials

/// What a handler of an ``HTTPServer`` answers.
///
/// The server adds `Date`, `Content-Length` or `Transfer-Encoding`, and, where it compresses,
/// `Content-Encoding` and `Vary`.
public struct HTTPResponse: Sendable {
    /// 200...999; a handler that answers anything else is answered for with 500.
    public var status: Int
    /// In the order they are sent; a line break in one makes the answer a 500.
    public var headers: [(String, String)]
    /// Left out when the request was HEAD or the status allows none.
    public var body: HTTPBody

    /// Makes a response.
    public init(status: Int = 200, headers: [(String, String)] = [], body: HTTPBody = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Answers JSON text that is already encoded.
    public static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: .bytes(bytes))
    }

    /// Answers plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array(text.utf8)))
    }

    /// Answers `{"error": "…"}`, the form of the server's own errors.
    public static func error(_ status: Int, _ message: String) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let body = try? encoder.encode(["error": message])
        return .json(body.map { [UInt8]($0) } ?? Array(#"{"error":""}"#.utf8), status: status)
    }

    /// Answers 200 with a stream of server-sent events.
    public static func events(_ stream: EventStream) -> HTTPResponse {
        HTTPResponse(body: .events(stream))
    }

    /// The first value of a header name in any case.
    public func header(named name: String) -> String? {
        headers.first { $0.0.isSameHeaderName(as: name) }?.1
    }
}

extension HTTPResponse {
    /// The head a stream of events has, for HEAD; the stream is closed.
    ///
    /// libmicrohttpd 0.9.75 ends a chunked answer with its last chunk even when it was to send none.
    var withoutEvents: HTTPResponse {
        guard case .events(let stream) = body else { return self }
        stream.close()
        var response = HTTPResponse(status: status, headers: headers)
        response.addEventStreamHeaders()
        return response
    }

    /// What a stream's head says, unless the handler said otherwise.
    mutating func addEventStreamHeaders() {
        for (name, value) in [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        where header(named: name) == nil {
            headers.append((name, value))
        }
    }
}

/// The body of an ``HTTPResponse``.
public enum HTTPBody: Sendable {
    /// Sent with its length.
    case bytes([UInt8])
    /// Sent as `text/event-stream` until one side closes the stream.
    case events(EventStream)
}
