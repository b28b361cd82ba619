import APNs
import Testing
import UserNotifications

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct PermissionTests {
    @Test func `the question comes once, and lies over the app`() async throws {
        let bench = try await Bench()
        #expect(bench.phone.journal(.asked).count == 1)
        #expect(
            bench.story.take().filter { $0 == "resigns" || $0 == "active" } == [
                "active", "resigns", "active",
            ])
        try await bench.phone.terminate(Bench.app)
        try await bench.phone.open(Bench.app)
        #expect(bench.phone.journal(.asked).count == 1)
        #expect(bench.story.take().contains("granted true"))
    }

    @Test func `an app that is refused shows nothing, and may not ask again`() async throws {
        let bench = try await Bench(permission: .deny)
        #expect(bench.story.take().contains("granted false"))
        try await bench.bring(to: .suspended)
        try await bench.push("Hello", extra: ["badge": 1])
        #expect(bench.phone.state.banner == nil)
        #expect(bench.bodies == [])
        #expect(bench.phone.state.app(Bench.app)?.badge == 0)
        #expect(bench.phone.journal(.silent).count == 1)
        try await bench.phone.open(Bench.app)
        #expect(bench.phone.journal(.asked).count == 1)
    }

    @Test func `silent pushes need no permission`() async throws {
        let bench = try await Bench(permission: .deny)
        try await bench.bring(to: .suspended)
        try await bench.pushSilently(1)
        #expect(bench.story.take() == ["fetch background 1"])
    }

    @Test func `a closure decides by app and options`() async throws {
        let bench = try await Bench(
            permission: .ask { app, options in app == Bench.app && options.contains(.alert) })
        #expect(bench.story.take().contains("granted true"))
    }

    @Test(arguments: [true, false]) func `a question waits on the screen for the finger`(
        isAllowed: Bool
    ) async throws {
        let bench = try await Bench(permission: .wait)
        #expect(bench.phone.state.prompt?.app == Bench.app)
        #expect(bench.phone.state.app(Bench.app)?.state == .inactive)
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.phone.state.prompt != nil)
        try await bench.phone.answerPermission(isAllowed: isAllowed)
        #expect(bench.phone.state.prompt == nil)
        #expect(bench.story.take().contains("granted \(isAllowed)"))
        #expect(bench.phone.state.app(Bench.app)?.state == .active)
        let error = await #expect(throws: PhoneError.self) {
            try await bench.phone.answerPermission(isAllowed: true)
        }
        #expect(error?.code == .state)
    }

    @Test func `settings turn notifications off and on again`() async throws {
        let bench = try await Bench()
        try await bench.phone.changeSettings(of: Bench.app) { $0.allowsNotifications = false }
        #expect(bench.phone.state.front == nil)
        try await bench.push("Unseen")
        #expect(bench.bodies == [])
        try await bench.phone.changeSettings(of: Bench.app) { $0.allowsNotifications = true }
        try await bench.push("Seen")
        #expect(bench.bodies == ["Seen"])
        #expect(bench.phone.state.banner?.body == "Seen")
        _ = bench.story.take()
        try await bench.phone.open(Bench.app)
        #expect(bench.story.take() == ["enters foreground", "active"])
        let settings = try await bench.phone.notificationCenter(of: Bench.app).notificationSettings()
        #expect(settings.authorizationStatus == .authorized)
    }

    struct Part: Sendable {
        var name: String
        var change: @Sendable (inout AppSettings) -> Void
        var hasBanner = true
        var isListed = true
        var badge = 3
        var hasSound = true
    }

    static let parts: [Part] = [
        Part(name: "banners", change: { $0.banners = .none }, hasBanner: false),
        Part(name: "list", change: { $0.notificationCenter = false }, isListed: false),
        Part(name: "badges", change: { $0.badges = false }, badge: 0),
        Part(name: "sounds", change: { $0.sounds = false }, hasSound: false),
    ]

    @Test(arguments: parts) func `each switch of Settings turns off its part only`(_ part: Part) async throws
    {
        let bench = try await Bench()
        try await bench.bring(to: .suspended)
        try await bench.phone.changeSettings(of: Bench.app, part.change)
        try await bench.push("Hello", extra: ["badge": 3, "sound": "default"])
        #expect((bench.phone.state.banner != nil) == part.hasBanner)
        #expect((bench.bodies == ["Hello"]) == part.isListed)
        #expect(bench.phone.state.app(Bench.app)?.badge == part.badge)
        #expect(bench.phone.journal(.sound).isEmpty != part.hasSound)
    }

    @Test func `persistent banners stay, others go after five seconds`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .suspended)
        try await bench.push("Goes")
        await bench.phone.advance(by: .milliseconds(4_999))
        #expect(bench.phone.state.banner?.body == "Goes")
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.phone.state.banner == nil)
        #expect(bench.bodies == ["Goes"])
        try await bench.phone.changeSettings(of: Bench.app) { $0.banners = .persistent }
        try await bench.push("Stays")
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.phone.state.banner?.body == "Stays")
        try bench.phone.flickAway(try #require(bench.phone.state.banner).id)
        #expect(bench.bodies == ["Stays", "Goes"])
    }

    @Test func `provisional notifications are quiet, and ask to be kept`() async throws {
        let bench = try await Bench(behaviour: Behaviour(asks: [.alert, .sound, .badge, .provisional]))
        #expect(bench.phone.journal(.asked) == [])
        try await bench.bring(to: .suspended)
        await bench.phone.lock()
        try await bench.push("Hello", extra: ["sound": "default", "badge": 1])
        #expect(bench.phone.state.lockScreen == [])
        #expect(bench.phone.journal(.sound, .lit, .banner, .badge) == [])
        #expect(bench.phone.state.list.map(\.asksToKeep) == [true])
        try await bench.phone.keepNotifications(of: Bench.app)
        #expect(bench.phone.state.list.map(\.asksToKeep) == [false])
        #expect(bench.phone.state.app(Bench.app)?.settings.status == .authorized)
        try await bench.push("Still quiet")
        #expect(bench.phone.journal(.banner) == [])
        #expect(bench.bodies == ["Still quiet", "Hello"])
    }

    @Test func `provisional notifications can be turned off`() async throws {
        let bench = try await Bench(behaviour: Behaviour(asks: [.alert, .provisional]))
        try await bench.bring(to: .suspended)
        try await bench.push("Hello")
        try await bench.phone.turnOffNotifications(of: Bench.app)
        #expect(bench.phone.state.app(Bench.app)?.settings.status == .denied)
        try await bench.push("Not any more")
        #expect(bench.bodies == ["Hello"])
        let error = await #expect(throws: PhoneError.self) {
            try await bench.phone.keepNotifications(of: Bench.app)
        }
        #expect(error?.code == .state)
    }

    struct Deletion: Sendable {
        var policy: PhonePolicy.DecisionAfterUninstall
        var hours: Int
        var asksAgain: Bool
    }

    @Test(arguments: [
        Deletion(policy: .keptForADay, hours: 23, asksAgain: false),
        Deletion(policy: .keptForADay, hours: 25, asksAgain: true),
        Deletion(policy: .kept, hours: 9_000, asksAgain: false),
        Deletion(policy: .forgotten, hours: 0, asksAgain: true),
    ]) func `what is left of the decision after a deletion is a policy`(_ deletion: Deletion) async throws {
        var policy = PhonePolicy()
        policy.decisionAfterUninstall = deletion.policy
        let bench = try await Bench(policy: policy)
        try await bench.push("Gone with the app")
        try bench.phone.storage(of: Bench.app).setString("x", forKey: "key")
        try await bench.phone.uninstall(Bench.app)
        #expect(bench.phone.state.apps == [])
        #expect(bench.bodies == [])
        await bench.phone.advance(by: .seconds(deletion.hours * 3600))
        let story = bench.story
        try await bench.phone.install(TestApp.manifest) { TestApp(story: story, behaviour: Behaviour()) }
        try await bench.phone.open(Bench.app)
        #expect(bench.phone.journal(.asked).count == (deletion.asksAgain ? 2 : 1))
        #expect(try bench.phone.storage(of: Bench.app).string(forKey: "key") == nil)
    }

    @Test func `an app without the entitlement gets no token, one that is offline may try again`()
        async throws
    {
        var manifest = TestApp.manifest
        manifest.apsEnvironment = nil
        let bench = try await Bench(manifest: manifest)
        #expect(bench.story.take().contains("no token: no-entitlement"))
        #expect((RegistrationError(.noEntitlement, "") as NSError).code == 3000)

        let other = try await Bench(opens: false)
        await other.phone.setAirplane(true)
        try await other.phone.open(Bench.app)
        #expect(other.story.take().contains("no token: offline"))
        await other.phone.setAirplane(false)
        await other.phone.application(Bench.app)?.registerForRemoteNotifications()
        await other.phone.settle()
        #expect(other.story.take() == ["token"])
        #expect(await other.phone.app(TestApp.self)?.token?.count == 32)
    }
}
