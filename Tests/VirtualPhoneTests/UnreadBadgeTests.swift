import APNs
import BelfryKit
import Testing
import UserNotifications
import VirtualPhone

/// The number on the icon on a whole phone, whose older property empties the list with 0 as iOS does.
@Suite(.timeLimit(.minutes(5))) struct UnreadBadgeTests {
    final class App: BelfryApp {
        nonisolated static let manifest = AppManifest(bundleIdentifier: "com.example.Badge", name: "Badge")
        let policy: BadgePolicy
        var belfry: Belfry?
        private(set) var events: [String] = []

        required convenience init() { self.init(.manual) }
        init(_ policy: BadgePolicy) { self.policy = policy }

        func makeBelfry(_ application: Application) -> Belfry {
            let belfry = Belfry(
                service: nil, application: application, badgePolicy: policy,
                hooks: Belfry.Hooks(reminders: Reminders(application: application)))
            belfry.onEvent { [weak self] event in
                if case .openedByIcon(let badge) = event { self?.events.append("icon \(badge)") }
            }
            return belfry
        }
    }

    private struct Bench {
        let phone: VirtualPhone
        static let app = App.manifest.bundleIdentifier

        init(_ policy: BadgePolicy, zero: ZeroBadgePolicy = .keepsDelivered) async throws {
            var choices = PhonePolicy()
            choices.notifications.zeroBadge = zero
            phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "Asia/Shanghai", policy: choices)
            try await phone.install(App.manifest) { App(policy) }
            try await phone.open(Self.app)
            _ = try await belfry.permission.request()
            await phone.goHome()
        }

        var belfry: Belfry { get async throws { try #require(await phone.app(App.self)?.belfry) } }
        var number: Int? { phone.state.app(Self.app)?.badge }
        var list: [String] { phone.state.list.map(\.body) }

        func push(_ body: String, thread: String? = nil, badge: Int64? = nil) async throws {
            var aps: [String: JSONValue] = ["alert": .string(body)]
            if let thread { aps["thread-id"] = .string(thread) }
            if let badge { aps["badge"] = .integer(badge) }
            try await phone.push(.object(["aps": .object(aps)]), to: Self.app)
        }
    }

    @Test func `what is marked twice counts once, and reading it takes it away`() async throws {
        let bench = try await Bench(.manual)
        let badge = try await bench.belfry.badge
        await badge.markUnread("a")
        await badge.markUnread("a")
        await badge.markUnread("b")
        #expect(bench.number == 2 && badge.unreadKeys == ["a", "b"])
        await badge.markRead("a")
        await badge.markRead("never marked")
        #expect(bench.number == 1)
        // Another process of the app knows it.
        try await bench.phone.terminate(Bench.app)
        try await bench.phone.open(Bench.app)
        #expect(try await bench.belfry.badge.unreadKeys == ["b"])
        try await bench.belfry.badge.replaceUnread(with: ["c", "d", "e"])
        #expect(bench.number == 3)
    }

    @Test(arguments: ZeroBadgePolicy.allCases, [false, true])
    func `a number of 0 and the list are two things, whatever the system couples`(
        zero: ZeroBadgePolicy, removes: Bool
    ) async throws {
        let bench = try await Bench(.manual, zero: zero)
        try await bench.push("one", badge: 2)
        try await bench.push("two")
        #expect(bench.number == 2 && bench.list == ["two", "one"])
        try await bench.belfry.badge.clear(removingDelivered: removes)
        await bench.phone.settle()
        #expect(bench.number == 0)
        #expect(bench.list == (removes ? [] : ["two", "one"]))
    }

    @Test func `reading a conversation takes its notifications away, and leaves the others`() async throws {
        let bench = try await Bench(.unread)
        try await bench.push("Ann: hello", thread: "ann", badge: 1)
        try await bench.push("Ann: are you there?", thread: "ann", badge: 1)
        try await bench.push("Bob: hi", thread: "bob", badge: 2)
        #expect(bench.number == 2)
        try await bench.belfry.badge.markRead("ann", removingDelivered: true)
        await bench.phone.settle()
        #expect(bench.list == ["Bob: hi"] && bench.number == 1)
    }

    @Test func `by the list the number is what is in it: cleared, answered or new`() async throws {
        let bench = try await Bench(.unread)
        // Pushes whose service cannot count: the number only grows there.
        try await bench.push("one", badge: 7)
        try await bench.push("two", badge: 8)
        try await bench.push("three", badge: 9)
        #expect(bench.number == 9)
        try await bench.phone.open(Bench.app)
        #expect(bench.number == 3)
        #expect(await bench.phone.app(App.self)?.events.last == "icon 9", "the app heard of it first")
        await bench.phone.goHome()
        try await bench.phone.dismiss(try #require(bench.phone.state.list.first).id)
        try await bench.phone.open(Bench.app)
        #expect(bench.number == 2)
        await bench.phone.goHome()
        try await bench.phone.tap(try #require(bench.phone.state.list.first).id)
        #expect(bench.number == 1)
    }

    @Test func `opening the app clears the number and not the list, where that is chosen`() async throws {
        let bench = try await Bench(.clearedOnActivation)
        try await bench.push("one", badge: 3)
        try await bench.phone.open(Bench.app)
        #expect(bench.number == 0 && bench.list == ["one"])
        #expect(await bench.phone.app(App.self)?.events == ["icon 3"])
    }

    @Test func `opening the app leaves the number alone by default`() async throws {
        let bench = try await Bench(.manual)
        try await bench.push("one", badge: 3)
        try await bench.phone.open(Bench.app)
        #expect(bench.number == 3)
    }

    @Test func `who signs out leaves no number behind`() async throws {
        let bench = try await Bench(.unread)
        try await bench.belfry.badge.markUnread("a")
        try await bench.push("one", badge: 5)
        try await bench.belfry.signOut()
        await bench.phone.settle()
        #expect(bench.number == 0 && bench.list == [])
        #expect(try await bench.belfry.badge.unreadKeys == [])
    }
}
