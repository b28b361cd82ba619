import APNs
import FoundationEssentials
import PushService
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushConsole

/// A console over a store of its own, with a clock that a test sets, and a browser that keeps cookies.
final class ConsoleFixture: Sendable {
    static let start = Instant(secondsSince1970: 1_800_000_000)
    static let password = "correct horse battery"
    /// The password's hash: deriving it anew for each test would take most of the tests' time.
    static let passwordHash = Task { await PasswordHash.make(password) }

    let console: PushConsole
    let store: SQLiteStore
    let app: App
    private let clock: ClockBox

    private final class ClockBox: Sendable {
        private let state = Mutex(ConsoleFixture.start)
        var now: Instant {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    private init(store: SQLiteStore, app: App, configuration: PushConsole.Configuration) {
        self.store = store
        self.app = app
        let clock = ClockBox()
        self.clock = clock
        let api = PushAPI(store: store, now: { clock.now })
        console = PushConsole(api: api, store: store, now: { clock.now }, configuration: configuration)
    }

    var now: Instant { clock.now }
    func advance(seconds: Int64) { clock.now = clock.now.advanced(bySeconds: seconds) }

    static func with<Success>(
        configuration: PushConsole.Configuration = .init(), hasUsers: Bool = true,
        _ body: (ConsoleFixture) async throws -> Success
    ) async throws -> Success {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "belfry-console-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore.open(
            path: folder.appending(path: SQLiteStore.fileName).path, secret: .random())
        let app = try await store.createApp(
            id: "news", name: "News <b>", topic: "com.example.news", appKey: "app-key-1",
            masterKey: "master-key-1",
            now: start)
        if hasUsers {
            for role in ConsoleUser.Role.allCases {
                try await store.addConsoleUser(
                    ConsoleUser(
                        name: role.rawValue, role: role, passwordHash: await passwordHash.value,
                        createdAt: start),
                    onlyFirst: false)
            }
        }
        let fixture = ConsoleFixture(store: store, app: app, configuration: configuration)
        do {
            let success = try await body(fixture)
            await store.close()
            return success
        } catch {
            await store.close()
            throw error
        }
    }

    /// A browser in which nobody is signed in.
    func browser(language: String = "en") -> Browser {
        let console = console
        return Browser(language: language) { await console.respond(to: $0) }
    }

    /// A browser in which a user of a role is signed in, without the slow look at the password.
    func browser(_ role: ConsoleUser.Role, language: String = "en") async throws -> Browser {
        let secret = SessionSecret.random()
        try await store.addConsoleSession(
            ConsoleSession(
                digest: secret.digest, user: role.rawValue, createdAt: now,
                expiresAt: now.advanced(bySeconds: SessionSecret.lifetimeSeconds)))
        let browser = browser(language: language)
        browser.set(cookie: SessionSecret.cookieName, secret.text)
        browser.formToken = secret.formToken
        return browser
    }

    /// How many browsers watch a push.
    var streamCount: Int { console.console.watch.streamCount }
    func refresh() async { await console.console.watch.refresh() }

    /// Saves an iPhone.
    @discardableResult
    func install(_ number: Int, _ fields: [String: JSONValue] = [:]) async throws -> String {
        var body = fields
        body["deviceType"] = "ios"
        let digits = String(number, radix: 16)
        body["deviceToken"] = .string(String(repeating: "0", count: 64 - digits.count) + digits)
        return try await store.save(
            InstallationChange(target: .matching, body: body), app: app.number, now: now
        ).installation.objectID
    }
}

/// As much of a browser as tests need: cookies, forms, and what it says about itself.
final class Browser: Sendable {
    struct Answer {
        var status: Int
        var text: String
        var headers: [(String, String)]

        func header(_ name: String) -> String? {
            headers.first { $0.0.lowercased() == name.lowercased() }?.1
        }

        var location: String? { header("location") }
        var cookies: [String] { headers.filter { $0.0 == "Set-Cookie" }.map(\.1) }
    }

    private let language: String
    private let send: @Sendable (HTTPRequest) async -> HTTPResponse
    private struct State {
        var cookies: [String: String] = [:]
        var token = ""
        var remoteAddress = "192.0.2.1"
        var forwardedFor: String?
    }

    private let state = Mutex(State())

    init(language: String, _ send: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
        self.language = language
        self.send = send
    }

    /// The peer that the server sees.
    var remoteAddress: String {
        get { state.withLock { $0.remoteAddress } }
        set { state.withLock { $0.remoteAddress = newValue } }
    }

    /// What a proxy says of where it has the request from.
    var forwardedFor: String? {
        get { state.withLock { $0.forwardedFor } }
        set { state.withLock { $0.forwardedFor = newValue } }
    }

    var formToken: String {
        get { state.withLock { $0.token } }
        set { state.withLock { $0.token = newValue } }
    }

    func set(cookie name: String, _ value: String) { state.withLock { $0.cookies[name] = value } }
    func cookie(_ name: String) -> String? { state.withLock { $0.cookies[name] } }

    func get(_ target: String, headers: HTTPHeaders = [:]) async throws -> Answer {
        try await answer("GET", target, headers, [])
    }

    /// Posts a form with its token, unless it is given.
    func post(
        _ target: String, _ fields: [(String, String)], headers: HTTPHeaders = [:], hasToken: Bool = true
    ) async throws -> Answer {
        let all = hasToken ? [("csrf", formToken)] + fields : fields
        let body = all.map { "\(Link.escaped($0.0))=\(Link.escaped($0.1))" }.joined(separator: "&")
        return try await answer("POST", target, headers, Array(body.utf8))
    }

    private func answer(
        _ method: String, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8]
    ) async throws -> Answer {
        var headers = headers
        headers.append(name: "Host", value: "localhost:8080")
        headers.append(name: "Accept-Language", value: language)
        if let forwardedFor { headers.append(name: "X-Forwarded-For", value: forwardedFor) }
        let cookies = state.withLock { $0.cookies }.sorted { $0.key < $1.key }
        if !cookies.isEmpty {
            headers.append(
                name: "Cookie", value: cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        let request = try #require(
            HTTPRequest(
                method: method, rawTarget: target, headers: headers, body: body, remoteAddress: remoteAddress)
        )
        let response = await send(request)
        for (name, value) in response.headers where name == "Set-Cookie" {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            let text = pair.count > 1 ? String(pair[1]) : ""
            state.withLock { $0.cookies[String(pair[0])] = text.isEmpty ? nil : text }
        }
        var text = ""
        if case .bytes(let bytes) = response.body { text = String(decoding: bytes, as: UTF8.self) }
        return Answer(status: response.status, text: text, headers: response.headers)
    }
}
