/// A request the server answers itself, without its handler.
struct HTTPRejection: Error, Hashable, Sendable {
    let status: Int
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    var response: HTTPResponse { .error(status, message) }

    static let handlerTooSlow = HTTPRejection(503, "the request took longer than its handler may")
    static let stopping = HTTPRejection(503, "the server is stopping")
    static let requestTooSlow = HTTPRejection(408, "the request did not arrive in time")
    static let invalidResponse = HTTPRejection(500, "the handler answered something that cannot be sent")
}
