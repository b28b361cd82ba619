import APNs
import PushStore
import Testing
import Transport

@testable import PushService

/// Every operation of the API against every kind of key, from the table that the router is made of.
@Suite struct AccessTableTests {
    private static let other = (id: "other", app: "other-app-key-0123", master: "other-master-key-0123")

    /// Headers that are no proof of the master key of the app `news`, or of any key.
    static let proofs: [(name: String, headers: [String: String], isAppKey: Bool)] = [
        ("the app key", ["X-LC-Id": "news", "X-LC-Key": APIFixture.appKey], true),
        (
            "a signature with the app key",
            ["X-LC-Id": "news", "X-LC-Sign": "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943466"], true
        ),
        ("no key", [:], false), ("the id alone", ["X-LC-Id": "news"], false),
        ("the app key as master", ["X-LC-Id": "news", "X-LC-Key": APIFixture.appKey + ",master"], false),
        (
            "the app key in place of it", ["X-LC-Id": "news", "X-AVOSCloud-Master-Key": APIFixture.appKey],
            false
        ),
        ("the master key without saying so", ["X-LC-Id": "news", "X-LC-Key": APIFixture.masterKey], false),
        (
            "an app key's signature that says master",
            ["X-LC-Id": "news", "X-LC-Sign": "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943466,master"], false
        ),
        ("another app's master key", ["X-LC-Id": "news", "X-LC-Key": other.master + ",master"], false),
        ("an empty key", ["X-LC-Id": "news", "X-LC-Key": ",master"], false),
    ]

    /// What the owner of an app sees of it, and the rows as they are stored.
    private func contents(_ fixture: APIFixture) async throws -> [String] {
        var contents: [String] = []
        for path in ["/1.1/installations", "/1.1/notifications", "/1.1/scheduledPushMessages"] {
            contents.append(try await fixture.send("GET", path, key: .master).text)
        }
        return contents
    }

    @Test(arguments: APIOperations.all.map(\.id), proofs.map(\.name))
    func `no key does what another is needed for`(id: String, proof: String) async throws {
        let operation = try #require(APIOperations.all.first { $0.id == id })
        let proof = try #require(Self.proofs.first { $0.name == proof })
        try await APIFixture.with { fixture in
            let example = try await OperationExample(in: fixture)
            _ = try await fixture.store.createApp(
                id: Self.other.id, name: "Other", topic: "com.example.other", appKey: Self.other.app,
                masterKey: Self.other.master, now: fixture.now)
            let before = try await contents(fixture)
            var headers: HTTPHeaders = ["Content-Type": "application/json"]
            for (name, value) in proof.headers { headers.append(name: name, value: value) }
            let answer = try await fixture.send(
                operation.method, example.path(operation), example.body(operation),
                query: example.query(operation), headers: headers)
            for secret in [APIFixture.appKey, APIFixture.masterKey, Self.other.app, Self.other.master] {
                #expect(!answer.text.contains(secret))
            }
            switch operation.access {
            case .anyone:
                #expect(answer.status == 200)
                #expect(!answer.text.contains(OperationExample.privateText))
            case .app where proof.isAppKey:
                #expect(answer.status != 401)
            case .master(let code) where proof.isAppKey:
                #expect(answer.status == 403 && answer.code == .integer(Int64(code)), "\(answer.text)")
                #expect(try await contents(fixture) == before)
            case .app, .master:
                #expect(answer.status == 401 && answer.code == 401, "\(answer.text)")
                #expect(try await contents(fixture) == before)
            }
        }
    }

    @Test(arguments: APIOperations.all.map(\.id))
    func `a batch gives no part more rights than its key has`(id: String) async throws {
        let operation = try #require(APIOperations.all.first { $0.id == id })
        guard case .master(let code) = operation.access, operation.pattern.hasPrefix("/1.1/") else { return }
        try await APIFixture.with { fixture in
            let example = try await OperationExample(in: fixture)
            let before = try await contents(fixture)
            let parameters = Dictionary(
                uniqueKeysWithValues: example.query(operation).map { ($0.name, JSONValue.string($0.value)) })
            let part: JSONValue = [
                "method": .string(operation.method), "path": .string(example.path(operation)),
                "body": example.body(operation) ?? [:], "params": .object(parameters),
            ]
            for path in ["/1.1/batch", "/1.1/batch/save"] {
                let answer = try await fixture.send("POST", path, ["requests": [part]])
                #expect(!answer.text.contains(OperationExample.privateText))
                guard path == "/1.1/batch", case .array(let results) = answer.json else {
                    #expect(answer.status >= 400, "\(path): \(answer.text)")
                    continue
                }
                let refusal = results.first?["error"]?["code"]
                #expect(refusal == .integer(operation.isBatchable ? Int64(code) : 1), "\(answer.text)")
            }
            #expect(try await contents(fixture) == before)
        }
    }

