import APNs
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

/// Reading the bodies of pushes needs no store.
@Suite struct PushRequestReaderTests {
    static let now = APIFixture.start

    static func call(_ body: [String: JSONValue], isProduction: Bool? = nil) -> APICall {
        let app = App(
            number: 1, id: "news", name: "News", topic: "com.example.news", settings: AppSettings(),
            createdAt: now)
        return APICall(
            request: HTTPRequest(
                method: "POST", path: "/1.1/push", body: APIBody.encoded(.object(body))),
            parameters: [:], caller: Caller(app: app, isMaster: true, isProduction: isProduction), body: body,
            now: now)
    }

    static func read(
        _ members: [String: JSONValue], isProduction: Bool? = nil
    ) throws(APIError) -> PushRequest {
        var body = members
        body["data"] = body["data"] ?? ["alert": "Hi"]
        return try PushRequestReader.push(call(body, isProduction: isProduction))
    }

    @Test func `everything a push can say is read`() throws {
        let request = try Self.read([
            "where": ["score": ["$gt": 1]], "channels": ["b", "a", "b"],
            "push_time": "2027-01-16T08:00:00.000Z", "expiration_interval": 3600, "prod": "dev",
            "topic": "com.example.other", "apns_team_id": "TEAM123456", "device_profile": "driver",
            "notification_id": "n0tification", "req_id": "r1", "flow_control": 5000, "test": true,
            "ignore_quiet_hours": true, "ignore_frequency_cap": true, "late_minutes": 5,
            "data": ["alert": "Hi", "badge": "Increment"],
        ])
        #expect(request.filter?.json == ["score": ["$gt": 1]])
        #expect(request.channels == ["a", "b"])
        #expect(request.time == .at(Self.now.advanced(bySeconds: 86_400)))
        #expect(request.lifetime == .seconds(3600))
        #expect(request.environment == .sandbox && request.fallbackEnvironment == .sandbox)
        #expect(request.topic == "com.example.other" && request.teamID == "TEAM123456")
        #expect(request.deviceProfile == "driver")
        #expect(request.notificationID == "n0tification" && request.requestID == "r1")
        #expect(request.devicesPerSecondMax == 5000)
        #expect(request.isTest && request.ignoresQuietHours && request.ignoresFrequencyCap)
        #expect(request.lateMinutesMax == 5)
    }

    @Test(
        arguments: [
            ("2027-01-15T07:00:00.000Z", .now), ("2027-01-15T08:00:59.999Z", .now),
            ("2027-01-15T08:01:00.000Z", .at(now.advanced(bySeconds: 60))),
            ("2027-01-15T17:00:00+08:00", .at(now.advanced(bySeconds: 3600))),
        ] as [(String, PushRequest.Time)])
    func `a time less than a minute ahead is now`(text: String, time: PushRequest.Time) throws {
        #expect(try Self.read(["push_time": .string(text)]).time == time)
    }

    @Test(arguments: ["2027-01-16T09:00:00", "2027-01-16T09:00:00.000", "2027-01-16 09:00"])
    func `a time without a zone is every device's own`(text: String) throws {
        let civil = try #require(CivilDateTime(iso8601: "2027-01-16T09:00:00"))
        #expect(try Self.read(["push_time": .string(text)]).time == .local(civil))
    }

    @Test(arguments: [(0, 1000), (1, 1000), (999, 1000), (1000, 1000), (2500, 2500)] as [(Int64, Int)])
    func `a flow below 1000 devices a second is 1000`(flow: Int64, perSecond: Int) throws {
        #expect(try Self.read(["flow_control": .integer(flow)]).devicesPerSecondMax == perSecond)
    }

    @Test func `numbers may be texts, as in LeanCloud's guide`() throws {
        let push = try Self.read(["expiration_interval": "86400", "flow_control": "2500"])
        #expect(push.lifetime == .seconds(86_400))
        #expect(push.devicesPerSecondMax == 2500)
    }

