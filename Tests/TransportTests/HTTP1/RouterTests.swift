import Testing

@testable import Transport

struct RouterTests {
    /// Answers its name and the parameters it saw.
    private static func named(_ name: String, _ parameters: String...) -> Route.Handler {
        { _, values in .text(([name] + parameters.map { "\($0)=\(values[$0])" }).joined(separator: " ")) }
    }

    private static let router = Router([
        .get("/", named("root")),
        .get("/devices", named("list")),
        .post("/devices", named("create")),
        .get("/devices/:id", named("show", "id")),
        .delete("/devices/:id", named("delete", "id")),
        .get("/devices/stats", named("stats")),
        .get("/devices/:id/notifications/:number", named("notification", "id", "number")),
        .get("/devices/stats/notifications/:kind", named("kinds", "kind")),
        .put("/files/", named("directory")),
        Route("HEAD", "/head", named("head")), .get("/head", named("get")),
        Route("OPTIONS", "/options", named("options")), .patch("/options", named("patch")),
    ])

    private static func answer(_ method: String, _ path: String) async -> (Int, String, allow: String?) {
        let response = await router.respond(to: HTTPRequest(method: method, path: path))
        guard case .bytes(let body) = response.body else { return (response.status, "", nil) }
        return (response.status, String(decoding: body, as: UTF8.self), response.header(named: "Allow"))
    }

    @Test(arguments: [
        ("GET", "/", "root"), ("GET", "/devices", "list"), ("POST", "/devices", "create"),
        ("GET", "/devices/1", "show id=1"), ("DELETE", "/devices/1", "delete id=1"),
        ("GET", "/devices/stats", "stats"), ("DELETE", "/devices/stats", "delete id=stats"),
        ("GET", "/devices/a b/notifications/7", "notification id=a b number=7"),
        ("GET", "/devices/stats/notifications/7", "kinds kind=7"),
        ("HEAD", "/devices", "list"), ("HEAD", "/head", "head"), ("GET", "/head", "get"),
        ("OPTIONS", "/options", "options"), ("PUT", "/files/", "directory"),
    ])
    func `a route is found by method and path`(method: String, path: String, expected: String) async {
        let (status, body, _) = await Self.answer(method, path)
        #expect(status == 200)
        #expect(body == expected)
    }

    @Test(arguments: [
        "/nothing", "/devices/", "/devices//notifications/1", "/devices/1/notifications", "/files", "//", "*",
        "/Devices", "/devices/1/notifications/2/3",
    ])
    func `a path without a route is answered 404`(path: String) async {
        let (status, body, _) = await Self.answer("GET", path)
        #expect(status == 404)
        #expect(body == #"{"error":"there is nothing at \#(path)"}"#)
    }

    @Test(arguments: [
        ("PUT", "/devices", "GET, HEAD, OPTIONS, POST"), ("POST", "/devices/1", "DELETE, GET, HEAD, OPTIONS"),
        ("get", "/", "GET, HEAD, OPTIONS"), ("GET", "/files/", "OPTIONS, PUT"),
        ("POST", "/devices/stats", "DELETE, GET, HEAD, OPTIONS"),
    ])
    func `a path without the method is answered 405 with Allow`(
        method: String, path: String, allow: String
    ) async {
        let answer = await Self.answer(method, path)
        #expect(answer.0 == 405)
        #expect(answer.allow == allow)
        #expect(answer.1.contains(allow))
    }

    @Test func `OPTIONS is answered with Allow`() async {
        let answer = await Self.answer("OPTIONS", "/devices")
        #expect(answer.0 == 204)
        #expect(answer.allow == "GET, HEAD, OPTIONS, POST")
    }

    @Test func `an encoded slash stays inside its parameter`() async throws {
        var request = HTTPRequest(path: "/")
        let target = try RequestTarget(Array("/devices/a%2Fb".utf8))
        request.path = target.path
        request.pathSegments = target.segments
        let response = await Self.router.respond(to: request)
        guard case .bytes(let body) = response.body else { return }
        #expect(String(decoding: body, as: UTF8.self) == "show id=a/b")
    }

    @Test func `two routes for the same paths are a mistake`() async {
        await #expect(processExitsWith: .failure) {
            _ = Router([
                .get("/a/:x", { _, _ in HTTPResponse() }), .get("/a/:y", { _, _ in HTTPResponse() }),
            ])
        }
    }

    @Test func `a pattern without a slash is a mistake`() async {
        await #expect(processExitsWith: .failure) { _ = Route.get("a") { _, _ in HTTPResponse() } }
    }

    @Test func `a parameter without a name of its own is a mistake`() async {
        await #expect(processExitsWith: .failure) { _ = Route.get("/:a/:a") { _, _ in HTTPResponse() } }
        await #expect(processExitsWith: .failure) { _ = Route.get("/:") { _, _ in HTTPResponse() } }
    }

    @Test func `a parameter the pattern does not have is a mistake`() async {
        await #expect(processExitsWith: .failure) { _ = PathParameters(["a": "1"])["b"] }
    }
}
