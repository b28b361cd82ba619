internal import APNs
internal import PushStore
internal import Transport

/// Why a request was refused, in the form that LeanCloud's clients read: `{"code", "error"}`.
package struct APIError: Error, Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// LeanCloud's error code.
    var code: Int
    /// The field, what was found and what is allowed; no secrets.
    package var message: String
    /// After how many seconds another attempt may succeed (`Retry-After`).
    var retryAfterSeconds: Int?
    /// What the log says and the client does not: it may name files and tables.
    private(set) var cause: String?

    init(status: Int = 400, code: Int, _ message: String, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfterSeconds = retryAfterSeconds
    }

    init(_ error: ChangeError) {
        if let storeCode = error.storeCode {
            self.init(StoreError(storeCode, error.message))
        } else {
            self.init(status: Self.status(ofCode: error.code), code: error.code, error.message)
        }
    }

    init(_ error: StoreError) {
        switch error.code {
        case .invalid: self.init(code: 1, error.message)
        case .notFound: self.init(status: 404, code: 101, error.message)
        case .conflict: self.init(code: 137, error.message)
        case .conditionNotMet: self.init(code: 305, error.message)
        case .overloaded:
            self.init(
                status: 503, code: 502, "the service has more work than it takes in; try again",
                retryAfterSeconds: 1)
        case .unavailable:
            self.init(
                status: 503, code: 502,
                "the service's database does not answer; nothing was changed, try again",
                retryAfterSeconds: 1)
        case .uncertain:
            self.init(
                status: 503, code: 502,
                "the service's database went away while the change was being kept: it may be kept, or not; a push "
                    + "that is sent again with the same req_id is sent once", retryAfterSeconds: 1)
        // LeanCloud: error codes, 124: the request timed out on the server and is typically too expensive.
        case .tooCostly: self.init(code: 124, error.message)
        case .full:
            self.init(status: 507, code: 1, "the service's disk is full; nothing was changed")
            cause = error.message
        default:
            self.init(status: 500, code: 1, "the service's database failed; nothing was changed")
            cause = error.message
        }
    }

    /// Any error that a handler meets; those of other types are nobody's fault but the service's.
    init(any error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as ChangeError: self.init(error)
        case let error as StoreError: self.init(error)
        default:
            self.init(status: 500, code: 1, "the service failed")
            cause = "\(error)"
        }
    }

    private static func status(ofCode code: Int) -> Int {
        switch code {
        case 101: 404
        case 116: 413
        case 119: 403
        case 401, 403, 429: code
        default: 400
        }
    }

    /// The answer.
    var response: HTTPResponse {
        var response = HTTPResponse.json(
            APIBody.encoded(["code": .integer(Int64(code)), "error": .string(message)]), status: status)
        if let retryAfterSeconds { response.headers.append(("Retry-After", String(retryAfterSeconds))) }
        return response
    }

    // MARK: - Errors that several handlers have

    /// For a node whose database a newer one has changed beyond it.
    static let outdated = APIError(
        status: 503, code: 502,
        "this part of the service is about to be replaced by a newer one; nothing was changed, try again",
        retryAfterSeconds: 1)

    static func malformed(_ message: String) -> APIError { APIError(code: 107, message) }

    static func nothing(at path: String) -> APIError {
        APIError(
            status: 404, code: 1,
            "\(path.prefix(200)): there is nothing here; this service answers push only: installations, pushes, "
                + "their records, events")
    }
}
