import APNs
import Testing
import UserNotifications

@testable import VirtualPhone

/// Remote notifications by app state, on a whole phone: one test a row of Apple's table.
@Suite(.timeLimit(.minutes(5))) struct AppStateTests {
    static let quiet: [AppState] = [.background, .suspended, .notRunning]

    // MARK: Foreground

    @Test func `in front the delegate decides, and the system shows what it says`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .active)
        try await bench.push("Hello")
        #expect(bench.story.take() == ["present Hello"])
        #expect(bench.phone.state.banner?.body == "Hello")
    }

    @Test func `in front nothing is shown when the delegate wants nothing`() async throws {
        let bench = try await Bench(behaviour: Behaviour(presents: []))
        try await bench.bring(to: .active)
        try await bench.push("Hello", extra: ["badge": 3, "sound": "default"])
        #expect(bench.story.take() == ["present Hello"])
        #expect(bench.phone.state.banner == nil)
        #expect(bench.bodies == [])
        #expect(bench.phone.state.app(Bench.app)?.badge == 0)
        #expect(bench.phone.journal(.sound) == [])
    }

    @Test func `in front content-available is handed over beside it, without a limit of time`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .active)
        try await bench.push("Hello", extra: ["content-available": 1], custom: ["n": 4])
        #expect(Set(bench.story.take()) == ["present Hello", "fetch active 4"])
        #expect(bench.phone.journal(.fetched).map(\.text) == ["newData"])
    }

    @Test func `in front without a delegate the app hears of a visible push in the old way`() async throws {
        let bench = try await Bench(behaviour: Behaviour(hasDelegate: false))
        try await bench.bring(to: .active)
        try await bench.push("Hello", custom: ["n": 5])
        #expect(bench.story.take() == ["fetch active 5"])
    }

    // MARK: Background, suspended, not running

    @Test(arguments: quiet) func `elsewhere the system shows a visible push and calls nothing`(
        _ state: AppState
    ) async throws {
        let bench = try await Bench()
        try await bench.bring(to: state)
        try await bench.push("Hello", extra: ["badge": 2, "sound": "default"])
        #expect(bench.story.take() == [])
        #expect(bench.phone.state.banner?.body == "Hello")
        #expect(bench.phone.state.app(Bench.app)?.badge == 2)
        #expect(bench.phone.journal(.sound).map(\.text) == ["default"])
        #expect(bench.phone.state.app(Bench.app)?.state == state)
    }

    @Test(arguments: [AppState.background, .suspended]) func `a silent push wakes an app that is in memory`(
        _ state: AppState
    ) async throws {
        let bench = try await Bench()
        try await bench.bring(to: state)
        try await bench.pushSilently(7)
        #expect(bench.story.take() == ["fetch background 7"])
        #expect(bench.phone.state.app(Bench.app)?.state == state)
        #expect(bench.phone.state.list == [])
    }

    @Test func `a silent push starts an app that the system has ended, in the background`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .notRunning)
        try await bench.pushSilently(8)
        let story = bench.story.take()
        #expect(story.prefix(2) == ["launched background with a notification", "fetch background 8"])
        #expect(!story.contains("active"))
        #expect(bench.phone.state.app(Bench.app)?.state == .suspended)
    }

    @Test func `a silent push is dropped without the background mode`() async throws {
        var manifest = TestApp.manifest
        manifest.backgroundModes = []
        let bench = try await Bench(manifest: manifest)
        try await bench.bring(to: .suspended)
        try await bench.pushSilently(1)
        #expect(bench.story.take() == [])
        #expect(bench.phone.journal(.dropped).count == 1)
    }

    // MARK: Force-quit

    @Test func `an app that was swiped away is shown but not started until it is opened`() async throws {
        let bench = try await Bench()
        try await bench.phone.forceQuit(Bench.app)
        #expect(bench.story.take().suffix(3) == ["resigns", "in background", "terminates"])
        try await bench.push("Hello", extra: ["content-available": 1])
        try await bench.pushSilently(2)
        #expect(bench.story.take() == [])
        #expect(bench.phone.state.banner?.body == "Hello")
        #expect(bench.phone.journal(.dropped).count == 2)

        try await bench.phone.open(Bench.app)
        #expect(bench.story.take().first == "launched inactive")
        try await bench.bring(to: .suspended)
        try await bench.pushSilently(3)
        #expect(bench.story.take() == ["fetch background 3"])
    }

    @Test func `a restart of the phone lets an app be started that was swiped away`() async throws {
        let bench = try await Bench()
        try await bench.phone.forceQuit(Bench.app)
        await bench.phone.reboot()
        _ = bench.story.take()
        try await bench.pushSilently(4)
        #expect(
            bench.story.take().prefix(2) == ["launched background with a notification", "fetch background 4"])
    }

    @Test func `what is held for an app is lost when it is swiped away`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .suspended)
        await bench.phone.setLowPower(true)
        try await bench.pushSilently(1)
        try await bench.pushSilently(2)
        #expect(bench.phone.journal(.held).count == 2)
        try await bench.phone.forceQuit(Bench.app)
        await bench.phone.setLowPower(false)
        try await bench.phone.open(Bench.app)
        #expect(!bench.story.take().contains { $0.hasPrefix("fetch") })
    }

    @Test func `the newest of what is held is handed over when the app is opened`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .suspended)
        await bench.phone.setLowPower(true)
        try await bench.pushSilently(1)
        try await bench.pushSilently(2)
        #expect(bench.story.take() == [])
        try await bench.phone.open(Bench.app)
        #expect(bench.story.take() == ["enters foreground", "active", "fetch active 2"])
    }

    // MARK: Tapped

    @Test func `a tap brings a suspended app to the front and gives it the response while inactive`()
        async throws
    {
        let bench = try await Bench()
        try await bench.bring(to: .suspended)
        try await bench.push("Hello")
        try await bench.phone.tap(try #require(bench.phone.state.banner).id)
        #expect(bench.story.take() == ["enters foreground", "tap Hello", "active"])
        #expect(bench.phone.state.list == [])
    }

    @Test(arguments: [false, true]) func `a tap starts an app, with the notification in the launch options`(
        isForceQuit: Bool
    ) async throws {
        let bench = try await Bench()
        if isForceQuit {
            try await bench.phone.forceQuit(Bench.app)
        } else {
            try await bench.phone.terminate(Bench.app)
        }
        _ = bench.story.take()
        try await bench.push("Hello")
        try await bench.phone.tap(try #require(bench.phone.state.banner).id)
        // When the answers to what it asked for come, is another matter.
        let story = bench.story.take().filter { $0 != "granted true" && $0 != "token" }
        #expect(story == ["launched inactive with a notification", "tap Hello", "active"])
    }

    @Test func `an app that is opened by its icon gets no response and no launch options`() async throws {
        let bench = try await Bench()
        try await bench.bring(to: .notRunning)
        try await bench.push("Hello")
        try await bench.phone.open(Bench.app)
        let story = bench.story.take()
        #expect(story.first == "launched inactive")
        #expect(!story.contains { $0.hasPrefix("tap") })
        #expect(bench.bodies == ["Hello"])
    }

    @Test func `whether a tap calls the fetch handler again is a policy`() async throws {
        var policy = PhonePolicy()
        policy.fetchOnTap = .again
        let bench = try await Bench(policy: policy)
        try await bench.bring(to: .suspended)
        try await bench.push("Hello", extra: ["content-available": 1], custom: ["n": 6])
        try await bench.phone.tap(try #require(bench.phone.state.banner).id)
        #expect(
            bench.story.take() == [
                "fetch background 6", "enters foreground", "tap Hello", "active", "fetch active 6",
            ])
    }

    // MARK: 30 s

    @Test func `an app that takes longer than 30 s in the background is terminated`() async throws {
        let bench = try await Bench(
            behaviour: Behaviour(fetch: { application in
                try? await application.sleep(seconds: 60)
                return .newData
            }))
        try await bench.bring(to: .suspended)
        try await bench.pushSilently(1)
        #expect(bench.phone.state.app(Bench.app)?.state == .background)
        await bench.phone.advance(by: .seconds(29))
        #expect(bench.phone.state.app(Bench.app)?.state == .background)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.state.app(Bench.app)?.state == .notRunning)
        #expect(bench.phone.state.app(Bench.app)?.lastEnd == .system)
        #expect(bench.phone.journal(.fetchExpired).count == 1)
    }

    @Test func `an app that is done in time is suspended, not terminated`() async throws {
        let bench = try await Bench(
            behaviour: Behaviour(fetch: { application in
                try? await application.sleep(seconds: 29)
                return .noData
            }))
        try await bench.bring(to: .suspended)
        try await bench.pushSilently(1)
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.state.app(Bench.app)?.state == .suspended)
        #expect(bench.phone.journal(.fetched).map(\.text) == ["noData"])
    }

    @Test func `in front there is no limit of time`() async throws {
        let bench = try await Bench(
            behaviour: Behaviour(fetch: { application in
                try? await application.sleep(seconds: 600)
                return .newData
            }))
        try await bench.pushSilently(1)
        await bench.phone.advance(by: .seconds(700))
        #expect(bench.phone.state.app(Bench.app)?.state == .active)
        #expect(bench.phone.journal(.fetched).map(\.text) == ["newData"])
    }
}
