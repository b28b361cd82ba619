import APNs
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

@Suite struct AuthenticationTests {
    private static let path = "/1.1/installations"

    @Test(arguments: [
        ["X-LC-Id": "news", "X-LC-Key": APIFixture.appKey],
        ["x-lc-id": "news", "x-lc-sign": "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943466"],
        ["X-AVOSCloud-Application-Id": "news", "X-AVOSCloud-Application-Key": APIFixture.appKey],
        [
            "X-AVOSCloud-Application-Id": "news",
            "X-AVOSCloud-Request-Sign": "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943466",
        ],
    ])
    func `every form of the app key may register and may not list`(headers: [String: String]) async throws {
        try await APIFixture.with { fixture in
            let fields = HTTPHeaders(headers.map { .init(name: $0.key, value: $0.value) })
            let created = try await fixture.send(
                "POST", Self.path, ["deviceToken": "aa"], headers: fields)
            #expect(created.status == 201)
            let listed = try await fixture.send("GET", Self.path, headers: fields)
            #expect(listed.status == 403)
            #expect(listed.code == 119)
        }
    }

    @Test(arguments: [
        ["X-LC-Id": "news", "X-LC-Key": APIFixture.masterKey + ",master"],
        ["X-LC-Id": "news", "X-LC-Sign": "e074720658078c898aa0d4b1b82bdf4b,1453014943466,master"],
        ["X-AVOSCloud-Application-Id": "news", "X-AVOSCloud-Master-Key": APIFixture.masterKey],
        [
            "X-AVOSCloud-Application-Id": "news",
            "X-AVOSCloud-Application-Key": APIFixture.masterKey + ",master",
        ],
    ])
    func `every form of the master key may list`(headers: [String: String]) async throws {
        try await APIFixture.with { fixture in
            let fields = HTTPHeaders(headers.map { .init(name: $0.key, value: $0.value) })
            let listed = try await fixture.send("GET", Self.path, headers: fields)
            #expect(listed.status == 200)
        }
    }

