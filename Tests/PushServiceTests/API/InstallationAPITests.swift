import APNs
import PushStore
import Testing
import Transport

@testable import PushService

@Suite struct InstallationAPITests {
    @Test(arguments: ["/1.1/installations", "/1.1/classes/_Installation"])
    func `an installation is made, updated by its token, read, changed and deleted`(path: String) async throws
    {
        try await APIFixture.with { fixture in
            let created = try await fixture.send(
                "POST", path, ["deviceType": "ios", "deviceToken": "AABB", "channels": ["a"]])
            let id = try #require(created.objectID)
            #expect(created.status == 201)
            #expect(created.headers.contains { $0 == ("Location", "/1.1/installations/\(id)") })
            #expect(created.json == ["objectId": .string(id), "createdAt": "2027-01-15T08:00:00.000Z"])

            fixture.advance(seconds: 60)
            let again = try await fixture.send("POST", path, ["deviceToken": "aabb", "score": 1])
            #expect(again.status == 200)
            #expect(
                again.json == [
                    "objectId": .string(id), "createdAt": "2027-01-15T08:00:00.000Z",
                    "updatedAt": "2027-01-15T08:01:00.000Z",
                ])

            let changed = try await fixture.send(
                "PUT", "\(path)/\(id)",
                [
                    "score": ["__op": "Increment", "amount": 2],
                    "channels": ["__op": "AddUnique", "objects": ["b"]],
                ],
                query: [("fetchWhenSave", "true")])
            #expect(
                changed.json == [
                    "objectId": .string(id), "updatedAt": "2027-01-15T08:01:00.000Z", "score": 3,
                    "channels": ["a", "b"],
                ])
            #expect(try await fixture.send("GET", "\(path)/\(id)").json["score"] == 3)

