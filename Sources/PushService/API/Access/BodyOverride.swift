internal import APNs
internal import Transport

/// What the JavaScript SDK writes into the body so that a browser need not ask first: method, app and key.
///
/// It posts JSON as `text/plain`; then the body's members take the place of headers, and with `_method` GET or
/// DELETE the rest are query parameters.
enum BodyOverride {
    private static let headers = [
        "_ApplicationId": "X-LC-Id", "_ApplicationKey": "X-LC-Key", "_MasterKey": "X-AVOSCloud-Master-Key",
        "_ApplicationProduction": "X-LC-Prod", "_RequestSign": "X-LC-Sign",
    ]
    private static let ignored: Set<String> = [
        "_method", "_SessionToken", "_ClientVersion", "_InstallationId", "_Origin",
    ]
    private static let methods: Set<String> = ["GET", "POST", "PUT", "DELETE"]

    /// The request that is meant.
    ///
    /// - Throws: code 107 for JSON that cannot be read, 1 for a method that is none.
    static func applied(to request: HTTPRequest) throws(APIError) -> HTTPRequest {
        guard request.method == "POST", isPlainText(request), request.body.first(where: { $0 > 0x20 }) == 0x7b
        else { return request }
        var members = try APIBody.object(request.body)
        guard members["_method"] != nil || members["_ApplicationId"] != nil else { return request }

        var request = request
        for (key, header) in headers {
            guard let value = members.removeValue(forKey: key) else { continue }
            let text =
                switch value {
                case .string(let text): text
                case .integer(let integer): String(integer)
                default: throw APIError(code: 107, "\(key): \(value.kind) was found, a string is needed")
                }
            // A header says it already in requests that carry both.
            if request.headers.first(named: header) == nil {
                request.headers.append(name: header, value: text)
            }
        }
        if let method = members["_method"] {
            guard case .string(let name) = method, methods.contains(name.uppercased()) else {
                throw APIError(code: 1, "_method: GET, POST, PUT and DELETE are allowed")
            }
            request.method = name.uppercased()
        }
        for key in ignored { members[key] = nil }
        if request.method == "GET" || request.method == "DELETE" {
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                request.query.append((name: key, value: text(value)))
            }
            request.body = []
        } else {
            request.body = APIBody.encoded(.object(members))
        }
        return request
    }

    /// The value of a query parameter: texts as they are, everything else as JSON.
    static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return String(decoding: APIBody.encoded(value), as: UTF8.self)
    }

    private static func isPlainText(_ request: HTTPRequest) -> Bool {
        guard let type = request.headers.first(named: "content-type") else { return true }
        return type.lowercased().hasPrefix("text/plain")
    }
}