    @Test(arguments: [
        [:], ["X-LC-Id": "news"], ["X-LC-Key": APIFixture.appKey],
        ["X-LC-Id": "other", "X-LC-Key": APIFixture.appKey],
        ["X-LC-Id": "news", "X-LC-Key": APIFixture.appKey + "x"],
        // The master key is none of a client, and the app key is no master key.
        ["X-LC-Id": "news", "X-LC-Key": APIFixture.masterKey],
        ["X-LC-Id": "news", "X-LC-Key": APIFixture.appKey + ",master"],
        ["X-LC-Id": "news", "X-LC-Sign": "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943467"],
        ["X-LC-Id": "news", "X-LC-Sign": "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943466,master"],
        ["X-LC-Id": "news", "X-LC-Sign": "e074720658078c898aa0d4b1b82bdf4b,1453014943466"],
        ["X-LC-Id": "news", "X-LC-Sign": "d5bc,1453014943466"], ["X-LC-Id": "news", "X-LC-Sign": ","],
        ["X-LC-Id": "news", "X-LC-Sign": ""], ["X-LC-Id": "news'; DROP TABLE apps; --", "X-LC-Key": "x"],
    ])
    func `a proof of no key is refused and changes nothing`(headers: [String: String]) async throws {
        try await APIFixture.with { fixture in
            let fields = HTTPHeaders(headers.map { .init(name: $0.key, value: $0.value) })
            let answer = try await fixture.send(
                "POST", Self.path, ["deviceToken": "aa"], headers: fields)
            #expect(answer.status == 401)
            #expect(answer.code == 401)
            #expect(!answer.text.contains(APIFixture.appKey) && !answer.text.contains(APIFixture.masterKey))
            #expect(
                try await fixture.store.installationCount(nil, app: fixture.app.number, now: fixture.now) == 0
            )
        }
    }

    @Test func `two keys are valid at once until the former ends`() async throws {
        try await APIFixture.with { fixture in
            func status(_ key: String) async throws -> Int {
                try await fixture.send(
                    "POST", Self.path, ["deviceToken": "aa"], headers: ["X-LC-Id": "news", "X-LC-Key": key]
                ).status
            }
            #expect(try await status(APIFixture.appKey) == 201)
            try await fixture.store.rotateKey(
                app: fixture.app.number, kind: .app, secret: "another-key-of-the-app",
                formerValidUntil: fixture.now.advanced(bySeconds: 60), now: fixture.now)
            // A key that is not known yet is looked for at once, though the second is not over.
            #expect(try await status("another-key-of-the-app") == 200)
            #expect(try await status(APIFixture.appKey) == 200)
            fixture.advance(seconds: 61)
            #expect(try await status(APIFixture.appKey) == 401)
            #expect(try await status("another-key-of-the-app") == 200)
        }
    }

    @Test func `changed settings are seen after a second`() async throws {
        try await APIFixture.with { fixture in
            let push: () async throws -> Int = {
                try await fixture.send("POST", "/1.1/push", ["data": ["alert": "Hi"]]).status
            }
            #expect(try await push() == 403)
            var app = fixture.app
            app.settings.allowsClientPush = true
            try await fixture.store.updateApp(app, now: fixture.now)
            fixture.advance(milliseconds: 1000)
            #expect(try await push() == 200)
        }
    }

    @Test func `the JavaScript SDK's body stands for method and headers`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("aa")
            let listed = try await fixture.send(
                "POST", Self.path,
                [
                    "_method": "GET", "_ApplicationId": "news",
                    "_ApplicationKey": .string(APIFixture.masterKey + ",master"),
                    "where": ["deviceToken": "aa"], "limit": 5, "_ClientVersion": "js1.0",
                ], headers: ["Content-Type": "text/plain"])
            #expect(listed.results.first?["objectId"] == .string(id))
            let changed = try await fixture.send(
                "POST", "\(Self.path)/\(id)",
                [
                    "_method": "PUT", "_ApplicationId": "news", "_ApplicationKey": .string(APIFixture.appKey),
                    "score": 3,
                ], headers: ["Content-Type": "text/plain;charset=UTF-8"])
            #expect(changed.status == 200)
            let found = try await fixture.send("GET", "\(Self.path)/\(id)")
            #expect(found.json["score"] == 3)
            #expect(found.json["_method"] == nil)
        }
    }

    @Test func `a bucket lets a second's worth through, then one after the other`() {
        let start = APIFixture.start
        var bucket = TokenBucket(perSecond: 10, now: start)
        for _ in 0..<10 { #expect(bucket.take(1, perSecond: 10, now: start) == nil) }
        let wait = bucket.take(1, perSecond: 10, now: start)
        #expect(wait == 100)
        let early = bucket.take(1, perSecond: 10, now: start.advanced(byMilliseconds: 99))
        #expect(early == 1)
        let inTime = bucket.take(1, perSecond: 10, now: start.advanced(byMilliseconds: 100))
        #expect(inTime == nil)
        // A clock that goes back gives nothing away, and a large batch passes once the bucket is full.
        let back = bucket.take(1, perSecond: 10, now: start)
        #expect(back != nil)
        let batch = bucket.take(500, perSecond: 10, now: start.advanced(bySeconds: 3600))
        #expect(batch == nil)
    }

    @Test func `a clock that is set back an hour shuts nobody out for an hour`() {
        let start = APIFixture.start
        var bucket = TokenBucket(perSecond: 10, now: start.advanced(bySeconds: 3600))
        for _ in 0..<10 { _ = bucket.take(1, perSecond: 10, now: start.advanced(bySeconds: 3600)) }
        let atOnce = bucket.take(1, perSecond: 10, now: start)
        #expect(atOnce == 100)
        let later = bucket.take(1, perSecond: 10, now: start.advanced(byMilliseconds: 100))
        #expect(later == nil)
    }

    @Test func `an app over its limit is told to wait`() async throws {
        var settings = AppSettings()
        settings.requestsPerSecondMax = 2
        try await APIFixture.with(settings: settings) { fixture in
            for token in ["aa", "bb"] { try await fixture.install(token) }
            let answer = try await fixture.send("POST", Self.path, ["deviceToken": "cc"])
            #expect(answer.status == 429)
            #expect(answer.code == 429)
            #expect(answer.headers.contains { $0 == ("Retry-After", "1") })
            fixture.advance(milliseconds: 500)
            #expect(try await fixture.send("POST", Self.path, ["deviceToken": "cc"]).status == 201)
        }
    }
}