    @Test func `a where that is a text of JSON, as the Objective-C SDK sends it, is the condition`() throws {
        let text = try Self.read(["where": #"{"userId":"42"}"#])
        #expect(text.filter != nil)
        #expect(text.filter == (try Self.read(["where": ["userId": "42"]]).filter))
    }

    @Test(arguments: [(nil, nil), (true, .production), (false, .sandbox)] as [(Bool?, Environment?)])
    func `without prod the header says which environment`(header: Bool?, environment: Environment?) throws {
        #expect(try Self.read([:], isProduction: header).environment == environment)
        #expect(try Self.read(["prod": "prod"], isProduction: header).environment == .production)
    }

    @Test(
        arguments: [
            (["data": "text"], 1), (["data": [:]], 1), (["where": "x"], 107), (["where": "[]"], 107),
            (["where": ""], 107),
            (["expiration_interval": "soon"], 1), (["expiration_interval": "1.5"], 1),
            (["where": ["a": ["$foo": 1]]], 304),
            (["where": ["a": ["$inQuery": ["className": "Team", "where": [:]]]]], 304),
            (["channels": []], 112), (["channels": ["a b"]], 112), (["channels": 1], 111),
            (["channels": [1]], 111),
            (["cql": "select"], 300), (["cql": "select * from _Installation limit 10"], 300),
            (["cql": "select * from _Installation where a = 1", "where": ["a": 1]], 1),
            (["push_time": "tomorrow"], 1), (["push_time": "2029-01-15T08:00:00Z"], 1),
            (["push_time": "2027-01-13T09:00:00"], 1), (["push_time": true], 1),
            (["expiration_time": "2027-01-16T08:00:00Z", "expiration_interval": 60], 1),
            (["expiration_time": "2027-01-15T07:59:00Z"], 1), (["expiration_time": "soon"], 1),
            (["expiration_interval": 0], 1), (["expiration_interval": -5], 1),
            (["expiration_interval": 1.5], 1),
            (["expiration_time": "2027-01-15T09:00:00Z", "push_time": "2027-01-15T10:00:00Z"], 1),
            (["prod": "production"], 1), (["prod": 1], 111), (["notification_id": "12345678901234567"], 1),
            (["notification_id": ""], 1), (["notification_id": "a-b"], 1), (["req_id": "übung"], 1),
            (["flow_control": -1], 1), (["flow_control": "fast"], 1), (["device_profile": "a-b"], 1),
            (["topic": "no topic"], 1), (["late_minutes": -1], 1), (["test": "yes"], 111),
            (["schedule": ["start": "x"]], 1), (["schedule": ["rrule": "FREQ=DAILY", "count": 0]], 1),
            (["schedule": ["rrule": "FREQ=DAILY"], "push_time": "2027-01-16T08:00:00Z"], 1),
            (["digest": ["articles": []]], 1),
        ] as [([String: JSONValue], Int)])
    func `what a push cannot be is refused with its code`(members: [String: JSONValue], code: Int) {
        do throws(APIError) {
            _ = try Self.read(members)
            Issue.record("it was taken")
        } catch {
            #expect(error.code == code, "\(error.message)")
            #expect(error.message.utf8.count < 400)
        }
    }

    @Test func `a body of 4096 bytes is taken, of 4097 it is not`() throws {
        let empty = APIBody.encoded(["data": ["alert": ""]]).count
        for (byteCount, isTaken) in [(4096, true), (4097, false)] {
            let alert = String(repeating: "x", count: byteCount - empty)
            let read = { try Self.read(["data": ["alert": .string(alert)]]) }
            if isTaken {
                _ = try read()
            } else {
                #expect { _ = try read() } throws: { ($0 as? APIError)?.code == 116 }
            }
        }
    }

    @Test func `the articles of a digest are not counted`() throws {
        let articles: [JSONValue] = (0..<100).map {
            [
                "id": .string("article\($0)"), "tags": ["sports"],
                "data": ["alert": "A headline of some length"],
            ]
        }
        let request = try Self.read(["data": ["alert": "News"], "digest": ["articles": .array(articles)]])
        #expect(request.digest != nil)
    }

    @Test func `CQL becomes the condition`() throws {
        let request = try Self.read(["cql": "select * from _Installation where score > 3"])
        #expect(request.filter?.matches(["score": 4]) == true)
        #expect(request.filter?.matches(["score": 3]) == false)
    }

    // MARK: - By device

    static func devices(_ members: [String: JSONValue]) throws(APIError) -> PushRequest {
        var body: [String: JSONValue] = ["data": ["alert": "Hi"], "device_type": "ios", "device_ids": ["AA"]]
        body.merge(members) { _, new in new }
        return try PushRequestReader.devices(call(body))
    }

    @Test func `tokens are taken once each, in lower case`() throws {
        #expect(try Self.devices(["device_ids": ["AA", "bb", "aa"]]).deviceTokens == ["aa", "bb"])
        let most = (0..<500).map { JSONValue.string("\($0)") }
        #expect(try Self.devices(["device_ids": .array(most)]).deviceTokens?.count == 500)
    }

    @Test(
        arguments: [
            ["device_ids": []], ["device_ids": "aa"], ["device_ids": [1]], ["device_ids": [""]],
            ["device_ids": .array(Array(repeating: "aa", count: 501))], ["device_type": "android"],
            ["device_type": nil], ["where": ["a": 1]], ["channels": ["a"]],
            ["push_time": "2027-01-16T08:00:00Z"],
            ["flow_control": 1000], ["cql": "select * from _Installation"],
        ] as [[String: JSONValue]])
    func `push devices takes no audience and no time`(members: [String: JSONValue]) {
        #expect(throws: APIError.self) { _ = try Self.devices(members) }
    }
}
