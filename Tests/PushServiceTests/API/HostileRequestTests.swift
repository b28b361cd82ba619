import APNs
import PushStore
import Testing
import Transport

@testable import PushService

/// Whatever is sent: an error with a code, and nothing changed.
@Suite struct HostileRequestTests {
    @Test(arguments: [
        "{", "[]", "1", "\"text\"", "null", "{\"a\":}", "{\"a\":1,}", "{'a':1}", "{\"a\":1e999}",
        "{\"a\":NaN}",
        "{\"a\":\"\\ud800\"}", "\u{feff}{}", "{\"a\":01}", "{\"a\":1}{}",
    ])
    func `a body that is no JSON object is refused`(text: String) async throws {
        try await refuses(Array(text.utf8))
    }

    @Test(
        arguments: [
            [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d], [0xff, 0xfe], [0x7b, 0x00, 0x7d],
            [0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d],
            [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d],
        ] as [[UInt8]])
    func `malformed UTF-8 is refused`(bytes: [UInt8]) async throws {
        try await refuses(bytes)
    }

    @Test func `deep nesting and large bodies are refused`() async throws {
        for depth in [JSONValue.depthMax + 1, 10_000, 200_000] {
            let text =
                "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
            try await refuses(Array(text.utf8))
        }
        try await refuses(Array("{\"a\":\"\(String(repeating: "x", count: 10 << 20))\"}".utf8))
        try await refuses(
            Array("{\"deviceToken\":\"aa\",\"a\":\"\(String(repeating: "x", count: 200_000))\"}".utf8))
    }

