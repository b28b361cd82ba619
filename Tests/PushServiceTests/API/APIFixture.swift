import APNs
import Crypto
import FoundationEssentials
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushService

/// An API over a store of its own, with a clock that a test sets.
final class APIFixture: Sendable {
    static let appKey = "UtOCzqb67d3sN12Kts4URwy8"
    static let masterKey = "DyJegPlemooo4X1tg94gQkw1"
    static let start = Instant(secondsSince1970: 1_800_000_000)
    /// Waits for the database however busy the machine is.
    static let patience = Patience(limit: .seconds(3_600))

    let api: PushAPI
    let store: SQLiteStore
    let app: App

    /// What an answer was.
    struct Answer {
        var status: Int
        var json: JSONValue
        var headers: [(String, String)]
        var text: String

        var code: JSONValue? { json["code"] }
        var objectID: String? { if case .string(let id)? = json["objectId"] { id } else { nil } }
        var results: [JSONValue] { if case .array(let rows)? = json["results"] { rows } else { [] } }
    }

    enum Key { case app, master, none }

    private init(store: SQLiteStore, app: App) {
        self.store = store
        self.app = app
        let box = ClockBox()
        api = PushAPI(
            store: store, now: { box.now }, patience: Self.patience, wakeDelivery: { box.wake() },
            reportAct: { box.add($0) })
        self.box = box
    }

    private let box: ClockBox

    /// The clock, the count of wake-ups and what was told, which the API holds on to.
    private final class ClockBox: Sendable {
        private let state = Mutex((now: APIFixture.start, wakeUps: 0, acts: [PushAct]()))
        var now: Instant {
            get { state.withLock { $0.now } }
            set { state.withLock { $0.now = newValue } }
        }
        var wakeUpCount: Int { state.withLock { $0.wakeUps } }
        func wake() { state.withLock { $0.wakeUps += 1 } }
        var acts: [PushAct] { state.withLock { $0.acts } }
        func add(_ act: PushAct) { state.withLock { $0.acts.append(act) } }
    }

    var now: Instant { box.now }
    var wakeUpCount: Int { box.wakeUpCount }
    /// What the API has told whoever keeps the log.
    var acts: [PushAct] { box.acts }
    func advance(seconds: Int64) { box.now = box.now.advanced(bySeconds: seconds) }
    func advance(milliseconds: Int64) { box.now = box.now.advanced(byMilliseconds: milliseconds) }

    /// Runs a body with a new API and store.
    static func with<Success>(
        settings: AppSettings = AppSettings(),
        configuration: SQLiteStore.Configuration = SQLiteStore.Configuration(),
        _ body: (APIFixture) async throws -> Success
    ) async throws -> Success {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-api-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore.open(
            path: folder.appending(path: SQLiteStore.fileName).path, secret: .random(),
            configuration: configuration)
        var app = try await store.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: appKey, masterKey: masterKey,
            now: start)
        app.settings = settings
        try await store.updateApp(app, now: start)
        let fixture = APIFixture(store: store, app: app)
        do {
            let success = try await body(fixture)
            await store.close()
            return success
        } catch {
            await store.close()
            throw error
        }
    }

    // MARK: - Requests

    func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil,
        query: [(name: String, value: String)] = [],
        key: Key = .app, headers: HTTPHeaders? = nil
    ) async throws -> Answer {
        try await send(
            method, path, bytes: try body.map { try $0.encoded() } ?? [], query: query, key: key,
            headers: headers)
    }

    func send(
        _ method: String, _ path: String, bytes: [UInt8], query: [(name: String, value: String)] = [],
        key: Key = .app, headers: HTTPHeaders? = nil
    ) async throws -> Answer {
        var fields = headers ?? ["Content-Type": "application/json"]
        if headers == nil {
            switch key {
            case .app:
                fields.append(name: "X-LC-Id", value: "news")
                fields.append(name: "X-LC-Key", value: Self.appKey)
            case .master:
                fields.append(name: "X-LC-Id", value: "news")
                fields.append(name: "X-LC-Key", value: Self.masterKey + ",master")
            case .none: break
            }
        }
        return try await answer(
            HTTPRequest(method: method, path: path, query: query, headers: fields, body: bytes))
    }

    func answer(_ request: HTTPRequest) async throws -> Answer {
        let response = await api.respond(to: request)
        guard case .bytes(let bytes) = response.body else {
            throw StoreError(.invalid, "the answer is a stream")
        }
        let isJSON = response.header(named: "content-type") == "application/json"
        return Answer(
            status: response.status, json: isJSON ? try JSONValue(parsing: bytes) : .null,
            headers: response.headers, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Makes an installation and gives its objectId.
    @discardableResult
    func install(_ token: String, _ fields: [String: JSONValue] = [:]) async throws -> String {
        var body = fields
        body["deviceType"] = body["deviceType"] ?? "ios"
        body["deviceToken"] = .string(token)
        let answer = try await send("POST", "/1.1/installations", .object(body))
        return try #require(answer.objectID)
    }
}
