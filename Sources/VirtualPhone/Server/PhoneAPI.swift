public import Transport

/// Phones over HTTP, for a page that shows them: JSON and server-sent events, without a password, for loopback.
///
/// | request | does |
/// | --- | --- |
/// | `GET /phones` | lists the phones: `{"phones": [{"id", "name", …}]}` |
/// | `GET /phones/:id` | a phone's whole state |
/// | `GET /phones/:id/journal` | what happened: `since` (a number) |
/// | `GET /phones/:id/events` | the journal as it happens, each entry with its number as the event's id; `Last-Event-ID` resumes |
/// | `POST /phones/:id/actions` | does something, `{"action": "tap", "notification": 3}`; answers the state afterwards |
///
/// Errors are `{"error": "…"}`: 404 for a phone, an app or a notification that is not there, 409 for what is not possible
/// now, 400 for the rest.
public final class PhoneAPI: Sendable {
    private let handlers = PhoneHandlers()
    private let router: Router

    /// Makes an API without phones.
    public init() {
        let handlers = handlers
        router = Router([
            .get("/phones") { _, _ in handlers.list() },
            .get("/phones/:id") { _, parameters in handlers.show(parameters) },
            .get("/phones/:id/journal") { handlers.journal($0, $1) },
            .get("/phones/:id/events") { handlers.events($0, $1) },
            .post("/phones/:id/actions") { await handlers.act($0, $1) },
        ])
    }

    /// Shows a phone, by an id of the caller's in the path.
    public func add(_ phone: VirtualPhone, id: String) { handlers.add(phone, id: id) }

    /// Shows a phone no longer.
    public func remove(id: String) { handlers.remove(id: id) }

    /// Whether a path is one of this API's, for a server that has others too.
    public static func owns(path: String) -> Bool { path == "/phones" || path.hasPrefix("/phones/") }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = LoopbackGuard.refusal(request) { return refusal }
        return await router.respond(to: request)
    }
}
