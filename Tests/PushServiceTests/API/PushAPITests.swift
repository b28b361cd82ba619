import APNs
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

@Suite struct PushAPITests {
    @Test func `a push is accepted once, wakes delivery and has a record`() async throws {
        try await APIFixture.with { fixture in
            try await fixture.install(String(repeating: "aa", count: 32))
            let body: JSONValue = [
                "data": ["alert": "Hi"], "where": ["deviceType": "ios"], "channels": "news", "req_id": "one",
                "prod": "prod",
            ]
            let refused = try await fixture.send("POST", "/1.1/push", body)
            #expect(refused.status == 403 && refused.code == 403)
            #expect(fixture.wakeUpCount == 0)

            let answer = try await fixture.send("POST", "/1.1/push", body, key: .master)
            let id = try #require(answer.objectID)
            #expect(answer.status == 200 && answer.json["createdAt"] == "2027-01-15T08:00:00.000Z")
            #expect(id.utf8.count == 16)
            #expect(fixture.wakeUpCount == 1)
            let again = try await fixture.send("POST", "/1.1/push", body, key: .master)
            #expect(again.objectID == id)
            #expect(fixture.wakeUpCount == 1)

            for path in [
                "/1.1/notifications", "/1.1/tables/Notifications", "/1.1/classes/_Notification",
            ] {
                let record = try await fixture.send("GET", "\(path)/\(id)", key: .master)
                #expect(record.objectID == id)
                #expect(record.json["notificationId"] == .string(id))
                #expect(record.json["msg"] == ["alert": "Hi"])
                #expect(record.json["prod"] == "prod")
                #expect(record.json["from-service"] == "push")
                #expect(
                    record.json["where"] == [
                        "$and": [["deviceType": "ios"], ["channels": ["$in": ["news"]]]]
                    ])
                for key in ["status", "devices", "successes", "invalidTokens", "push-time", "updatedAt"] {
                    #expect(record.json[key] != nil, "\(key)")
                }
                #expect(try await fixture.send("GET", path, key: .master).results.count == 1)
                let denied = try await fixture.send("GET", "\(path)/\(id)")
                #expect(denied.status == 403 && denied.code == 403)
                #expect(try await fixture.send("GET", "\(path)/nothing", key: .master).json == [:])
            }
            #expect(
                try await fixture.send("DELETE", "/1.1/notifications/\(id)", key: .master).json == [:])
            #expect(try await fixture.send("GET", "/1.1/notifications/\(id)", key: .master).json == [:])
            #expect(try await fixture.send("DELETE", "/1.1/notifications/\(id)", key: .master).status == 404)
            let audit = try await fixture.store.auditLog(app: fixture.app.number, limit: 10)
            #expect(audit.contains { $0.action == "notification.delete" && $0.actor == "master key" })
        }
    }

    @Test func `pushes with one notification id share a record`() async throws {
        try await APIFixture.with { fixture in
            var ids: Set<String> = []
            for _ in 0..<3 {
                let answer = try await fixture.send(
                    "POST", "/1.1/push", ["data": ["alert": "Hi"], "notification_id": "series1"],
                    key: .master)
                ids.insert(try #require(answer.objectID))
            }
            #expect(ids.count == 1)
            let record = try await fixture.send("GET", "/1.1/notifications/\(ids.first ?? "")", key: .master)
            #expect(record.json["notificationId"] == "series1")
        }
    }

    @Test func `a message for later is listed and can be taken back`() async throws {
        try await APIFixture.with { fixture in
            let sent = try await fixture.send(
                "POST", "/1.1/push",
                ["data": ["alert": "Later"], "push_time": "2027-01-16T08:00:00.000Z", "where": ["a": 1]],
                key: .master)
            let list = try await fixture.send("GET", "/1.1/scheduledPushMessages", key: .master)
            let message = try #require(list.results.first)
            #expect(list.results.count == 1)
            #expect(message["expire_time"] == .integer(1_800_086_400_000))
            #expect(message["push_msg"]?["app-id"] == "news")
            #expect(message["push_msg"]?["id"] == sent.json["objectId"])
            #expect(message["push_msg"]?["where"] == ["query": ["a": 1]])
            #expect(message["push_msg"]?["msg"] == ["alert": "Later"])
            guard case .integer(let number)? = message["id"] else { throw StoreError(.invalid, list.text) }
            let path = "/1.1/scheduledPushMessages/\(number)"
            #expect(try await fixture.send("GET", path, key: .master).json == message)
            #expect(try await fixture.send("DELETE", path).code == 403)
            #expect(try await fixture.send("DELETE", path, key: .master).json == [:])
            #expect(try await fixture.send("GET", "/1.1/scheduledPushMessages", key: .master).results == [])
            #expect(try await fixture.send("DELETE", path, key: .master).status == 404)
            #expect(
                try await fixture.send("DELETE", "/1.1/scheduledPushMessages/x", key: .master).status == 404)
        }
    }

    @Test func `a push is paused, resumed and cancelled`() async throws {
        try await APIFixture.with { fixture in
            let sent = try await fixture.send(
                "POST", "/1.1/push",
                ["data": ["alert": "Later"], "push_time": "2027-01-16T08:00:00.000Z"], key: .master)
            let id = try #require(sent.objectID)
            for (action, state) in [("pause", "paused"), ("cancel", "cancelled")] {
                #expect(try await fixture.send("POST", "/1.1/pushes/\(id)/\(action)").code == 403)
                let answer = try await fixture.send("POST", "/1.1/pushes/\(id)/\(action)", key: .master)
                #expect(answer.json["state"] == .string(state), "\(action): \(answer.text)")
            }
            #expect(
                try await fixture.send("POST", "/1.1/pushes/nothing/pause", key: .master).status == 404)
            let actions = try await fixture.store.auditLog(app: fixture.app.number, limit: 10).map(\.action)
            #expect(actions.prefix(2) == ["push.cancel", "push.pause"])
        }
    }

    @Test func `what somebody does with a push is told with who did it, and what has no effect is not`()
        async throws
    {
        var settings = AppSettings()
        settings.allowsClientPush = true
        try await APIFixture.with(settings: settings) { fixture in
            let body: JSONValue = ["data": ["alert": "Hi"], "where": [:], "req_id": "one"]
            func push(_ body: JSONValue, _ key: APIFixture.Key = .master) async throws -> String {
                let answer = try await fixture.send("POST", "/1.1/push", body, key: key)
                guard case .string(let id)? = answer.json["pushId"] else { return "none: \(answer.text)" }
                return id
            }
            func act(_ kind: PushAct.Kind, _ id: String, _ actor: String = "master key") -> PushAct {
                PushAct(kind: kind, id: id, app: "news", actor: actor)
            }
            let id = try await push(body)
            #expect(try await push(body) == id)
            let other = try await push(["data": ["alert": "Hi"], "where": [:]], .app)
            var expected = [act(.accepted, id), act(.accepted, other, "app key")]
            #expect(fixture.acts == expected)
            for (verb, kind) in [
                ("pause", PushAct.Kind.paused), ("resume", .resumed), ("cancel", .cancelled),
            ] {
                #expect(
                    try await fixture.send("POST", "/1.1/pushes/\(id)/\(verb)", [:], key: .master).status
                        == 200)
                expected.append(act(kind, id))
            }
            #expect(fixture.acts == expected)
            // It has ended.
            for verb in ["pause", "resume"] {
                _ = try await fixture.send("POST", "/1.1/pushes/\(id)/\(verb)", [:], key: .master)
            }
            _ = try await fixture.send("POST", "/1.1/pushes/none/pause", [:], key: .master)
            _ = try await fixture.send("POST", "/1.1/push", ["data": "none"], key: .master)
            _ = try await fixture.send(
                "POST", "/1.1/push", ["data": ["alert": "Hi"], "where": [:], "dry_run": true], key: .master)
            #expect(fixture.acts == expected)
            // The console's users are named.
            _ = try await fixture.api.perform(
                "POST", "/1.1/pushes/\(other)/pause", app: fixture.app, actor: "console: ann")
            expected.append(act(.paused, other, "console: ann"))
            _ = try await fixture.send("DELETE", "/1.1/notifications/\(other)", key: .master)
            expected.append(act(.deleted, other))
            #expect(fixture.acts == expected)
        }
    }

    @Test func `a rule that cannot be read is refused and leaves nothing`() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(
                "POST", "/1.1/push", ["data": ["alert": "Hi"], "schedule": ["rrule": "FREQ=SOMETIMES"]],
                key: .master)
            #expect(answer.status == 400 && answer.code == 1)
            #expect(try await fixture.send("GET", "/1.1/notifications", key: .master).results == [])
        }
    }

    @Test func `a dry run counts and stores nothing`() async throws {
        try await APIFixture.with { fixture in
            try await fixture.install(
                String(repeating: "aa", count: 32),
                ["timeZone": "Asia/Shanghai", "language": "zh", "environment": "production"])
            try await fixture.install(String(repeating: "bb", count: 32), ["valid": false])
            let body: JSONValue = ["data": ["alert": "Hi"], "dry_run": true, "flow_control": 1000]
            let answer = try await fixture.send("POST", "/1.1/push", body, key: .master)
            #expect(answer.json["devices"] == 1, "\(answer.text)")
            #expect(answer.json["audience"]?["timeZones"] == ["Asia/Shanghai": 1])
            #expect(answer.json["audience"]?["environments"] == ["production": 1])
            #expect(answer.json["predictedEnd"] == "2027-01-15T08:00:00.001Z")
            #expect(try await fixture.send("GET", "/1.1/notifications", key: .master).results == [])
            #expect(fixture.wakeUpCount == 0)
        }
    }

    @Test func `an opening that names a notification is counted once for a device`() async throws {
        try await APIFixture.with { fixture in
            let sent = try await fixture.send("POST", "/1.1/push", ["data": ["alert": "Hi"]], key: .master)
            let id = try #require(sent.objectID)
            let installation = try await fixture.install("aa")
            let event: JSONValue = [
                "client": ["id": .string(installation), "platform": "iOS"],
                "events": [["event": "open", "attributes": ["notificationId": .string(id)]]],
            ]
            for path in [
                "/1.1/stats/open/collect", "/1.1/stats/collect", "/1.1/statistics/open",
                "/1.1/statistics/a/b/c",
            ] {
                let answer = try await fixture.send("POST", path, event)
                #expect(answer.status == 200 && answer.json == [:])
            }
            let record = try await fixture.send("GET", "/1.1/notifications/\(id)", key: .master)
            #expect(record.json["opens"] == 1)
            #expect(try await fixture.send("POST", "/1.1/stats/collect", ["a": 1]).status == 200)
        }
    }

    @Test func `events raise interests`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa")
            let answer = try await fixture.send(
                "POST", "/1.1/events",
                [
                    "events": [
                        ["installation": .string(id), "name": "read", "tags": ["sports"]],
                        ["installation": "nobody", "name": "read"],
                    ]
                ])
            #expect(answer.json == ["accepted": 1])
            #expect(
                try await fixture.store.interests(objectID: id, app: fixture.app.number, now: fixture.now)
                    .first?.tag == "sports")
            #expect(try await fixture.send("POST", "/1.1/events", ["name": 1]).status == 400)
        }
    }

    @Test func `the properties of events are kept with the latest of them and shown`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa")
            func report(_ event: JSONValue) async throws -> APIFixture.Answer {
                try await fixture.send("POST", "/1.1/events", event)
            }
            for number in 0..<105 {
                fixture.advance(seconds: 1)
                let answer = try await report([
                    "installation": .string(id), "name": "buy", "article": "shoes",
                    "properties": [
                        "number": .integer(Int64(number)), "price": 9.5, "tags": ["a", ["b": nil]],
                    ],
                ])
                #expect(answer.json["accepted"] == 1)
            }
            let shown = try await fixture.send(
                "GET", "/1.1/events", query: [("installation", id), ("limit", "1000")], key: .master)
            #expect(shown.results.count == 100)
            #expect(shown.results.first?["properties"]?["number"] == 104)
            #expect(shown.results.last?["properties"]?["number"] == 5)
            #expect(
                shown.results.first == [
                    "name": "buy", "article": "shoes", "at": .string(fixture.now.iso8601),
                    "properties": ["number": 104, "price": 9.5, "tags": ["a", ["b": nil]]],
                ])
            for (properties, code) in [
                ("text", 111), (["a": .string(String(repeating: "x", count: 3000))], 116),
            ] as [(JSONValue, JSONValue)] {
                #expect(
                    try await report(["installation": .string(id), "name": "n", "properties": properties])
                        .code
                        == code)
            }
            #expect(
                try await fixture.send("GET", "/1.1/events", query: [("installation", id)]).status == 403)
            // They go with the installation.
            _ = try await fixture.send("DELETE", "/1.1/installations/\(id)", key: .master)
            let gone = try await fixture.send(
                "GET", "/1.1/events", query: [("installation", id)], key: .master)
            #expect(gone.results == [])
        }
    }

    @Test func `explain says which condition kept a device out`() async throws {
        try await APIFixture.with { fixture in
            let installation = try await fixture.install(
                String(repeating: "aa", count: 32), ["score": 1, "channels": ["b"]])
            let sent = try await fixture.send(
                "POST", "/1.1/push",
                ["data": ["alert": "Hi"], "where": ["score": ["$gt": 5]], "channels": ["a"]], key: .master)
            let answer = try await fixture.send(
                "GET", "/1.1/explain",
                query: [("push", sent.objectID ?? ""), ("installation", installation)], key: .master)
            #expect(answer.json["stoppedAt"] == "audience", "\(answer.text)")
            guard case .array(let steps)? = answer.json["steps"] else { return }
            let detail = steps.first { $0["step"] == "audience" }?["detail"]
            #expect(
                detail
                    == "score: $gt 5 does not hold, found 1; channels: it is in none of a")
            #expect(steps.first { $0["step"] == "credential" }?["state"] == "failed")
            #expect(!answer.text.contains(String(repeating: "aa", count: 32)))
            #expect(
                try await fixture.send(
                    "GET", "/1.1/explain", query: [("push", "x"), ("installation", "y")], key: .master
                ).status == 404)
            #expect(try await fixture.send("GET", "/1.1/explain", key: .master).code == 1)
        }
    }
}
