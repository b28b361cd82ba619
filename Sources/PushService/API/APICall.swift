internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

/// One request, authenticated and taken apart, on its way to a handler.
struct APICall: Sendable {
    /// The request; of a batch, one of its parts.
    var request: HTTPRequest
    /// The values of the pattern's `:name` pieces.
    var parameters: [String: String]
    /// Who asks; nil for operations that anybody may call.
    var caller: Caller?
    /// The body's object; empty without one.
    var body: [String: JSONValue]
    /// When the request came.
    var now: Instant

    /// The app that is asked about.
    ///
    /// Only operations with access `anyone` have no caller, and they do not ask for it.
    var app: App {
        get throws(APIError) {
            guard let caller else { throw APIError(status: 401, code: 401, "the request names no app") }
            return caller.app
        }
    }

    var isMaster: Bool { caller?.isMaster ?? false }

    /// A piece of the path.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    // MARK: - Query

    func text(_ name: String) -> String? { request.queryValue(named: name) }

    /// Whether a switch is on: `true` or `1`.
    func isOn(_ name: String) -> Bool {
        switch text(name) {
        case "true", "1": true
        default: false
        }
    }

    /// The condition in a query parameter; nil when there is none or it is empty.
    func clause(_ name: String = "where") throws(APIError) -> WhereClause? {
        guard let text = text(name), !text.isEmpty else { return nil }
        do {
            let clause = try WhereClause(parsing: text)
            return clause.json == [:] ? nil : clause
        } catch {
            throw APIError(error)
        }
    }
}

/// Who sends a request.
struct Caller: Sendable, Hashable {
    /// The app.
    var app: App
    /// Whether the request was made with the master key.
    var isMaster: Bool
    /// APNs' environment by `X-LC-Prod`: nil when the header is missing.
    var isProduction: Bool?
    /// Who is named in the audit log; nil for whoever has the key.
    var actor: String?
}