    @Test(arguments: APIOperations.all.map(\.id), ["master", "app"])
    func `no operation shows or changes what is another app's`(id: String, kind: String) async throws {
        let operation = try #require(APIOperations.all.first { $0.id == id })
        try await APIFixture.with { fixture in
            let example = try await OperationExample(in: fixture)
            _ = try await fixture.store.createApp(
                id: Self.other.id, name: "Other", topic: "com.example.other", appKey: Self.other.app,
                masterKey: Self.other.master, now: fixture.now)
            let before = try await contents(fixture)
            let key = kind == "master" ? Self.other.master + ",master" : Self.other.app
            let answer = try await fixture.send(
                operation.method, example.path(operation), example.body(operation),
                query: example.query(operation),
                headers: [
                    "Content-Type": "application/json", "X-LC-Id": Self.other.id, "X-LC-Key": key,
                ])
            #expect(answer.status < 500, "\(answer.text)")
            #expect(!answer.text.contains(OperationExample.privateText))
            for id in [example.installation, example.record] {
                #expect(!answer.text.contains(id), "\(answer.text)")
            }
            #expect(try await contents(fixture) == before, "\(answer.text)")
        }
    }

    @Test(arguments: [
        #"{"deviceToken":"aa","n":1e308,"m":-1e308}"#,
        #"{"deviceToken":"aa","n":99999999999999999999999999}"#,
        #"{"deviceToken":"aa","n":0.1e-400}"#,
    ])
    func `huge numbers are kept or refused, and nothing else happens`(body: String) async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("POST", "/1.1/installations", bytes: Array(body.utf8))
            #expect(answer.status == 201 || answer.code == 107, "\(answer.text)")
            let count = try await fixture.store.installationCount(
                nil, app: fixture.app.number, now: fixture.now)
            #expect(count == (answer.status == 201 ? 1 : 0))
        }
    }

    @Test(arguments: [
        ("POST", "/1.1/push", #"{"data":{"alert":"x"},"expiration_interval":9223372036854775807}"#),
        ("POST", "/1.1/push", #"{"data":{"alert":"x"},"expiration_time":9223372036854775807}"#),
        ("POST", "/1.1/push", #"{"data":{"alert":"x"},"flow_control":-9223372036854775808}"#),
        ("POST", "/1.1/push", #"{"data":{"alert":"x","badge":9223372036854775807}}"#),
        ("POST", "/1.1/push", #"{"data":{"alert":"x"},"late_minutes":9223372036854775807}"#),
        ("POST", "/1.1/push", #"{"data":{"alert":"x"},"push_time":"9999-12-31T23:59:59Z"}"#),
        ("POST", "/1.1/push", #"{"data":{"alert":"x"},"push_time":"0000-01-01T00:00:00+23:59"}"#),
        (
            "POST", "/1.1/push",
            #"{"data":{"alert":"x"},"schedule":{"rrule":"FREQ=DAILY;INTERVAL=9223372036854775807"}}"#
        ),
        ("POST", "/1.1/events", #"{"installation":"x","name":"n","tags":{"a":1e308}}"#),
        ("POST", "/1.1/installations", #"{"deviceToken":"aa","badge":9223372036854775807}"#),
        ("POST", "/1.1/installations", #"{"deviceToken":"aa","badge":{"__op":"Increment","amount":9e18}}"#),
        ("DELETE", "/1.1/scheduledPushMessages/9223372036854775808", ""),
        ("GET", "/1.1/notifications?limit=9223372036854775807&skip=9223372036854775807", ""),
        ("GET", "/1.1/scan/classes/_Installation?cursor=1y2p0ij32e8e7", ""),
        (
            "GET",
            "/1.1/installations?where=%7B%22updatedAt%22%3A%7B%22%24gt%22%3A%7B%22__type%22%3A%22Date%22%2C%22iso%22%3A%220000-01-01T00%3A00%3A00.000%2B23%3A59%22%7D%7D%7D",
            ""
        ),
    ])
    func `a number at the end of its range ends in an answer`(
        method: String, target: String, body: String
    ) async throws {
        try await APIFixture.with { fixture in
            try await fixture.install("bb", ["badge": 5])
            let request = try #require(
                HTTPRequest(
                    method: method, rawTarget: target,
                    headers: [
                        "Content-Type": "application/json", "X-LC-Id": "news",
                        "X-LC-Key": APIFixture.masterKey + ",master",
                    ], body: Array(body.utf8), remoteAddress: "127.0.0.1"))
            let answer = try await fixture.answer(request)
            #expect(answer.status < 500, "\(answer.text)")
            // And what was accepted can be shown, and planned.
            #expect(try await fixture.send("GET", "/1.1/notifications", key: .master).status == 200)
            #expect(try await fixture.send("GET", "/1.1/installations", key: .master).status == 200)
            while try await fixture.store.planChunk(now: fixture.now) {}
        }
    }
}
