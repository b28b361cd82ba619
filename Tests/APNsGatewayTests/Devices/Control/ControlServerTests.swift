import APNs
import APNsGateway
import Testing
import Transport

/// The control API and the devices' streams over real sockets.
@Suite(.timeLimit(.minutes(5)))
struct ControlServerTests {
    let fixture = ControlFixture()
    let server: HTTPServer

    init() throws {
        let api = fixture.api
        server = HTTPServer { await api.respond(to: $0) }
        try server.start()
    }

    private func client() throws -> ControlClient { try ControlClient(port: server.port) }

    private func stop() async {
        fixture.hub.closeStreams()
        await server.stop()
    }

    private func isOnline(_ id: String) async -> Bool {
        await fixture.send("GET", "/devices/\(id)")["online"] == true
    }

    @Test func `a phone is added and receives a push over one connection`() async throws {
        let client = try client()
        let added = try await client.request(
            "POST", "/devices", #"{"topic":"com.example.app","environment":"sandbox"}"#)
        #expect(added.status == 201)
        let json = try JSONValue(parsing: added.body)
        guard case .string(let id)? = json["id"], case .string(let token)? = json["token"] else {
            Issue.record("\(added.body)")
            return
        }
        fixture.push(try DeviceToken(hex: token), 1)
        let received = try await client.request("GET", "/devices/\(id)/notifications")
        #expect(received.status == 200 && received.body.contains(#""payload":{"aps":{"alert":"hi"}}"#))
        #expect(try await client.request("DELETE", "/devices/\(id)?forget=true").status == 204)
        #expect(try await client.request("GET", "/devices/\(id)").status == 404)
        await stop()
    }

    @Test func `a stream shows the device and then each delivery once`() async throws {
        let (id, token) = try await fixture.addDevice()
        fixture.push(token, 1)
        let stream = try client()
        #expect(try await stream.send("GET", "/devices/\(id)/stream").status == 200)
        #expect(try await stream.nextEvent().name == "device")
        for number in 2...4 { fixture.push(token, UInt64(number)) }
        for number in 2...4 {
            let event = try await stream.nextEvent()
            #expect(event.id == "\(number)" && event.name == "notification")
            #expect(try JSONValue(parsing: event.data)["payload"] == ["aps": ["alert": "hi"]])
        }
        await stop()
    }

    @Test func `a stream resumes after the last event it saw`() async throws {
        let (id, token) = try await fixture.addDevice()
        for number in 1...3 { fixture.push(token, UInt64(number)) }
        for (path, headers) in [("?since=1", [:]), ("", ["Last-Event-ID": "1"])]
            as [(String, [String: String])]
        {
            let stream = try client()
            _ = try await stream.send("GET", "/devices/\(id)/stream\(path)", headers: headers)
            _ = try await stream.nextEvent()
            #expect(try await stream.nextEvent().id == "2")
            #expect(try await stream.nextEvent().id == "3")
        }
        let bad = try client()
        #expect(
            try await bad.send("GET", "/devices/\(id)/stream", headers: ["Last-Event-ID": "x"]).status == 400)
        await stop()
    }

    @Test func `a stream that missed what is no longer kept is told of the gap`() async throws {
        var policy = DevicePolicy()
        policy.deliveriesPerDeviceMax = 2
        let fixture = ControlFixture(policy: policy)
        let api = fixture.api
        let server = HTTPServer { await api.respond(to: $0) }
        try server.start()
        let (id, token) = try await fixture.addDevice()
        for number in 1...5 { fixture.push(token, UInt64(number)) }
        let stream = try ControlClient(port: server.port)
        _ = try await stream.send("GET", "/devices/\(id)/stream?since=1")
        _ = try await stream.nextEvent()
        #expect(try await stream.nextEvent() == .init(id: nil, name: "gap", data: #"{"from":2,"to":3}"#))
        #expect(try await stream.nextEvent().id == "4")
        #expect(try await stream.nextEvent().id == "5")
        fixture.hub.closeStreams()
        await server.stop()
    }

