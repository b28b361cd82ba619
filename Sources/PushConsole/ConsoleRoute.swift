internal import PushStore
internal import Transport

/// One thing the console does.
struct ConsoleRoute: Sendable {
    /// Who may ask for it.
    enum Access: Sendable, Hashable {
        case anyone
        case role(ConsoleUser.Role)
    }

    typealias Handler = @Sendable (Console, Visit) async throws -> HTTPResponse

    var method: String
    /// Below `/console`.
    var pattern: String
    var access: Access
    var handler: Handler

    static func get(
        _ pattern: String, _ access: Access = .role(.viewer), _ handler: @escaping Handler
    ) -> ConsoleRoute {
        ConsoleRoute(method: "GET", pattern: pattern, access: access, handler: handler)
    }

    static func post(
        _ pattern: String, _ access: Access, _ handler: @escaping Handler
    ) -> ConsoleRoute {
        ConsoleRoute(method: "POST", pattern: pattern, access: access, handler: handler)
    }

    /// Whether its pages are about one app.
    var hasApp: Bool { pattern.hasPrefix("/apps/:app") }
}