            #expect(try await fixture.send("DELETE", "\(path)/\(id)").code == 119)
            #expect(try await fixture.send("DELETE", "\(path)/\(id)", key: .master).json == [:])
            let missing = try await fixture.send("GET", "\(path)/\(id)")
            #expect(missing.status == 200 && missing.json == [:])
            #expect(try await fixture.send("DELETE", "\(path)/\(id)", key: .master).status == 404)
            let gone = try await fixture.send("PUT", "\(path)/\(id)", ["score": 1])
            #expect(gone.status == 404 && gone.code == 101)
        }
    }

    @Test func `a condition that does not hold stops a change and a deletion`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa", ["score": 1])
            let path = "/1.1/installations/\(id)"
            let wrong = [(name: "where", value: #"{"score":2}"#)]
            let right = [(name: "where", value: #"{"score":1}"#)]
            let refused = try await fixture.send("PUT", path, ["score": 5], query: wrong)
            #expect(refused.status == 400 && refused.code == 305)
            #expect(try await fixture.send("DELETE", path, query: wrong, key: .master).code == 305)
            #expect(try await fixture.send("GET", path).json["score"] == 1)
            #expect(try await fixture.send("PUT", path, ["score": 5], query: right).status == 200)
            #expect(
                try await fixture.send(
                    "DELETE", path, query: [(name: "where", value: #"{"score":5}"#)], key: .master
                ).status == 200)
        }
    }

    @Test func `a regular expression in the condition of a change needs the master key`() async throws {
        try await APIFixture.with { fixture in
            let path = "/1.1/installations/\(try await fixture.install("aa", ["name": "anna"]))"
            let condition = [(name: "where", value: #"{"$or":[{"name":{"$regex":"^an"}},{"name":"otto"}]}"#)]
            let refused = try await fixture.send("PUT", path, ["score": 5], query: condition)
            #expect(refused.status == 403 && refused.code == 119)
            #expect(try await fixture.send("GET", path).json["score"] == nil)
            #expect(
                try await fixture.send("PUT", path, ["score": 5], query: condition, key: .master).status
                    == 200)
        }
    }

    @Test func `lists obey where, order, limit, skip, keys and count`() async throws {
        try await APIFixture.with { fixture in
            for number in 0..<10 {
                try await fixture.install("0\(number)", ["score": .integer(Int64(number)), "secret": "s"])
            }
            let answer = try await fixture.send(
                "GET", "/1.1/installations",
                query: [
                    ("where", #"{"score":{"$gte":3}}"#), ("order", "-score"), ("limit", "2"), ("skip", "1"),
                    ("keys", "score,deviceToken,-deviceToken"), ("count", "1"),
                ], key: .master)
            #expect(answer.json["count"] == 7)
            #expect(answer.results.map { $0["score"] } == [8, 7])
            #expect(answer.results.allSatisfy { $0["objectId"] != nil && $0["createdAt"] != nil })
            #expect(answer.results.allSatisfy { $0["secret"] == nil && $0["deviceToken"] == nil })
            let count = try await fixture.send(
                "GET", "/1.1/installations", query: [("count", "1"), ("limit", "0")], key: .master)
            #expect(count.json == ["results": [], "count": 10])
            let cql = try await fixture.send(
                "GET", "/1.1/cloudQuery",
                query: [("cql", "select * from _Installation where score < ?"), ("pvalues", "[2]")],
                key: .master)
            #expect(cql.results.count == 2 && cql.json["className"] == "_Installation")
            #expect(
                try await fixture.send(
                    "GET", "/1.1/cloudQuery", query: [("cql", "drop table apps")], key: .master
                ).code == 300)
        }
    }

    @Test(arguments: [("0", 100), ("-1", 100), ("1001", 100), ("x", 100), ("1", 1), ("1000", 1000)])
    func `a limit outside of 1 to 1000 is 100`(text: String, limit: Int) {
        #expect(InstallationListRequest.limit(text) == limit)
    }

    @Test func `a scan comes to every row once, and to its end`() async throws {
        try await APIFixture.with { fixture in
            for number in 0..<7 { try await fixture.install("0\(number)") }
            var tokens: [JSONValue] = []
            var cursor: String?
            repeat {
                let answer = try await fixture.send(
                    "GET", "/1.1/scan/classes/_Installation",
                    query: [("limit", "3")] + (cursor.map { [("cursor", $0)] } ?? []), key: .master)
                tokens += answer.results.compactMap { $0["deviceToken"] }
                if case .string(let next)? = answer.json["cursor"] { cursor = next } else { cursor = nil }
            } while cursor != nil
            #expect(tokens == (0..<7).map { .string("0\($0)") })
            #expect(
                try await fixture.send(
                    "GET", "/1.1/scan/classes/_Installation", query: [("cursor", "'; --")], key: .master
                ).code == 1)
        }
    }

    @Test func `an attribute named error is in no answer`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa", ["error": "mine", "score": 1])
            #expect(try await fixture.send("GET", "/1.1/installations/\(id)").json["error"] == nil)
            let saved = try await fixture.send(
                "PUT", "/1.1/installations/\(id)", ["error": "mine"], query: [("fetchWhenSave", "true")])
            #expect(saved.status == 200 && saved.json["error"] == nil)
            let list = try await fixture.send("GET", "/1.1/installations", key: .master)
            #expect(list.results.allSatisfy { $0["error"] == nil })
        }
    }

    @Test func `a value as deep as can be stored does not break a list`() async throws {
        try await APIFixture.with { fixture in
            var value: JSONValue = 1
            for _ in 0..<(JSONValue.depthMax - 2) { value = [value] }
            let id = try await fixture.install("aa", ["deep": value])
            let list = try await fixture.send("GET", "/1.1/installations/\(id)")
            #expect(list.json["deep"] == value)
            let response = await fixture.api.respond(
                to: HTTPRequest(
                    path: "/1.1/installations",
                    headers: ["X-LC-Id": "news", "X-LC-Key": APIFixture.masterKey + ",master"]))
            guard case .bytes(let bytes) = response.body else { return }
            #expect(String(decoding: bytes, as: UTF8.self).contains("[[[[[[[[1]]]]]]]]"))
        }
    }

    // MARK: - Batches

    @Test func `a batch answers in order, and one failure stops no other`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa")
            let answer = try await fixture.send(
                "POST", "/1.1/batch",
                [
                    "requests": [
                        ["method": "POST", "path": "/1.1/installations", "body": ["deviceToken": "bb"]],
                        ["method": "PUT", "path": "/1.1/classes/_Installation/nothing", "body": ["a": 1]],
                        [
                            "method": "PUT", "path": .string("/1.1/installations/\(id)?fetchWhenSave=true"),
                            "body": ["a": 7],
                        ],
                        [
                            "method": "GET", "path": "/1.1/installations",
                            "params": ["where": ["a": 7], "limit": 1],
                        ],
                        ["method": "GET", "path": .string("/1.1/installations/\(id)")],
                    ]
                ])
            guard case .array(let results) = answer.json else { throw StoreError(.invalid, answer.text) }
            #expect(answer.status == 200 && results.count == 5)
            #expect(results[0]["success"]?["objectId"] != nil)
            #expect(results[1]["error"]?["code"] == 101)
            #expect(results[2]["success"]?["a"] == 7)
            // The batch was sent with the app key, which may not list.
            #expect(results[3]["error"]?["code"] == 119)
            #expect(results[4]["success"]?["a"] == 7)
        }
    }

    @Test func `batch save answers by the ids of the SDK`() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(
                "POST", "/1.1/batch/save",
                [
                    "requests": [
                        [
                            "method": "POST", "path": "/1.1/classes/_Installation",
                            "body": [
                                "__internalId": "0x600001", "__children": [], "deviceType": "ios",
                                "deviceToken": "aa", "channels": ["__op": "AddUnique", "objects": ["news"]],
                            ],
                        ]
                    ]
                ])
            let saved = answer.json["0x600001"]
            #expect(answer.status == 200)
            guard case .string(let id)? = saved?["objectId"] else { throw StoreError(.invalid, answer.text) }
            #expect(saved?["channels"] == ["news"])
            #expect(saved?["createdAt"] != nil && saved?["updatedAt"] != nil)
            let next = try await fixture.send(
                "POST", "/1.1/batch/save",
                [
                    "requests": [
                        [
                            "method": "PUT", "path": .string("/1.1/classes/_Installation/\(id)"),
                            "body": [
                                "__internalId": .string(id), "badge": 0,
                                "count": ["__op": "Increment", "amount": 1],
                            ],
                        ]
                    ]
                ])
            #expect(next.json[id]?["count"] == 1)
            let failed = try await fixture.send(
                "POST", "/1.1/batch/save",
                ["requests": [["method": "PUT", "path": "/1.1/classes/_Installation/no", "body": [:]]]])
            #expect(failed.status == 404 && failed.code == 101)
        }
    }

    @Test(
        arguments: [
            [:], ["requests": 1], ["requests": [1]], ["requests": [["method": "GET"]]],
            ["requests": [["method": "GET", "path": "/2/installations"]]],
            ["requests": [["method": "GET", "path": "/1.1/installations", "body": []]]],
        ] as [JSONValue])
    func `a malformed batch is refused as a whole`(body: JSONValue) async throws {
        try await APIFixture.with { fixture in
            for path in ["/1.1/batch", "/1.1/batch/save"] {
                let answer = try await fixture.send("POST", path, body)
                #expect(answer.status == 400 && answer.code == 107)
            }
        }
    }

    @Test func `batches do not nest and have a size`() async throws {
        try await APIFixture.with { fixture in
            let nested = try await fixture.send(
                "POST", "/1.1/batch",
                ["requests": [["method": "POST", "path": "/1.1/batch", "body": ["requests": []]]]])
            guard case .array(let results) = nested.json else { throw StoreError(.invalid, nested.text) }
            #expect(results.first?["error"]?["code"] == 1)
            let request: JSONValue = ["method": "GET", "path": "/1.1/date"]
            let full = JSONValue.array(Array(repeating: request, count: BatchHandlers.requestCountMax))
            #expect(try await fixture.send("POST", "/1.1/batch", ["requests": full]).status == 200)
            let over = JSONValue.array(Array(repeating: request, count: BatchHandlers.requestCountMax + 1))
            #expect(try await fixture.send("POST", "/1.1/batch", ["requests": over]).code == 154)
        }
    }
}
