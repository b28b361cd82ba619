internal import APNs
internal import Transport

/// What a handler answers when all went well.
struct APIAnswer: Sendable {
    /// The body.
    enum Content: Sendable {
        case json(JSONValue)
        case text(String, contentType: String)
    }

    var status: Int
    var headers: [(String, String)]
    var content: Content

    init(_ json: JSONValue, status: Int = 200, headers: [(String, String)] = []) {
        self.status = status
        self.headers = headers
        content = .json(json)
    }

    init(text: String, contentType: String, status: Int = 200) {
        self.status = status
        headers = []
        content = .text(text, contentType: contentType)
    }

    /// The JSON, for batches.
    var json: JSONValue {
        if case .json(let json) = content { json } else { .null }
    }

    var response: HTTPResponse {
        switch content {
        case .json(let json):
            var response = HTTPResponse.json(APIBody.encoded(json), status: status)
            response.headers += headers
            return response
        case .text(let text, let contentType):
            return HTTPResponse(
                status: status, headers: [("Content-Type", contentType)] + headers,
                body: .bytes(Array(text.utf8)))
        }
    }
}
