import APNs
import PushStore
import Testing

@testable import PushService

/// Objects that are new together and point to each other, as SDKs save them.
@Suite struct BatchChildrenTests {
    private func request(_ id: String, _ fields: [String: JSONValue] = [:]) -> JSONValue {
        var body = fields
        body["__internalId"] = .string(id)
        body["deviceToken"] = .string(id)
        return [
            "method": "POST", "path": "/1.1/classes/_Installation", "body": .object(body), "new": true,
        ]
    }

    private func child(_ id: String, key: String) -> JSONValue {
        ["className": "_Installation", "cid": .string(id), "key": .string(key)]
    }

    @Test func `a child is saved before what points to it, wherever it stands`() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(
                "POST", "/1.1/batch/save",
                [
                    "requests": [
                        request("aa", ["__children": [child("bb", key: "friend")]]),
                        request(
                            "bb", ["__children": [child("cc", key: "friend"), child("dd", key: "other")]]),
                        request("cc"), request("dd"),
                    ]
                ])
            #expect(answer.status == 200, "\(answer.text)")
            for (parent, key, id) in [("aa", "friend", "bb"), ("bb", "friend", "cc"), ("bb", "other", "dd")] {
                let childID = try #require(answer.json[id]?["objectId"])
                guard case .string(let parentID)? = answer.json[parent]?["objectId"] else { continue }
                let row = try await fixture.send("GET", "/1.1/installations/\(parentID)")
                #expect(
                    row.json[key] == [
                        "__type": "Pointer", "className": "_Installation", "objectId": childID,
                    ])
                #expect(row.json["__children"] == nil)
            }
        }
    }

    @Test(arguments: [
        ("a circle", 1), ("itself", 1), ("nobody", 104), ("a text", 107), ("an object without a key", 107),
    ])
    func `what cannot be linked is refused and saves nothing`(what: String, code: Int) async throws {
        let requests: [JSONValue] =
            switch what {
            case "a circle":
                [
                    request("aa", ["__children": [child("bb", key: "k")]]),
                    request("bb", ["__children": [child("aa", key: "k")]]),
                ]
            case "itself": [request("aa", ["__children": [child("aa", key: "k")]])]
            case "nobody": [request("bb"), request("aa", ["__children": [child("zz", key: "k")]])]
            case "a text": [request("aa", ["__children": "bb"])]
            default: [request("aa", ["__children": [["className": "_Installation", "cid": "bb"]]])]
            }
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(
                "POST", "/1.1/batch/save", ["requests": .array(requests)])
            #expect(answer.code == .integer(Int64(code)), "\(answer.text)")
            #expect(
                try await fixture.store.installationCount(nil, app: fixture.app.number, now: fixture.now) == 0
            )
        }
    }

    @Test func `a chain as long as a batch may be is saved`() async throws {
        try await APIFixture.with { fixture in
            let requests = (0..<BatchHandlers.requestCountMax).map { index in
                request(
                    "c\(index)",
                    index + 1 < BatchHandlers.requestCountMax
                        ? ["__children": [child("c\(index + 1)", key: "next")]] : [:])
            }
            let answer = try await fixture.send(
                "POST", "/1.1/batch/save", ["requests": .array(requests)])
            #expect(answer.status == 200, "\(answer.text.prefix(300))")
        }
    }
}
