import APNs
import APNsGateway
import Testing

struct ControlDeviceTests {
    let fixture = ControlFixture()

    @Test func `adding a phone gives an id and a token that pushes reach`() async throws {
        let answer = await fixture.send(
            "POST", "/devices", #"{"topic":"com.example.app","environment":"sandbox","name":"Anna"}"#)
        #expect(answer.status == 201)
        #expect(answer.string("name") == "Anna")
        #expect(answer["online"] == true)
        let token = try DeviceToken(hex: try #require(answer.string("token")))
        #expect(fixture.verdict(token) == .accepted(device: 0))
        let id = try #require(answer.string("id"))
        let shown = await fixture.send("GET", "/devices/\(id)")
        #expect(shown.status == 200)
        #expect(shown["apps"] == answer["apps"])
        let app = try #require(shown.list("apps").first)
        #expect(app["bundle_id"] == "com.example.app" && app["environment"] == "sandbox")
        #expect(app["installed"] == true && app["enabled"] == true)
    }

    @Test func `many phones are added at once, each with a token of its own`() async throws {
        let answer = await fixture.send(
            "POST", "/devices", #"{"topic":"com.example.app","environment":"sandbox","count":1200}"#)
        #expect(answer.status == 201)
        let devices = answer.list("devices")
        #expect(devices.count == 1200)
        #expect(Set(devices.map { $0["token"] }).count == 1200)
        guard case .string(let token)? = devices.last?["token"] else {
            Issue.record("no token")
            return
        }
        #expect(fixture.verdict(try DeviceToken(hex: token)) == .accepted(device: 1199))
        for count in ["0", "100001", "1.5", "\"2\""] {
            let refused = await fixture.send(
                "POST", "/devices", #"{"topic":"com.example.app","count":\#(count)}"#)
            #expect(refused.status == 400)
        }
    }

    @Test func `the environment is production unless another is named, as the first port`() async throws {
        let answer = await fixture.send("POST", "/devices", #"{"topic":"a.b"}"#)
        #expect(answer.list("apps").first?["environment"] == "production")
    }

    @Test func `a phone can have a token of another size and family that runs out`() async throws {
        let topic = "com.example.app.push-type.liveactivity"
        let answer = await fixture.send(
            "POST", "/devices",
            #"{"topic":"\#(topic)","family":"liveactivity-start","instance":"x","expires_at_ms":\#(World.start + 5),"token_bytes":80}"#
        )
        #expect(answer.status == 201)
        #expect(answer.string("token")?.count == 160)
        guard case .array(let registrations)? = answer.list("apps").first?["registrations"] else {
            Issue.record("no registrations")
            return
        }
        #expect(
            registrations.first?["family"] == "liveactivity-start" && registrations.first?["instance"] == "x")
    }

    /// Method, path, body, status, and what the error says.
    @Test(
        arguments: [
            ("POST", "/devices", "{}", 400, "topic: found nothing"),
            ("POST", "/devices", "", 400, "topic: found nothing"),
            ("POST", "/devices", "[]", 400, "found an array, allowed: a JSON object"),
            ("POST", "/devices", "{\"topic\":", 400, "the body is not JSON"),
            ("POST", "/devices", "{\"topic\":\"a b\"}", 400, "topic: a topic consists of ASCII letters"),
            ("POST", "/devices", "{\"topic\":5}", 400, "topic: found a number, allowed: a string"),
            (
                "POST", "/devices", "{\"topic\":\"a\",\"environment\":\"dev\"}", 400,
                "found \"dev\", allowed: production, sandbox"
            ),
            (
                "POST", "/devices", "{\"topic\":\"a\",\"colour\":1}", 400,
                "found a field \"colour\", allowed: topic, environment, name"
            ),
            (
                "POST", "/devices", "{\"topic\":\"a\",\"token_bytes\":7}", 400,
                "found 7, allowed: a whole number from 8 to 100"
            ),
            (
                "POST", "/devices", "{\"topic\":\"a\",\"token_bytes\":true}", 400,
                "token_bytes: found a Boolean"
            ),
            (
                "POST", "/devices", "{\"topic\":\"a\",\"family\":\"pager\"}", 400,
                "found \"pager\", allowed: app, voip"
            ),
            ("POST", "/devices", "{\"topic\":\"a\",\"family\":\"voip\"}", 400, "allowed: a.voip"),
            ("POST", "/devices", "{\"topic\":\"a\",\"expires_at_ms\":-1}", 400, "expires_at_ms: found -1"),
            ("GET", "/devices/0123456789abcdef", "", 404, "there is no device 0123456789abcdef"),
            ("GET", "/devices/xyz", "", 404, "ids have 16 hexadecimal digits"),
            ("PATCH", "/devices/0123456789abcdef", "{\"online\":true}", 404, "there is no device"),
            ("DELETE", "/devices/0123456789abcdef", "", 404, "there is no device"),
            (
                "GET", "/devices?limit=0", "", 400,
                "limit: found \"0\", allowed: a whole number from 1 to 10000"
            ),
            ("GET", "/devices?colour=red", "", 400, "found a field \"colour\""),
            ("GET", "/devices?after=1", "", 400, "allowed: a device id"),
            ("GET", "/devices?environment=sandbox", "", 400, "topic: found nothing"),
            ("GET", "/devices?online=true&online=false", "", 400, "found online twice"),
            ("PUT", "/devices", "", 405, "only GET, HEAD, OPTIONS, POST"),
            ("GET", "/nothing", "", 404, "there is nothing at /nothing"),
        ] as [(String, String, String, Int, String)])
    func `a wrong request is told what was found and what is allowed`(
        method: String, path: String, body: String, status: Int, error: String
    ) async {
        let answer = await fixture.send(method, path, body)
        #expect(answer.status == status)
        #expect(answer.error.contains(error), "\(answer.text)")
    }

    @Test func `a phone whose registration is refused does not stay behind`() async {
        _ = await fixture.send("POST", "/devices", #"{"topic":"a","family":"voip"}"#)
        #expect(await fixture.send("GET", "/devices").list("devices").isEmpty)
    }

    @Test func `phones are listed page by page and by app`() async throws {
        for number in 0..<5 { _ = try await fixture.addDevice("app.n\(number % 2)") }
        var ids: [String] = []
        var after = ""
        for _ in 0..<4 {
            let page = await fixture.send("GET", "/devices?limit=2" + after)
            for case .string(let id)? in page.list("devices").map({ $0["id"] }) { ids.append(id) }
            guard let next = page.string("next") else { break }
            after = "&after=\(next)"
        }
        #expect(ids.count == 5 && Set(ids).count == 5 && ids == ids.sorted())
        #expect(await fixture.send("GET", "/devices?topic=app.n0").list("devices").count == 3)
        #expect(
            await fixture.send("GET", "/devices?topic=app.n0&environment=production").list("devices").isEmpty)
        _ = await fixture.send("PATCH", "/devices/\(ids[0])", #"{"online":false}"#)
        #expect(
            await fixture.send("GET", "/devices?online=false").list("devices").map { $0["id"] } == [
                .string(ids[0])
            ])
    }

    @Test func `a phone goes offline, comes online and gets what waited`() async throws {
        let (id, token) = try await fixture.addDevice()
        #expect(await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)["online"] == false)
        fixture.push(token, 1)
        let shown = await fixture.send("GET", "/devices/\(id)")
        #expect(
            shown.list("apps").first?["stored"]?["apns_id"]
                == .string(NotificationID(high: 1, low: 1).uuidString))
        #expect(fixture.journal.records(JournalQuery()).map(\.decision) == [.storedOffline])
        let online = await fixture.send("PATCH", "/devices/\(id)", #"{"online":true}"#)
        #expect(online["latest_sequence"] == 1)
        #expect(fixture.journal.records(JournalQuery()).map(\.decision) == [.delivered])
        let received = await fixture.send("GET", "/devices/\(id)/notifications")
        #expect(received.list("notifications").map { $0["payload"] } == [["aps": ["alert": "hi"]]])
    }

    @Test func `a request that is wrong in one field changes nothing`() async throws {
        let (id, _) = try await fixture.addDevice()
        for body in [
            #"{"online":false,"enabled":"no"}"#, #"{"online":false,"topic":"com.example.app"}"#,
            #"{"online":false,"enabled":false,"topic":"not.there"}"#, #"{"online":false,"battery":5}"#,
        ] {
            let answer = await fixture.send("PATCH", "/devices/\(id)", body)
            #expect(answer.status >= 400 && answer.string("field") != nil, "\(body)")
            #expect(await fixture.send("GET", "/devices/\(id)")["online"] == true, "\(body)")
        }
    }

    @Test func `notifications are switched off for one app or for all`() async throws {
        let (id, token) = try await fixture.addDevice()
        _ = await fixture.send(
            "POST", "/devices/\(id)/registrations", #"{"topic":"other","environment":"sandbox"}"#)
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"enabled":false,"topic":"other"}"#)
        #expect(fixture.push(token, 1) == .delivered(sequence: 1))
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"enabled":false}"#)
        #expect(fixture.push(token, 2) == .discarded(.disabled))
    }

    @Test func `deleting is uninstalling, and forgetting leaves nothing`() async throws {
        let (id, token) = try await fixture.addDevice()
        let deleted = await fixture.send("DELETE", "/devices/\(id)")
        #expect(deleted.status == 200)
        #expect(deleted.list("apps").first?["installed"] == false)
        #expect(fixture.push(token, 1) == .discarded(.removalNoticed))
        #expect(await fixture.send("POST", "/time", #"{"advance_ms":60000}"#).status == 200)
        #expect(fixture.verdict(token) == .unregistered(sinceMilliseconds: World.start))
        #expect(await fixture.send("DELETE", "/devices/\(id)?forget=true&topic=a").status == 400)
        #expect(await fixture.send("DELETE", "/devices/\(id)?forget=true").status == 204)
        #expect(await fixture.send("GET", "/devices/\(id)").status == 404)
        #expect(fixture.verdict(token) == .unknown)
    }

    @Test func `a payload comes back byte for byte, whatever it is`() async throws {
        let (id, token) = try await fixture.addDevice()
        let payloads = [
            #"{ "b" : 1.50, "a":12345678901234567890,"a":"\/" }"#, "not json", "[1]", "", "\u{0}\u{1}",
        ]
        for (number, payload) in payloads.enumerated() {
            fixture.push(token, UInt64(number), payload: payload)
        }
        let answer = await fixture.send("GET", "/devices/\(id)/notifications")
        #expect(answer.text.contains("\"payload\":" + payloads[0]))
        #expect(
            answer.list("notifications").dropFirst().map { $0["payload_base64"] }
                == ["bm90IGpzb24=", "WzFd", "", "AAE="])
    }

    @Test func `the list of notifications resumes after a number and can show what is on screen`()
        async throws
    {
        let (id, token) = try await fixture.addDevice()
        for (number, collapse) in ["a", nil, "a", "b"].enumerated() {
            fixture.push(token, UInt64(number + 1), collapseID: collapse)
        }
        func sequences(_ query: String) async -> [JSONValue?] {
            await fixture.send("GET", "/devices/\(id)/notifications\(query)").list("notifications").map {
                $0["sequence"]
            }
        }
        #expect(await sequences("") == [1, 2, 3, 4])
        #expect(await sequences("?since=2") == [3, 4])
        #expect(await sequences("?since=2&limit=1") == [3])
        #expect(await sequences("?since=9223372036854775807") == [])
        #expect(await sequences("?visible=true") == [2, 3, 4])
    }
}
