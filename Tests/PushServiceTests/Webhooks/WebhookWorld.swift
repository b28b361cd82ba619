import Foundation
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushService

/// A store with one app, a receiver that answers what it is told to, and a clock that stands.
final class WebhookWorld: Sendable {
    /// What a receiver got.
    struct Arrival: Sendable {
        var path: String
        var headers: HTTPHeaders
        var body: [UInt8]
    }

    static let start = Instant(secondsSince1970: 1_800_000_000)
    static let secret = "whsec_0123456789abcdef"

    let store: SQLiteStore
    let app: App
    let client = HTTPClient()
    private let folder: URL
    private let server: HTTPServer
    private let time = Mutex(WebhookWorld.start)
    private let statuses: Mutex<[String: Int]>
    private let received = Mutex<[Arrival]>([])

    private init(store: SQLiteStore, app: App, folder: URL) throws {
        self.store = store
        self.app = app
        self.folder = folder
        statuses = Mutex([:])
        let box = Box()
        server = HTTPServer { request in await box.answer(request) }
        try server.start()
        box.world.withLock { $0 = WeakWorld(world: self) }
    }

    private struct WeakWorld: Sendable {
        weak let world: WebhookWorld?
    }

    private final class Box: Sendable {
        let world = Mutex<WeakWorld?>(nil)

        func answer(_ request: HTTPRequest) async -> HTTPResponse {
            guard let world = world.withLock({ $0?.world }) else { return HTTPResponse(status: 500) }
            world.received.withLock {
                $0.append(Arrival(path: request.path, headers: request.headers, body: request.body))
            }
            let status = world.statuses.withLock { $0[request.path] ?? 200 }
            return HTTPResponse(status: status, headers: status == 429 ? [("Retry-After", "77")] : [])
        }
    }

    static func run(_ body: (WebhookWorld) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore.open(
            path: folder.path + "/belfry.sqlite",
            secret: StoreSecret.random())
        let app = try await store.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "k0123456789",
            masterKey: "m0123456789",
            now: start)
        let world = try WebhookWorld(store: store, app: app, folder: folder)
        do { try await body(world) } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func end() async {
        client.close()
        await server.stop(deadline: .seconds(1))
        await store.close()
    }

    var now: Instant { time.withLock { $0 } }
    var arrivals: [Arrival] { received.withLock { $0 } }

    func advance(seconds: Int64) {
        time.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }

    func answer(_ path: String, _ status: Int) {
        statuses.withLock { $0[path] = status }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

    func sender(
        _ configure: (inout WebhookSender.Configuration) -> Void = { _ in },
        sleep: @escaping @Sendable (Duration) async -> Void = { _ in }
    ) -> WebhookSender {
        var configuration = WebhookSender.Configuration()
        configure(&configuration)
        return WebhookSender(
            store: store, client: client, clock: WallClock { [self] in now.millisecondsSince1970 },
            configuration: configuration, random: { 0 }, sleep: sleep)
    }

    @discardableResult
    func add(
        _ path: String, _ kinds: Set<WebhookEvent.Kind> = Set(WebhookEvent.Kind.allCases)
    ) async throws -> Int64 {
        try await store.addWebhook(
            Webhook(url: url(path), secret: Self.secret, kinds: kinds, createdAt: now), app: app.number)
    }

    func health(_ number: Int64) async throws -> Webhook.Health {
        let webhooks = try await store.webhooks(app: app.number)
        return try #require(webhooks.first { $0.number == number }).health
    }

    func record(_ count: Int = 1) async throws {
        for index in 0..<count {
            try await store.recordWebhookEvent(
                .opened(pushID: "push\(index)", installationID: "i", at: now), app: app.number, now: now)
        }
    }
}
