import APNs
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushService

/// What clients are told while the database cannot do its work.
@Suite(.timeLimit(.minutes(5)))
struct LostDatabaseTests {
    private static let key = "master-key-0123456789"

    private func withAPI(_ body: (PushAPI, Outage) async throws -> Void) async throws {
        let now = Instant(secondsSince1970: 1_800_000_000)
        let outage = Outage()
        let (whole, failing) = try outage.stores()
        _ = try await whole.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "app-key-0123456789",
            masterKey: Self.key, now: now)
        try await body(PushAPI(store: failing, now: { now }, patience: APIFixture.patience), outage)
    }

    private func send(
        _ api: PushAPI, _ method: String, _ path: String, _ body: JSONValue = [:]
    ) async throws -> (status: Int, json: JSONValue, retryAfter: String?, text: String) {
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        headers.append(name: "X-LC-Id", value: "news")
        headers.append(name: "X-LC-Key", value: Self.key + ",master")
        let response = await api.respond(
            to: HTTPRequest(method: method, path: path, headers: headers, body: try body.encoded()))
        guard case .bytes(let bytes) = response.body else {
            throw StoreError(.invalid, "the answer is a stream")
        }
        return (
            response.status, try JSONValue(parsing: bytes), response.header(named: "retry-after"),
            String(decoding: bytes, as: UTF8.self)
        )
    }

    @Test
    func `a failure that is the service's own is told to whoever keeps the log, and its cause to no client`()
        async throws
    {
        let now = Instant(secondsSince1970: 1_800_000_000)
        let outage = Outage()
        let (_, failing) = try outage.stores()
        let told = Mutex<[String]>([])
        let api = PushAPI(
            store: failing, now: { now },
            reportFailure: { name, cause in told.withLock { $0.append("\(name): \(cause)") } })
        for code in [StoreError.Code.database, .full, .unavailable] {
            outage.begin(code)
            let answer = try await send(api, "GET", "/1.1/notifications")
            #expect(answer.status >= 500 && !answer.text.contains("secret"))
        }
        api.report(StoreError(.invalid, "the client's"), in: "test")
        let lines = told.withLock { $0 }
        #expect(
            lines.count == 2 && lines.allSatisfy { $0.hasSuffix(": on purpose: /var/lib/secret") }, "\(lines)"
        )
    }

    private static let requests: [(method: String, path: String, body: JSONValue)] = [
        ("POST", "/1.1/push", ["data": ["alert": "hello"]]),
        ("POST", "/1.1/installations", ["deviceType": "ios", "deviceToken": "ab"]),
        ("GET", "/1.1/installations/none", [:]),
        ("GET", "/1.1/notifications", [:]),
    ]

    @Test(arguments: [
        (StoreError.Code.unavailable, 503, 502, "nothing was changed", "1"),
        (.uncertain, 503, 502, "it may be kept, or not", "1"),
        (.overloaded, 503, 502, "more work than it takes in", "1"),
        (.full, 507, 1, "disk is full", ""),
        (.database, 500, 1, "database failed", ""),
    ])
    func `a request that the database does not answer is answered 503 and may be tried again`(
        code: StoreError.Code, status: Int, number: Int64, text: String, retryAfter: String
    ) async throws {
        try await withAPI { api, outage in
            for request in Self.requests {
                // Whether the app is known already or has to be looked up.
                for _ in 0..<2 {
                    outage.begin(code)
                    let answer = try await send(api, request.method, request.path, request.body)
                    #expect(answer.status == status, "\(request.method) \(request.path)")
                    #expect(answer.json["code"] == .integer(number))
                    #expect(answer.text.contains(text), "\(answer.text)")
                    #expect((answer.retryAfter ?? "") == retryAfter)
                    #expect(!answer.text.contains("secret"), "what the database says names files")
                    outage.end()
                    let after = try await send(api, request.method, request.path, request.body)
                    #expect(after.status < 500)
                }
            }
        }
    }

    @Test func `a write that is lost after the app was found is answered 503 too`() async throws {
        try await withAPI { api, outage in
            outage.begin(.unavailable) { $0.kind == .write }
            for request in Self.requests where request.method == "POST" {
                let answer = try await send(api, request.method, request.path, request.body)
                #expect(answer.status == 503 && answer.json["code"] == 502, "\(answer.text)")
            }
        }
    }

    @Test func `a service whose database is away is not ready, and is alive`() async throws {
        try await withAPI { api, outage in
            #expect(try await send(api, "GET", "/readyz").status == 200)
            outage.begin(.unavailable)
            let answer = try await send(api, "GET", "/readyz")
            #expect(answer.status == 503 && answer.text.contains("does not answer"))
            #expect(try await send(api, "GET", "/healthz").status == 200)
            outage.end()
            #expect(try await send(api, "GET", "/readyz").status == 200)
        }
    }
}
