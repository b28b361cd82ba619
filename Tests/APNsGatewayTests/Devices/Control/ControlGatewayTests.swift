import APNs
import APNsGateway
import Crypto
import Testing
import Transport

struct ControlGatewayTests {
    let fixture = ControlFixture()

    @Test func `the journal is shown by token, id, status and number`() async throws {
        let (id, token) = try await fixture.addDevice()
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        for number in 1...3 { fixture.push(token, UInt64(number)) }
        let all = await fixture.send("GET", "/requests")
        #expect(all["newest_sequence"] == 3)
        #expect(
            all.list("requests").map { $0["decision"] } == [
                "droppedReplaced", "droppedReplaced", "storedOffline",
            ])
        let one = await fixture.send("GET", "/requests?id=\(NotificationID(high: 1, low: 2).uuidString)")
        #expect(one.list("requests").map { $0["sequence"] } == [2])
        #expect(await fixture.send("GET", "/requests?since=2").list("requests").map { $0["sequence"] } == [3])
        #expect(await fixture.send("GET", "/requests?status=410").list("requests").isEmpty)
        #expect(await fixture.send("GET", "/requests?limit=1").list("requests").map { $0["sequence"] } == [3])
        for query in ["id=5", "status=600", "status=x", "since=-1", "token=zz", "limit=10001", "foo=1"] {
            let answer = await fixture.send("GET", "/requests?\(query)")
            #expect(answer.status == 400 && !answer.error.isEmpty, "\(query)")
        }
    }

    @Test func `faults are set, shown and removed`() async throws {
        let set = await fixture.send(
            "POST", "/faults", #"{"reason":"InternalServerError","rate":0.5,"count":3}"#)
        #expect(set.status == 201 && set["count"] == 3)
        #expect(await fixture.send("GET", "/faults").list("faults").count == 1)
        #expect(await fixture.send("POST", "/faults", #"{"rate":0.5}"#).status == 400)
        #expect(await fixture.send("POST", "/faults", "").status == 400)
        #expect(await fixture.send("DELETE", "/faults").status == 204)
        #expect(await fixture.send("GET", "/faults").list("faults").isEmpty)
    }

    @Test func `a key made by the gateway signs tokens that the gateway accepts`() async throws {
        let answer = await fixture.send(
            "POST", "/keys",
            #"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","topics":["a.b"],"environments":["sandbox"]}"#)
        #expect(answer.status == 201)
        let key = try SigningKey(p8: try #require(answer.string("p8")))
        let added = try #require(fixture.verifier.keys.first { $0.keyID == "TESTKEY001" })
        #expect(added.environments == [.sandbox])
        #expect(added.covers(World.topic("a.b")) && !added.covers(World.topic("a.c")))
        #expect(try VerifyingKey(pem: try #require(answer.string("public_key"))) == key.publicKey)
        let listed = await fixture.send("GET", "/keys")
        #expect(listed.list("keys").map { $0["key_id"] } == ["TESTKEY001"])
        #expect(!listed.text.contains("PRIVATE"))
    }

    @Test(arguments: [
        (#"{}"#, "key_id: found nothing"),
        (#"{"key_id":"SHORT","team_id":"TESTTEAM01"}"#, "allowed: 10 letters and digits"),
        (#"{"key_id":"TESTKEY00/","team_id":"TESTTEAM01"}"#, "allowed: 10 letters and digits"),
        (#"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","public_key":"x"}"#, ""),
        (
            #"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","environments":[]}"#,
            "one or more of production, sandbox"
        ),
        (#"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","environments":["dev"]}"#, "found \"dev\""),
        (
            #"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","topics":"a.b"}"#,
            "topics: found a string, allowed: an array"
        ),
        (#"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","topics":[1]}"#, "an array with a number"),
        (#"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","related_key_id":"TESTKEY002"}"#, "without topics"),
    ])
    func `a wrong key is refused with the reason`(body: String, error: String) async {
        let answer = await fixture.send("POST", "/keys", body)
        #expect(answer.status == 400)
        #expect(answer.error.contains(error) && !answer.error.isEmpty, "\(answer.text)")
        #expect(fixture.keyring.records.isEmpty)
    }

    @Test func `a key id can be used once`() async throws {
        let pem = try SigningKey.generate().publicKey.pem.replacing("\n", with: "\\n")
        let body = #"{"key_id":"TESTKEY001","team_id":"TESTTEAM01","public_key":"\#(pem)"}"#
        let first = await fixture.send("POST", "/keys", body)
        #expect(first.status == 201 && first["p8"] == nil)
        let second = await fixture.send("POST", "/keys", body)
        #expect(second.status == 409 && second.string("field") == "key_id")
    }

    @Test func `time is put forward and what is due happens`() async throws {
        let (id, token) = try await fixture.addDevice()
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        fixture.push(token, 1, expiration: .at(secondsSince1970: World.start / 1_000 + 60))
        #expect(fixture.hub.nextDeadline == World.start + 60_000)
        let answer = await fixture.send("POST", "/time", #"{"advance_ms":60000}"#)
        #expect(answer["now_ms"] == .integer(World.start + 60_000))
        #expect(await fixture.send("GET", "/time")["now_ms"] == .integer(World.start + 60_000))
        #expect(fixture.journal.records(JournalQuery()).map(\.decision) == [.droppedExpired])
        #expect(fixture.hub.nextDeadline == nil)
        for body in ["{}", #"{"advance_ms":-1}"#, #"{"advance_ms":"1"}"#, #"{"advance_ms":315360000001}"#] {
            #expect(await fixture.send("POST", "/time", body).status == 400, "\(body)")
        }
    }

    @Test func `the system's clock cannot be moved`() async {
        let hub = DeviceHub()
        let api = ControlAPI(
            parts: .init(
                hub: hub, journal: Journal(), faults: FaultInjector(seed: 1), keyring: fixture.keyring))
        let response = await api.respond(
            to: HTTPRequest(method: "POST", path: "/time", body: Array(#"{"advance_ms":1}"#.utf8)))
        #expect(response.status == 409)
        #expect(hub.clock.nowMilliseconds > 1_700_000_000_000)
    }

    @Test func `metrics count devices, tokens and what is stored`() async throws {
        let (id, token) = try await fixture.addDevice()
        _ = try await fixture.addDevice()
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        fixture.push(token, 1)
        let text = await fixture.send("GET", "/metrics").text
        for line in [
            "apns_gateway_devices 2", "apns_gateway_devices_online 1", "apns_gateway_device_tokens 2",
            "apns_gateway_stored_notifications 1", "apns_gateway_extra 1",
            #"apns_gateway_decisions_total{decision="storedOffline"} 1"#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        #expect(
            text.split(separator: "\n").allSatisfy {
                $0.hasPrefix("#") || $0.split(separator: " ").count == 2
            })
    }

    @Test func `the gateway is healthy without a store`() async {
        let answer = await fixture.send("GET", "/healthz")
        #expect(answer.status == 200 && answer.string("status") == "ok")
    }

    @Test(arguments: [
        ("origin", "https://evil.example", 403), ("origin", "null", 403),
        ("origin", "http://localhost.evil.example", 403),
        ("origin", "http://localhost:3000", 200), ("origin", "http://127.0.0.1", 200),
        ("host", "evil.example", 403), ("host", "localhost:8079", 200), ("host", "[::1]:8079", 200),
        ("host", "127.0.0.1", 200), ("host", "localhost:evil", 403),
        ("host", "127.0.0.1.evil.example:80", 403),
    ])
    func `web pages from elsewhere are kept out`(name: String, value: String, status: Int) async {
        #expect(await fixture.send("GET", "/devices", headers: [name: value]).status == status)
    }
}
