import APNs
import BelfryKit
import Chat
import Synchronization
import Testing
import VirtualPhone

final class ChatApp: BelfryApp {
    /// The chat's own server.
    final class Server: Sendable {
        private let contents = Mutex((sent: [String](), missed: [ChatLine](), isDown: false))
        var sent: [String] { contents.withLock { $0.sent } }
        var missed: [ChatLine] { contents.withLock { $0.missed } }
        func setMissed(_ lines: [ChatLine]) { contents.withLock { $0.missed = lines } }
        func setDown(_ isDown: Bool) { contents.withLock { $0.isDown = isDown } }
        func take(_ text: String, _ conversation: String) -> Bool {
            contents.withLock { contents in
                if !contents.isDown { contents.sent.append("\(conversation): \(text)") }
                return !contents.isDown
            }
        }
    }

    static let manifest = AppManifest(
        bundleIdentifier: "com.example.Chat", name: "Chat", backgroundModes: [.remoteNotification])
    var belfry: Belfry?
    var inbox: ChatInbox?
    private let server: Server

    init() { server = Server() }
    init(_ server: Server) { self.server = server }

    func makeBelfry(_ application: Application) -> Belfry {
        let belfry = Belfry(
            service: RecordingService.address, application: application, transport: RecordingService())
        let server = server
        inbox = ChatInbox(
            belfry: belfry, send: { server.take($0, $1) }, fetchMissed: { server.missed })
        return belfry
    }
}

@Suite(.timeLimit(.minutes(5))) struct ChatTests {
    private static let app = ChatApp.manifest.bundleIdentifier
    private let server = ChatApp.Server()

    enum Place: String, CaseIterable {
        case foreground, background, suspended, notRunning, forceQuit, locked
    }

    private func phone(in place: Place = .foreground) async throws -> VirtualPhone {
        let phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "Asia/Shanghai")
        let server = server
        try await phone.install(ChatApp.manifest) { ChatApp(server) }
        try await phone.open(Self.app)
        _ = try await phone.app(ChatApp.self)?.belfry?.permission.request()
        switch place {
        case .foreground: break
        case .background: await phone.goHome()
        case .suspended:
            await phone.goHome()
            await phone.advance(by: .seconds(10))
        case .notRunning:
            await phone.goHome()
            try await phone.terminate(Self.app)
        case .forceQuit: try await phone.forceQuit(Self.app)
        case .locked: await phone.lock()
        }
        return phone
    }

    private func push(
        _ text: String, id: String, to phone: VirtualPhone, aps more: [String: JSONValue] = [:]
    ) async throws {
        var aps: [String: JSONValue] = ["alert": .string(text), "category": "message"]
        aps.merge(more) { $1 }
        try await phone.push(["aps": .object(aps), "id": .string(id)], to: Self.app)
    }

    private func inbox(_ phone: VirtualPhone) async throws -> ChatInbox {
        try #require(await phone.app(ChatApp.self)?.inbox)
    }

    @Test(arguments: Place.allCases)
    func `"Ann: Are you there?" is shown, and its tap opens the conversation, wherever the app is`(
        place: Place
    ) async throws {
        let phone = try await phone(in: place)
        try await push("Ann: Are you there?", id: "1", to: phone)
        #expect(phone.shownTexts == ["Ann: Are you there?"])
        try await phone.tap(try #require(phone.state.list.first).id)
        let inbox = try await inbox(phone)
        #expect(await inbox.openConversation == "Ann")
        #expect(await inbox.texts("Ann") == ["Are you there?"])
        #expect(phone.state.front == Self.app)
    }

    @Test(arguments: Place.allCases)
    func `a reply is sent without opening the app`(place: Place) async throws {
        let phone = try await phone(in: place)
        let front = phone.state.front
        try await push("Ann: Are you there?", id: "1", to: phone)
        try await phone.act(
            try #require(phone.state.list.first).id, action: "reply", text: "On my way")
        #expect(server.sent == ["Ann: On my way"])
        #expect(try await inbox(phone).texts("Ann") == ["Are you there?", "On my way"])
        #expect(phone.state.front == front)
    }

    @Test func `the conversation on the screen is quiet, others are not`() async throws {
        let phone = try await phone()
        let inbox = try await inbox(phone)
        await inbox.open("Ann")
        try await push("Ann: Look up", id: "1", to: phone)
        #expect(phone.shownTexts == [])
        #expect(await inbox.texts("Ann") == ["Look up"])
        try await push("Bob: Me too", id: "2", to: phone)
        #expect(phone.shownTexts == ["Bob: Me too"])
        await inbox.close()
        try await push("Ann: Still there?", id: "3", to: phone)
        #expect(phone.shownTexts == ["Bob: Me too", "Ann: Still there?"])
    }

    @Test func `a message that comes by two ways stands there once`() async throws {
        let phone = try await phone(in: .suspended)
        try await push("Ann: Hi", id: "1", to: phone, aps: ["content-available": 1])
        #expect(try await inbox(phone).texts("Ann") == ["Hi"])
        try await phone.tap(try #require(phone.state.list.first).id)
        #expect(try await inbox(phone).texts("Ann") == ["Hi"])
    }

    @Test func `opened by its icon with a badge on it, the app fetches what it missed`() async throws {
        let phone = try await phone(in: .forceQuit)
        server.setMissed([ChatLine(id: "1", conversation: "Ann", text: "Hi")])
        try await push("Ann: Hi", id: "1", to: phone, aps: ["badge": 1])
        try await phone.open(Self.app)
        let inbox = try await inbox(phone)
        #expect(await inbox.texts("Ann") == ["Hi"])
        #expect(await inbox.openConversation == nil)
    }

    @Test func `a reply that does not go through is kept for the user to see`() async throws {
        let phone = try await phone(in: .locked)
        server.setDown(true)
        try await push("Ann: Hi", id: "1", to: phone)
        try await phone.act(try #require(phone.state.list.first).id, action: "reply", text: "Hello")
        #expect(server.sent == [])
        #expect(try await inbox(phone).unsent.map(\.text) == ["Hello"])
    }

    @Test(arguments: ["Meeting at 09:30", "https://example.com", "No colon here"])
    func `a push that names no sender is no message`(text: String) async throws {
        let phone = try await phone(in: .suspended)
        try await push(text, id: "1", to: phone)
        #expect(phone.shownTexts == [text])
        try await phone.tap(try #require(phone.state.list.first).id)
        #expect(try await inbox(phone).openConversation == nil)
        #expect(try await inbox(phone).lines == [])
    }
}