    private func refuses(_ bytes: [UInt8]) async throws {
        try await APIFixture.with { fixture in
            for (path, key) in [
                ("/1.1/installations", APIFixture.Key.app), ("/1.1/push", .master), ("/1.1/batch", .app),
                ("/1.1/batch/save", .app), ("/1.1/events", .app), ("/1.1/push/devices", .master),
            ] {
                let answer = try await fixture.send("POST", path, bytes: bytes, key: key)
                #expect((400..<500).contains(answer.status), "\(path)")
                guard case .integer? = answer.code, case .string? = answer.json["error"] else {
                    Issue.record("\(path): \(answer.text)")
                    return
                }
                #expect(answer.text.utf8.count < 2000)
            }
            #expect(
                try await fixture.store.installationCount(nil, app: fixture.app.number, now: fixture.now) == 0
            )
            #expect(try await fixture.store.records(limit: 10, skip: 0, app: fixture.app.number).isEmpty)
        }
    }

    @Test(arguments: [
        #"{"a' OR 1=1 --":1}"#, #"{"a":{"$regex":"(a+)+$","$options":"z"}}"#, #"{"$where":"1"}"#,
        #"{"a":{"$in":1}}"#, #"{"objectId":{"$gt":{"$ne":null}}}"#, "x", "[]]", #"{"a.b.$c":1}"#,
        #"{"a":{"$nearSphere":{"__type":"GeoPoint","latitude":91,"longitude":0}}}"#,
    ])
    func `a condition that means nothing is refused`(text: String) async throws {
        try await APIFixture.with { fixture in
            try await fixture.install("aa")
            for path in ["/1.1/installations", "/1.1/scan/classes/_Installation"] {
                let answer = try await fixture.send("GET", path, query: [("where", text)], key: .master)
                #expect(answer.status == 400)
                #expect(!answer.text.lowercased().contains("sqlite"))
            }
            #expect(
                try await fixture.store.installationCount(nil, app: fixture.app.number, now: fixture.now) == 1
            )
        }
    }

    @Test(arguments: [
        "a; DROP TABLE installations", "a' --", "-", "a,,b", String(repeating: "a,", count: 500),
    ])
    func `an order is never SQL`(order: String) async throws {
        try await APIFixture.with { fixture in
            try await fixture.install("aa")
            let answer = try await fixture.send(
                "GET", "/1.1/installations", query: [("order", order)], key: .master)
            #expect([200, 400].contains(answer.status))
            #expect(
                try await fixture.store.installationCount(nil, app: fixture.app.number, now: fixture.now) == 1
            )
        }
    }

    @Test(
        arguments: [
            (["a b": 1], 105), (["1a": 1], 105), (["a.b": 1], 121), (["$a": 1], 121),
            (["createdAt": "x"], 117),
            (["updatedAt": "x"], 117), (["deviceToken": 5], 111), (["channels": "a"], 111),
            (["channels": ["a b"]], 112), (["badge": "x"], 111), (["valid": 1], 111),
            (["place": ["__type": "GeoPoint", "latitude": 91, "longitude": 0]], 302),
            (["when": ["__type": "Date", "iso": "x"]], 111), (["deviceProfile": "1x"], 1),
            (["a": ["__op": "Explode"]], 1), (["a": ["__op": "Increment", "amount": "x"]], 111),
            (["a": ["nested": ["$x": 1]]], 121),
        ] as [([String: JSONValue], Int)])
    func `a field that cannot be stored has LeanCloud's code`(
        fields: [String: JSONValue], code: Int
    ) async throws {
        try await APIFixture.with { fixture in
            var body = fields
            body["deviceToken"] = body["deviceToken"] ?? "aa"
            let answer = try await fixture.send("POST", "/1.1/installations", .object(body))
            #expect(answer.code == .integer(Int64(code)), "\(answer.text)")
            #expect(
                try await fixture.store.installationCount(nil, app: fixture.app.number, now: fixture.now) == 0
            )
        }
    }

    @Test func `one app never sees another's rows`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa", ["secret": "s"])
            let sent = try await fixture.send(
                "POST", "/1.1/push", ["data": ["alert": "Hi"], "push_time": "2027-01-16T08:00:00Z"],
                key: .master)
            let push = try #require(sent.objectID)
            let messages = try await fixture.send("GET", "/1.1/scheduledPushMessages", key: .master)
            let message = BodyOverride.text(messages.results.first?["id"] ?? "")
            _ = try await fixture.store.createApp(
                id: "other", name: "Other", topic: "com.example.other", appKey: "other-app-key-0123",
                masterKey: "other-master-key-0123", now: fixture.now)
            let other: HTTPHeaders = ["X-LC-Id": "other", "X-LC-Key": "other-master-key-0123,master"]

            #expect(try await fixture.send("GET", "/1.1/installations", headers: other).results == [])
            #expect(
                try await fixture.send("GET", "/1.1/scan/classes/_Installation", headers: other).results == []
            )
            #expect(try await fixture.send("GET", "/1.1/installations/\(id)", headers: other).json == [:])
            #expect(
                try await fixture.send("PUT", "/1.1/installations/\(id)", ["a": 1], headers: other).code
                    == 101)
            #expect(
                try await fixture.send("DELETE", "/1.1/installations/\(id)", headers: other).status == 404)
            #expect(try await fixture.send("GET", "/1.1/notifications", headers: other).results == [])
            #expect(try await fixture.send("GET", "/1.1/notifications/\(push)", headers: other).json == [:])
            #expect(
                try await fixture.send("DELETE", "/1.1/notifications/\(push)", headers: other).status == 404)
            #expect(
                try await fixture.send("POST", "/1.1/pushes/\(push)/cancel", headers: other).status == 404)
            #expect(
                try await fixture.send("GET", "/1.1/scheduledPushMessages", headers: other).results == [])
            #expect(
                try await fixture.send("DELETE", "/1.1/scheduledPushMessages/\(message)", headers: other)
                    .status == 404)
            #expect(
                try await fixture.send(
                    "GET", "/1.1/explain", query: [("push", push), ("installation", id)], headers: other
                ).status == 404)
            // The same token in another app is another row.
            let same = try await fixture.send(
                "POST", "/1.1/installations", ["deviceToken": "aa"], headers: other)
            #expect(same.status == 201 && same.objectID != id)
            #expect(try await fixture.send("GET", "/1.1/installations/\(id)").json["secret"] == "s")
        }
    }

    @Test func `unknown paths and methods say what this service is`() async throws {
        try await APIFixture.with { fixture in
            for path in ["/1.1/classes/Post", "/1.1/users", "/1.1/functions/hello", "/1.1/files/x", "/"] {
                let answer = try await fixture.send("GET", path, key: .master)
                #expect(answer.status == 404 && answer.code == 1, "\(path)")
                #expect(answer.text.contains("push"))
            }
            let answer = try await fixture.send("PATCH", "/1.1/installations", key: .master)
            #expect(answer.status == 405 && answer.code == 1)
        }
    }

    @Test func `browsers may ask first, and every answer lets them read it`() async throws {
        try await APIFixture.with { fixture in
            let preflight = try await fixture.send("OPTIONS", "/1.1/installations", key: .none)
            #expect(preflight.status == 204)
            let allowed = preflight.headers.first { $0.0 == "Access-Control-Allow-Headers" }?.1 ?? ""
            for name in ["X-LC-Id", "X-LC-Key", "X-LC-Sign", "X-LC-Prod", "X-LC-Session", "Content-Type"] {
                #expect(allowed.contains(name))
            }
            for key in [APIFixture.Key.none, .app] {
                let answer = try await fixture.send("GET", "/1.1/installations", key: key)
                #expect(answer.headers.contains { $0 == ("Access-Control-Allow-Origin", "*") })
            }
        }
    }
}
