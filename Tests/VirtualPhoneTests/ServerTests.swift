import APNs
import Foundation
import Synchronization
import Testing
import Transport
import UserNotifications

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    static func api() async throws -> (PhoneAPI, Bench) {
        let bench = try await Bench(behaviour: Behaviour(categories: [ScreenTests.message]))
        let api = PhoneAPI()
        api.add(bench.phone, id: "1")
        return (api, bench)
    }

    static func body(_ response: HTTPResponse) -> Data {
        guard case .bytes(let bytes) = response.body else { return Data() }
        return Data(bytes)
    }

    static func act(_ api: PhoneAPI, _ json: String) async -> HTTPResponse {
        await api.respond(
            to: HTTPRequest(method: "POST", path: "/phones/1/actions", body: Array(json.utf8)))
    }

    @Test func `a page sees the phone and acts on it`() async throws {
        let (api, bench) = try await Self.api()
        await bench.phone.lock()
        try await bench.push("Hello", extra: ["category": "message"])
        let list = await api.respond(to: HTTPRequest(path: "/phones"))
        #expect(String(decoding: Self.body(list), as: UTF8.self).contains(#""id":"1""#))
        let shown = await api.respond(to: HTTPRequest(path: "/phones/1"))
        let state = try JSONDecoder().decode(PhoneState.self, from: Self.body(shown))
        #expect(state == bench.phone.state)
        let id = try #require(state.lockScreen.first).id
        let answer = await Self.act(api, #"{"action": "reply", "notification": \#(id), "text": "Fine"}"#)
        #expect(answer.status == 200)
        #expect(try JSONDecoder().decode(PhoneState.self, from: Self.body(answer)).lockScreen == [])
        #expect(bench.story.all.contains("reply Hello 'Fine'"))
        let journal = await api.respond(
            to: HTTPRequest(path: "/phones/1/journal", query: [("since", "\(state.lastEntry)")]))
        let entries = try JSONDecoder().decode([JournalEntry].self, from: Self.body(journal))
        #expect(entries.first?.number == state.lastEntry + 1)
        #expect(entries.contains { $0.event == .acted })
    }

    static let wrong: [(json: String, status: Int)] = [
        ("", 400), ("{}", 400), (#"{"action": "fly"}"#, 400), (#"{"action": "tap", "notification": 9}"#, 404),
        (#"{"action": "tap"}"#, 404), (#"{"action": "open", "app": "com.example.None"}"#, 404),
        (#"{"action": "allow"}"#, 409), (#"{"action": "airplane", "value": "maybe"}"#, 400),
        (#"{"action": "zone", "value": "Mars"}"#, 400), (#"{"action": "advance", "value": "5 years"}"#, 400),
        (#"{"action": "push", "payload": "{}"}"#, 400), (#"{"action": "settings", "value": "all off"}"#, 400),
    ]

    @Test(arguments: wrong) func `a wrong action is refused with its reason`(
        json: String, status: Int
    ) async throws {
        let (api, bench) = try await Self.api()
        let response = await Self.act(api, json)
        #expect(response.status == status)
        #expect(
            String(decoding: Self.body(response), as: UTF8.self).contains("allowed") || status == 404
                || status == 409
                || json.contains("push"))
        #expect(bench.phone.state.app(Bench.app)?.state == .active)
    }

    @Test func `pages from elsewhere are kept out`() async throws {
        let (api, _) = try await Self.api()
        for (name, value, status) in [
            ("origin", "http://evil.example", 403), ("host", "evil.example", 403),
            ("origin", "http://localhost.evil.example", 403), ("origin", "null", 403),
            ("origin", "http://localhost:8080", 200), ("host", "127.0.0.1:5", 200),
        ] {
            let request = HTTPRequest(
                path: "/phones", headers: HTTPHeaders([.init(name: name, value: value)]))
            #expect(await api.respond(to: request).status == status, "\(name): \(value)")
        }
        #expect(await api.respond(to: HTTPRequest(path: "/phones/2")).status == 404)
    }

    @Test func `events are streamed, and resumed where they ended`() async throws {
        let (api, bench) = try await Self.api()
        let server = PhoneServer(phones: api)
        try server.start()
        let client = HTTPClient()
        let reader = Mutex(ServerSentEventReader())
        let (events, continuation) = AsyncStream<ServerSentEventReader.Event>.makeStream()
        let url = server.url + "/phones/1/events"
        let streaming = Task {
            _ = try? await client.stream(
                HTTPClientRequest(url: url, headers: [.init(name: "Last-Event-ID", value: "2")])
            ) { piece in
                for event in reader.withLock({ $0.read(piece) }) ?? [] { continuation.yield(event) }
            }
        }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.id == "3")
        try await bench.push("Hello")
        var bodies: [String] = []
        while let event = await iterator.next() {
            let entry = try JSONDecoder().decode(JournalEntry.self, from: Data(event.data))
            #expect("\(entry.number)" == event.id)
            bodies.append(entry.text)
            if entry.event == .banner { break }
        }
        #expect(bodies.last == "Hello")
        streaming.cancel()
        await streaming.value
        await server.stop()
    }
}

@Suite struct PhoneActionTests {
    static let lines: [(line: String, action: PhoneAction)] = [
        ("tap", PhoneAction(.tap)), ("tap 3", PhoneAction(.tap, notification: 3)),
        ("tap #3", PhoneAction(.tap, notification: 3)),
        ("act 3 read", PhoneAction(.act, notification: 3, value: "read")),
        ("act read", PhoneAction(.act, value: "read")),
        ("act 3 reply I am here", PhoneAction(.act, notification: 3, value: "reply", text: "I am here")),
        ("reply 3 on my way", PhoneAction(.reply, notification: 3, text: "on my way")),
        ("reply on my way", PhoneAction(.reply, text: "on my way")),
        ("airplane on", PhoneAction(.airplane, value: "on")), ("lock", PhoneAction(.lock)),
        ("launch", PhoneAction(.open)), ("quit com.example.App", PhoneAction(.quit, app: "com.example.App")),
        ("settings banners off", PhoneAction(.settings, value: "banners off")),
        ("zone Europe/Paris", PhoneAction(.zone, value: "Europe/Paris")),
        ("advance 09:00", PhoneAction(.advance, value: "09:00")), ("turn-off", PhoneAction(.turnOff)),
    ]

    @Test(arguments: lines) func `a line is an action`(line: String, action: PhoneAction) throws {
        #expect(try PhoneAction(line: line) == action)
        let data = try JSONEncoder().encode(action)
        #expect(try JSONDecoder().decode(PhoneAction.self, from: data) == action)
    }

    @Test(arguments: ["", "fly", "tap three", "tap 3 4", "open a b", "Tap"]) func `other lines are refused`(
        _ line: String
    ) {
        let error = #expect(throws: PhoneError.self) { try PhoneAction(line: line) }
        #expect(error?.code == .value)
    }
}