    @Test
    func
        `a link makes the phone online, takes one push at a time and hands over the rest when it acknowledges`()
        async throws
    {
        let (id, token) = try await fixture.addDevice()
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        fixture.push(token, 1)
        let link = try client()
        _ = try await link.send("GET", "/devices/\(id)/stream?link=true")
        _ = try await link.nextEvent()
        #expect(try await link.nextEvent().id == "1")
        #expect(await isOnline(id))
        #expect(fixture.push(token, 2).text == "stored: an earlier notification is in flight")
        let other = try client()
        #expect(
            try await other.request("POST", "/devices/\(id)/acknowledge", #"{"sequence":1}"#).status == 204)
        #expect(try await link.nextEvent().id == "2")
        #expect(
            try await other.request("POST", "/devices/\(id)/acknowledge", #"{"sequence":9}"#).status == 400)
        #expect(try await other.request("POST", "/devices/\(id)/acknowledge").status == 400)
        await stop()
    }

    @Test func `a phone whose link breaks is offline, and gets what it has not acknowledged when it is back`()
        async throws
    {
        let (id, token) = try await fixture.addDevice()
        do {
            let link = try client()
            _ = try await link.send("GET", "/devices/\(id)/stream?link=true")
            _ = try await link.nextEvent()
            fixture.push(token, 1)
            #expect(try await link.nextEvent().id == "1")
        }
        while await isOnline(id) { await Task.yield() }
        #expect(fixture.push(token, 2).text == "stored: device offline")
        let again = try client()
        _ = try await again.send("GET", "/devices/\(id)/stream?link=true")
        _ = try await again.nextEvent()
        #expect(try await again.nextEvent().id == "1", "not acknowledged")
        _ = await fixture.send("POST", "/devices/\(id)/acknowledge", #"{"sequence":1}"#)
        #expect(try await again.nextEvent().id == "2")
        await stop()
    }

    @Test func `a link that resumes has acknowledged what came before`() async throws {
        let (id, token) = try await fixture.addDevice()
        for number in 1...2 { fixture.push(token, UInt64(number)) }
        let link = try client()
        _ = try await link.send("GET", "/devices/\(id)/stream?link=true", headers: ["Last-Event-ID": "2"])
        _ = try await link.nextEvent()
        #expect(fixture.push(token, 3) == .delivered(sequence: 3))
        #expect(try await link.nextEvent().id == "3")
        await stop()
    }

    @Test func `the stream of a forgotten device ends`() async throws {
        let (id, _) = try await fixture.addDevice()
        let stream = try client()
        _ = try await stream.send("GET", "/devices/\(id)/stream?link=true")
        _ = try await stream.nextEvent()
        #expect(await fixture.send("DELETE", "/devices/\(id)?forget=true").status == 204)
        #expect(try await stream.isEnded())
        await stop()
    }

    @Test func `a client that reads nothing is cut off and the others get everything`() async throws {
        let (id, token) = try await fixture.addDevice()
        let slow = try ControlClient(port: server.port, receiveBufferByteCount: 4_096)
        _ = try await slow.send("GET", "/devices/\(id)/stream")
        let fast = try client()
        _ = try await fast.send("GET", "/devices/\(id)/stream")
        _ = try await fast.nextEvent()
        // Not JSON, which the gateway passes on without reading it twice.
        let payload = String(repeating: "y", count: 40_000)
        for number in 1...200 where fixture.hub.openStreamCount > 1 {
            fixture.push(token, UInt64(number), payload: payload)
            #expect(try await fast.nextEvent().id == "\(number)")
        }
        #expect(fixture.hub.openStreamCount == 1)
        await stop()
    }

    @Test func `a phone has sixteen streams and not one more`() async throws {
        let (id, _) = try await fixture.addDevice()
        var clients: [ControlClient] = []
        for _ in 0..<16 {
            let client = try client()
            #expect(try await client.send("GET", "/devices/\(id)/stream").status == 200)
            clients.append(client)
        }
        let one = try client()
        #expect(try await one.send("GET", "/devices/\(id)/stream").status == 409)
        #expect(fixture.hub.openStreamCount == 16)
        await stop()
    }

    @Test func `many threads push to one watched phone and the stream keeps the order`() async throws {
        let (id, token) = try await fixture.addDevice()
        let stream = try client()
        _ = try await stream.send("GET", "/devices/\(id)/stream")
        _ = try await stream.nextEvent()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { for number in 0..<12 { fixture.push(token, UInt64(thread * 100 + number)) } }
            }
        }
        for number in 1...96 { #expect(try await stream.nextEvent().id == "\(number)") }
        await stop()
    }
}
