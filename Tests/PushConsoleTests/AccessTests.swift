import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushConsole

struct AccessTests {
    private func signIn(
        _ browser: Browser, _ name: String, _ password: String, to: String = ""
    ) async throws -> Browser.Answer {
        _ = try await browser.get("/console/sign-in")
        let form = try #require(browser.cookie(SignInPage.formCookieName))
        return try await browser.post(
            "/console/sign-in", [("csrf", form), ("name", name), ("password", password), ("to", to)],
            hasToken: false)
    }

    @Test func `whoever has the password is signed in, and out again`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = fixture.browser()
            #expect(
                try await browser.get("/console/apps").location == "/console/sign-in?to=%2Fconsole%2Fapps")
            let answer = try await signIn(browser, "owner", ConsoleFixture.password, to: "/console/apps")
            #expect(answer.status == 303)
            #expect(answer.location == "/console/apps")
            let cookie = try #require(answer.cookies.first { $0.hasPrefix(SessionSecret.cookieName) })
            #expect(
                cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax")
                    && cookie.contains("Path=/console"))
            let page = try await browser.get("/console/apps")
            #expect(page.status == 200)
            #expect(page.text.contains("News &lt;b&gt;"))
            let secret = try #require(browser.cookie(SessionSecret.cookieName))
            browser.formToken = try #require(SessionSecret(secret)).formToken
            #expect(try await browser.post("/console/sign-out", []).location == "/console/sign-in")
            // The session itself has ended, not only the cookie.
            browser.set(cookie: SessionSecret.cookieName, secret)
            #expect(try await browser.get("/console/apps").status == 303)
            let actions = try await fixture.store.auditLog(app: nil, limit: 10).map(\.action)
            #expect(actions == ["console.sign-out", "console.sign-in"])
        }
    }

    @Test func `a session ends by itself`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.viewer)
            #expect(try await browser.get("/console/apps").status == 200)
            fixture.advance(seconds: SessionSecret.lifetimeSeconds)
            #expect(try await browser.get("/console/apps").status == 303)
        }
    }

    @Test func `a service that travels through time signs nobody out`() async throws {
        let wall = Mutex(ConsoleFixture.start)
        let configuration = PushConsole.Configuration(signInTime: { wall.withLock { $0 } })
        try await ConsoleFixture.with(configuration: configuration) { fixture async throws in
            let browser = fixture.browser()
            #expect(try await signIn(browser, "owner", ConsoleFixture.password).status == 303)
            fixture.advance(seconds: 8 * 86_400)
            #expect(try await browser.get("/console/apps").status == 200)
            // Who signs in elsewhere on that day ends no session either.
            #expect(try await signIn(fixture.browser(), "viewer", ConsoleFixture.password).status == 303)
            #expect(try await browser.get("/console/apps").status == 200)
            wall.withLock { $0 = $0.advanced(bySeconds: SessionSecret.lifetimeSeconds) }
            #expect(try await browser.get("/console/apps").status == 303)
        }
    }

    @Test(arguments: [
        ("owner", "wrong password"), ("nobody", "correct horse battery"), ("", ""), ("owner", ""),
    ])
    func `wrong names and passwords are refused alike`(name: String, password: String) async throws {
        try await ConsoleFixture.with { fixture in
            let browser = fixture.browser()
            let answer = try await signIn(browser, name, password)
            #expect(answer.status == 401)
            #expect(answer.text.contains("Name or password is wrong."))
            #expect(browser.cookie(SessionSecret.cookieName) == nil)
        }
    }

    @Test func `guessing is slowed down, and the right password helps nobody then`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = fixture.browser()
            for _ in 0..<SignInLimiter.attemptCountMaxPerName {
                #expect(try await signIn(browser, "owner", "guess").status == 401)
            }
            let answer = try await signIn(browser, "owner", ConsoleFixture.password)
            #expect(answer.status == 429)
            #expect(answer.header("retry-after") == "30")
            // Others are not locked out, and the name is free again in time.
            #expect(try await signIn(browser, "viewer", ConsoleFixture.password).status == 303)
            fixture.advance(seconds: SignInLimiter.recoverySeconds)
            #expect(try await signIn(browser, "owner", ConsoleFixture.password).status == 303)
        }
    }

    @Test func `who guesses behind a proxy locks nobody else out behind it`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = fixture.browser()
            browser.remoteAddress = "127.0.0.1"
            browser.forwardedFor = "203.0.113.9"
            for number in 0..<SignInLimiter.attemptCountMaxPerAddress {
                #expect(try await signIn(browser, "nobody\(number)", "guess").status == 401)
            }
            #expect(try await signIn(browser, "viewer", ConsoleFixture.password).status == 429)
            browser.forwardedFor = "203.0.113.9, 198.51.100.7"
            #expect(try await signIn(browser, "viewer", ConsoleFixture.password).status == 303)
            let entries = try await fixture.store.auditLog(app: nil, limit: 100).map(\.detail)
            #expect(entries.contains("from 198.51.100.7"))
            #expect(entries.contains { $0.hasSuffix("from 203.0.113.9") })
        }
    }

    @Test(arguments: [
        "https://evil.example", "//evil.example", "/console/../../evil", "javascript:alert(1)", "/other",
    ])
    func `signing in leads nowhere but into the console`(to: String) async throws {
        try await ConsoleFixture.with { fixture in
            let answer = try await signIn(fixture.browser(), "viewer", ConsoleFixture.password, to: to)
            #expect(answer.status == 303)
            #expect(answer.location?.hasPrefix("/console") == true)
        }
    }

    @Test func `the first user is made with the printed link, once`() async throws {
        try await ConsoleFixture.with(hasUsers: false) { fixture in
            let browser = fixture.browser()
            #expect(try await browser.get("/console").location == "/console/set-up")
            #expect(try await !browser.get("/console/set-up").text.contains("<form"))
            #expect(try await !browser.get("/console/set-up?secret=guess").text.contains("<form"))
            let path = try #require(await fixture.console.setUpPath())
            #expect(try await browser.get(path).text.contains("<form"))
            let secret = try #require(browser.cookie(SignInPage.formCookieName))
            func create(_ password: String, _ again: String) async throws -> Browser.Answer {
                try await browser.post(
                    "/console/set-up",
                    [
                        ("csrf", secret), ("secret", secret), ("name", "admin"), ("password", password),
                        ("again", again),
                    ],
                    hasToken: false)
            }
            #expect(try await create("short", "short").status == 400)
            #expect(try await create("long enough password", "another password").status == 400)
            #expect(try await create("long enough password", "long enough password").location == "/console")
            #expect(try await browser.get("/console/apps").status == 200)
            #expect(try await fixture.store.consoleUsers().map(\.role) == [.owner])
            // It opens once.
            #expect(await fixture.console.setUpPath() == nil)
            #expect(try await fixture.browser().get(path).location == "/console/sign-in")
            let again = fixture.browser()
            again.set(cookie: SignInPage.formCookieName, secret)
            let second = try await again.post(
                "/console/set-up",
                [
                    ("csrf", secret), ("secret", secret), ("name", "b"), ("password", "long enough password"),
                    ("again", "long enough password"),
                ],
                hasToken: false)
            #expect(second.status == 400)
            #expect(try await fixture.store.consoleUsers().count == 1)
        }
    }

    // MARK: - Forms

    @Test func `a form without its token changes nothing`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.owner)
            let other = try await fixture.browser(.owner)
            let fields = [("app-name", "Evil"), ("topic", "com.example.evil")]
            for token in ["", "guess", other.formToken] {
                let answer = try await browser.post(
                    "/console/apps", [("csrf", token)] + fields, hasToken: false)
                #expect(answer.status == 403, "\(token)")
            }
            for headers in [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site"], ["Origin": "http://localhost:8081"],
            ] as [HTTPHeadersOfTest] {
                let answer = try await browser.post("/console/apps", fields, headers: headers.headers)
                #expect(answer.status == 403, "\(headers)")
            }
            #expect(try await fixture.store.apps().count == 1)
            let good = try await browser.post(
                "/console/apps", fields,
                headers: ["Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"])
            #expect(good.status == 200)
            #expect(try await fixture.store.apps().count == 2)
        }
    }

    @Test func `the form for signing in has to come with its cookie`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = fixture.browser()
            for (cookie, token) in [("", ""), ("short", "short"), ("aaaaaaaaaaaaaaaaaaaaaaaa", "b")] {
                browser.set(cookie: SignInPage.formCookieName, cookie)
                let answer = try await browser.post(
                    "/console/sign-in",
                    [("csrf", token), ("name", "owner"), ("password", ConsoleFixture.password)],
                    hasToken: false)
                #expect(answer.status == 403)
            }
        }
    }

    @Test(arguments: ["%", "%zz=1", "a=%ff", "a=%00"])
    func `a form that cannot be read is refused`(body: String) async throws {
        #expect(FormFields(body: Array(body.utf8)) == nil)
    }

    // MARK: - Roles

    /// Every route that somebody has to be signed in for.
    static let routes = ConsoleRoutes.all.filter { $0.access != .anyone }

    @Test(arguments: routes.indices)
    func `a route is closed to strangers and to lesser roles`(index: Int) async throws {
        let route = Self.routes[index]
        guard case .role(let needed) = route.access else { return }
        try await ConsoleFixture.with { fixture in
            let path = "/console" + route.pattern.replacing(":app", with: "news").replacing(":", with: "x")
            let stranger = fixture.browser()
            let answer =
                route.method == "GET" ? try await stranger.get(path) : try await stranger.post(path, [])
            #expect(answer.status == (route.method == "GET" ? 303 : 401), "\(path)")
            for role in ConsoleUser.Role.allCases {
                let browser = try await fixture.browser(role)
                let answer =
                    route.method == "GET" ? try await browser.get(path) : try await browser.post(path, [])
                #expect((answer.status == 403) == (role < needed), "\(role) \(path): \(answer.status)")
            }
        }
    }

    @Test func `what changes something is a POST, and never a viewer's`() {
        for route in ConsoleRoutes.all where route.method == "POST" && route.pattern != "/sign-out" {
            #expect(
                route.access == .anyone || route.access == .role(.sender) || route.access == .role(.owner))
        }
        #expect(Set(ConsoleRoutes.all.map(\.method)) == ["GET", "POST"])
    }

    @Test func `a user that changes or goes is signed out everywhere`() async throws {
        try await ConsoleFixture.with { fixture in
            let owner = try await fixture.browser(.owner)
            let viewer = try await fixture.browser(.viewer)
            let sender = try await fixture.browser(.sender)
            #expect(try await owner.post("/console/users/remove", [("user", "viewer")]).status == 303)
            #expect(try await viewer.get("/console/apps").status == 303)
            _ = try await owner.post(
                "/console/users/password", [("user", "sender"), ("new-password", "another long password")])
            #expect(try await sender.get("/console/apps").status == 303)
            #expect(try await owner.post("/console/users/remove", [("user", "owner")]).status == 400)
            #expect(try await owner.get("/console/apps").status == 200)
        }
    }

    // MARK: - Headers

    @Test func `every page has the headers that guard it`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.owner)
            for path in [
                "/console/apps", "/console/apps/news/overview", "/console/nothing",
                "/console/apps/none/overview",
            ] {
                let answer = try await browser.get(path)
                guard answer.header("content-type")?.hasPrefix("text/html") == true else { continue }
                let policy = try #require(answer.header("content-security-policy"))
                #expect(policy.contains("default-src 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer.header("x-content-type-options") == "nosniff")
                #expect(answer.header("cache-control") == "no-store")
                #expect(!answer.text.contains(" style=") && !answer.text.contains("<style"))
                #expect(!answer.text.contains(" onclick=") && !answer.text.contains("<script>"))
            }
        }
    }

    @Test func `files are served under the address of their version`() async throws {
        try await ConsoleFixture.with { fixture in
            for name in ConsoleFiles.names {
                let answer = try await fixture.browser().get(ConsoleFiles.link(name).text)
                #expect(answer.status == 200)
                #expect(!answer.text.isEmpty)
                #expect(answer.header("cache-control")?.contains("immutable") == true)
            }
            #expect(try await fixture.browser().get("/console/files/none.js").status == 404)
        }
    }
}

/// Headers as a literal, for tables.
struct HTTPHeadersOfTest: ExpressibleByDictionaryLiteral, CustomStringConvertible {
    let pairs: [(String, String)]
    init(dictionaryLiteral elements: (String, String)...) { pairs = elements }
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in pairs { headers.append(name: name, value: value) }
        return headers
    }
    var description: String { "\(pairs)" }
}
