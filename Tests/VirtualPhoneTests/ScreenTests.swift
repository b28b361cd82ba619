import APNs
import Testing
import UserNotifications

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct ScreenTests {
    static let message = UNNotificationCategory(
        identifier: "message",
        actions: [
            UNTextInputNotificationAction(
                identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
                textInputPlaceholder: "Message"),
            UNNotificationAction(identifier: "read", title: "Mark as Read", options: []),
            UNNotificationAction(identifier: "show", title: "Show", options: [.foreground]),
            UNNotificationAction(identifier: "pay", title: "Pay", options: [.authenticationRequired]),
        ], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "A message", options: [.customDismissAction])

    static func bench(_ state: AppState = .suspended) async throws -> Bench {
        let bench = try await Bench(behaviour: Behaviour(categories: [message]))
        try await bench.bring(to: state)
        return bench
    }

    // MARK: Lock screen

    @Test func `on a locked phone the screen lights up and there is no banner`() async throws {
        let bench = try await Self.bench()
        await bench.phone.lock()
        try await bench.push("Hello", extra: ["sound": "bell.wav"])
        #expect(bench.phone.state.banner == nil)
        #expect(bench.phone.state.lockScreen.map(\.body) == ["Hello"])
        #expect(bench.phone.journal(.lit).count == 1)
        #expect(bench.phone.journal(.sound).map(\.text) == ["bell.wav"])
        await bench.phone.unlock()
        #expect(bench.phone.state.lockScreen == [])
        #expect(bench.bodies == ["Hello"])
    }

    @Test func `locking sends the app in front to the background, unlocking brings it back`() async throws {
        let bench = try await Self.bench(.active)
        await bench.phone.lock()
        #expect(bench.story.take() == ["resigns", "in background"])
        try await bench.push("Hello")
        #expect(bench.story.take() == [])
        await bench.phone.unlock()
        #expect(bench.story.take() == ["enters foreground", "active"])
        #expect(bench.phone.state.app(Bench.app)?.state == .active)
    }

    @Test func `a tap on the lock screen unlocks a phone that knows the face, and is refused by another`()
        async throws
    {
        let bench = try await Self.bench()
        await bench.phone.lock()
        try await bench.push("Hello")
        let id = try #require(bench.phone.state.lockScreen.first).id
        bench.phone.setUnlocksByFace(false)
        let error = await #expect(throws: PhoneError.self) { try await bench.phone.tap(id) }
        #expect(error?.code == .state)
        #expect(bench.phone.state.lockScreen.count == 1)
        bench.phone.setUnlocksByFace(true)
        try await bench.phone.tap(id)
        #expect(bench.story.take() == ["enters foreground", "tap Hello", "active"])
        #expect(!bench.phone.isLocked)
    }

    @Test func `an action without options works on a locked phone, one that needs the owner does not`()
        async throws
    {
        let bench = try await Self.bench(.notRunning)
        await bench.phone.lock()
        bench.phone.setUnlocksByFace(false)
        try await bench.push("Hello", extra: ["category": "message"])
        let id = try #require(bench.phone.state.lockScreen.first).id
        for action in ["show", "pay"] {
            let error = await #expect(throws: PhoneError.self) {
                try await bench.phone.act(id, action: action)
            }
            #expect(error?.code == .state)
        }
        try await bench.phone.act(id, action: "read")
        #expect(
            bench.story.take().filter { $0 != "granted true" && $0 != "token" } == [
                "launched background", "read Hello",
            ]
                || bench.story.all.isEmpty)
        #expect(bench.phone.isLocked)
    }

    @Test func `previews are hidden on a locked phone when the user says so`() async throws {
        let bench = try await Self.bench()
        try await bench.phone.changeSettings(of: Bench.app) { $0.previews = .whenUnlocked }
        await bench.phone.lock()
        try await bench.push("Secret", extra: ["category": "message"])
        try await bench.push("Secret")
        #expect(bench.phone.state.lockScreen.map(\.body) == ["Notification", "A message"])
        await bench.phone.unlock()
        #expect(bench.bodies == ["Secret", "Secret"])
    }

    // MARK: Finger

    @Test func `a reply reaches the app in the background, with its text`() async throws {
        let bench = try await Self.bench()
        try await bench.push("How are you?", extra: ["category": "message"])
        let banner = try #require(bench.phone.state.banner)
        #expect(banner.actions.map(\.title) == ["Reply", "Mark as Read", "Show", "Pay"])
        #expect(banner.actions.first?.placeholder == "Message")
        try await bench.phone.act(banner.id, action: "reply", text: "Fine")
        #expect(bench.story.take() == ["reply How are you? 'Fine'"])
        #expect(bench.phone.state.front == nil)
        #expect(bench.phone.state.app(Bench.app)?.state == .suspended)
    }

    @Test func `an action starts an app that was swiped away`() async throws {
        let bench = try await Self.bench(.active)
        try await bench.phone.forceQuit(Bench.app)
        _ = bench.story.take()
        try await bench.push("Hello", extra: ["category": "message"])
        try await bench.phone.act(try #require(bench.phone.state.banner).id, action: "read")
        let story = bench.story.take()
        #expect(story.contains("launched background"))
        #expect(story.contains("read Hello"))
        #expect(!story.contains("active"))
    }

    @Test func `clearing is told to apps whose category wants it, flicking a banner away is not`()
        async throws
    {
        let bench = try await Self.bench()
        try await bench.push("Wants it", extra: ["category": "message"])
        try bench.phone.flickAway(try #require(bench.phone.state.banner).id)
        #expect(bench.story.take() == [])
        try await bench.push("Does not")
        await bench.phone.clearAll()
        #expect(bench.story.take() == ["dismiss Wants it"])
        #expect(bench.phone.state.list == [])
        #expect(try await bench.phone.notificationCenter(of: Bench.app).deliveredNotifications() == [])
    }

    @Test func `what is not there cannot be touched`() async throws {
        let bench = try await Self.bench()
        try await bench.push("Hello", extra: ["category": "message"])
        let id = try #require(bench.phone.state.banner).id
        let unknown = await #expect(throws: PhoneError.self) { try await bench.phone.tap(99) }
        #expect(unknown?.message == "found notification 99, allowed: \(id)")
        let action = await #expect(throws: PhoneError.self) { try await bench.phone.act(id, action: "pray") }
        #expect(action?.message.contains("allowed: reply, read, show, pay") == true)
        let app = await #expect(throws: PhoneError.self) { try await bench.phone.open("com.example.None") }
        #expect(app?.code == .app)
        await bench.phone.advance(by: .seconds(10))
        let banner = #expect(throws: PhoneError.self) { try bench.phone.flickAway(id) }
        #expect(banner?.code == .notification)
        try await bench.phone.tap(id)
        let twice = await #expect(throws: PhoneError.self) { try await bench.phone.tap(id) }
        #expect(twice?.code == .notification)
    }

    // MARK: List

    @Test func `the list is grouped by app and thread, the newest first`() async throws {
        let bench = try await Self.bench()
        for (thread, body) in [("a", "1"), ("b", "2"), ("a", "3"), ("", "4")] {
            try await bench.push(body, extra: ["thread-id": .string(thread)])
        }
        let groups = bench.phone.state.groups
        #expect(groups.map(\.threadIdentifier) == ["", "a", "b"])
        #expect(groups.map { $0.notifications.map(\.body) } == [["4"], ["3", "1"], ["2"]])
    }

    @Test func `the same collapse id takes the place of the first, with a new banner`() async throws {
        let bench = try await Self.bench()
        try await bench.push("1 : 0", collapseID: "score")
        try await bench.push("Other")
        try await bench.push("2 : 0", collapseID: "score")
        #expect(bench.bodies == ["2 : 0", "Other"])
        #expect(bench.phone.state.banner?.body == "2 : 0")
        #expect(bench.phone.journal(.banner).count == 3)
    }

    @Test func `badges are absolute, and the app takes its notifications back`() async throws {
        let bench = try await Self.bench()
        try await bench.push("1", extra: ["badge": 5])
        try await bench.push("2")
        #expect(bench.phone.state.app(Bench.app)?.badge == 5)
        try await bench.phone.push(["aps": ["badge": 0]], to: Bench.app)
        #expect(bench.phone.state.app(Bench.app)?.badge == 0)
        #expect(bench.bodies == ["2", "1"])
        let center = try bench.phone.notificationCenter(of: Bench.app)
        let first = try #require(await center.deliveredNotifications().first)
        center.removeDeliveredNotifications(withIdentifiers: [first.request.identifier])
        await bench.phone.settle()
        #expect(bench.bodies == ["2"])
        try await bench.phone.open(Bench.app)
        await bench.phone.application(Bench.app)?.applicationIconBadgeNumber = 0
        await bench.phone.settle()
        #expect(bench.bodies == [])
    }

    @Test func `texts are looked up in the phone's language when they are shown`() async throws {
        var manifest = TestApp.manifest
        manifest.strings = [
            "en": ["GOAL": "Goal for %@", "HELLO": "Hello"], "zh-Hans": ["GOAL": "%@ 进球了"],
        ]
        let bench = try await Bench(manifest: manifest)
        try await bench.bring(to: .suspended)
        bench.phone.setLanguage("zh-Hans-CN")
        try await bench.phone.push(
            ["aps": ["alert": ["loc-key": "GOAL", "loc-args": ["Ada"]]]], to: Bench.app)
        #expect(bench.phone.state.banner?.body == "Ada 进球了")
        bench.phone.setLanguage("fr")
        #expect(bench.phone.state.banner?.body == "Goal for Ada")
    }

    // MARK: Focus, mute

    @Test func `a Focus holds back banner and sound, time-sensitive ones come through`() async throws {
        let bench = try await Self.bench()
        bench.phone.setFocus(Focus("Sleep"))
        try await bench.push("Quiet", extra: ["sound": "default"])
        #expect(bench.phone.state.banner == nil)
        #expect(bench.phone.journal(.sound) == [])
        #expect(bench.bodies == ["Quiet"])
        try await bench.push("Now", extra: ["interruption-level": "time-sensitive", "sound": "default"])
        #expect(bench.phone.state.banner?.body == "Now")
        #expect(bench.phone.journal(.sound).count == 1)
        bench.phone.setFocus(Focus("Work", allowedApps: [Bench.app]))
        try await bench.push("Allowed")
        #expect(bench.phone.state.banner?.body == "Allowed")
        bench.phone.setFocus(nil)
        try await bench.push("Free")
        #expect(bench.phone.state.banner?.body == "Free")
    }

    @Test func `mute silences, but not a critical alert of an app that may send them`() async throws {
        var manifest = TestApp.manifest
        manifest.isCriticalAlertEntitled = true
        let bench = try await Bench(
            behaviour: Behaviour(asks: [.alert, .sound, .criticalAlert]), manifest: manifest)
        try await bench.bring(to: .suspended)
        bench.phone.setMuted(true)
        try await bench.push("Silent", extra: ["sound": "default"])
        #expect(bench.phone.state.banner?.body == "Silent")
        #expect(bench.phone.journal(.sound) == [])
        bench.phone.setFocus(Focus())
        try await bench.push(
            "Alarm",
            extra: [
                "interruption-level": "critical", "sound": ["critical": 1, "name": "siren.wav", "volume": 1],
            ])
        #expect(bench.phone.state.banner?.body == "Alarm")
        #expect(bench.phone.journal(.sound).map(\.text) == ["siren.wav"])
    }

    @Test func `passive ones are listed without light, sound and banner`() async throws {
        let bench = try await Self.bench()
        await bench.phone.lock()
        try await bench.push("Passive", extra: ["interruption-level": "passive", "sound": "default"])
        #expect(bench.phone.state.lockScreen.map(\.body) == ["Passive"])
        #expect(bench.phone.journal(.lit, .sound, .banner) == [])
    }
}
