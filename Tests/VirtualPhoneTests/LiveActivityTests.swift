import APNs
import APNsClient
import Foundation
import Recurrence
import Synchronization
import Testing

@testable import VirtualPhone

/// Live Activities on the lock screen, started and changed by an app and by pushes.
@Suite(.timeLimit(.minutes(5))) struct LiveActivityTests {
    static let app = "com.example.Pizza"

    final class App: PhoneApp {
        nonisolated static let manifest = AppManifest(bundleIdentifier: LiveActivityTests.app, name: "Pizza")
        let story: Story
        private(set) var startToken: Data?
        private(set) var tokens: [String: Data] = [:]

        required convenience init() { self.init(Story()) }
        init(_ story: Story) { self.story = story }

        func application(
            _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
        ) -> Bool {
            story.add("launched \(application.applicationState.name)")
            application.registerForRemoteNotifications()
            return true
        }
        func application(
            _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            application.registerForLiveActivityStarts()
        }
        func application(_ application: Application, didUpdateLiveActivityStartToken token: Data) {
            startToken = token
        }
        func application(
            _ application: Application, didUpdateToken token: Data, ofLiveActivity identifier: String
        ) {
            story.add("token")
            tokens[identifier] = token
        }
    }

    struct Bench {
        let phone: VirtualPhone
        let story = Story()

        init(
            policy: PhonePolicy = PhonePolicy(), isFrequent: Bool = false, link: (any PushLink)? = nil
        ) async throws {
            phone = try VirtualPhone(at: "2027-03-01T12:00", zone: "UTC", policy: policy)
            if let link { try await phone.connect(link) }
            var manifest = App.manifest
            manifest.supportsFrequentUpdates = isFrequent
            let story = story
            try await phone.install(manifest) { App(story) }
            try await phone.open(LiveActivityTests.app)
        }

        var shown: [PhoneLiveActivity] { phone.state.liveActivities }
        var now: Int64 { phone.now.secondsSince1970 }

        func start() async throws -> String {
            let application = try #require(await phone.application(LiveActivityTests.app))
            let identifier = try application.startLiveActivity(
                attributesType: "Order", attributes: ["number": 7], contentState: ["minutes": 30])
            await phone.settle()
            return identifier
        }

        func push(
            _ event: String, _ content: JSONValue? = ["minutes": 10], at timestamp: Int64? = nil,
            activity: String? = nil, priority: Priority = .high, with more: [String: JSONValue] = [:]
        ) async throws {
            var aps: [String: JSONValue] = [
                "event": .string(event), "timestamp": .integer(timestamp ?? now),
            ]
            aps["content-state"] = content
            aps.merge(more) { $1 }
            try await phone.pushLiveActivity(
                ["aps": .object(aps)], to: LiveActivityTests.app, activity: activity, priority: priority)
        }

        static let startKeys: [String: JSONValue] = [
            "attributes-type": "Order", "attributes": ["number": 8],
            "alert": ["title": "Order", "body": "On its way", "sound": "ding.caf"],
        ]
    }

    @Test func `an app starts one, a push changes it and ends it, and it leaves after four hours`()
        async throws
    {
        let bench = try await Bench()
        let identifier = try await bench.start()
        #expect(bench.shown.map(\.identifier) == [identifier])
        #expect(bench.shown.first?.contentState == ["minutes": 30] && bench.shown.first?.state == .active)
        try await bench.push("update")
        #expect(bench.shown.first?.contentState == ["minutes": 10])
        try await bench.push("end", ["minutes": 0])
        #expect(bench.shown.first?.state == .ended && bench.shown.first?.contentState == ["minutes": 0])
        try await bench.push("update", ["minutes": 99], activity: identifier)
        #expect(bench.shown.first?.contentState == ["minutes": 0], "after its end pushes are ignored")
        await bench.phone.advance(by: .seconds(4 * 3600 - 1))
        #expect(bench.shown.count == 1)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.shown == [])
        #expect(
            bench.phone.journal(.activityStarted, .activityUpdated, .activityEnded, .activityGone).map(
                \.event)
                == [.activityStarted, .activityUpdated, .activityEnded, .activityGone])
    }

    @Test(arguments: [(-60, 0), (0, 0), (600, 600), (5 * 3600, 4 * 3600)] as [(Int64, Int64)])
    func `the dismissal date counts within four hours`(date: Int64, staysFor: Int64) async throws {
        let bench = try await Bench()
        _ = try await bench.start()
        try await bench.push("end", nil, with: ["dismissal-date": .integer(bench.now + date)])
        #expect(bench.shown.isEmpty == (staysFor == 0))
        guard staysFor > 0 else { return }
        await bench.phone.advance(by: .seconds(staysFor - 1))
        #expect(bench.shown.count == 1)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.shown == [])
    }

    @Test func `what is stale says so, and an update makes it fresh`() async throws {
        let bench = try await Bench()
        _ = try await bench.start()
        try await bench.push("update", with: ["stale-date": .integer(bench.now + 300)])
        await bench.phone.advance(by: .seconds(299))
        #expect(bench.shown.first?.state == .active)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.shown.first?.state == .stale && bench.phone.journal(.activityStale).count == 1)
        try await bench.push("update", ["minutes": 5])
        #expect(bench.shown.first?.state == .active)
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.shown.first?.state == .active, "the new content has no stale date")
    }

    @Test func `the newest timestamp wins, whatever comes last`() async throws {
        let bench = try await Bench()
        _ = try await bench.start()
        let now = bench.now
        try await bench.push("update", ["minutes": 2], at: now + 20)
        try await bench.push("update", ["minutes": 3], at: now + 10)
        #expect(bench.shown.first?.contentState == ["minutes": 2])
        #expect(bench.phone.journal(.dropped).last?.text.contains("older") == true)
    }

    @Test func `after eight hours the system ends it`() async throws {
        let bench = try await Bench()
        _ = try await bench.start()
        await bench.phone.advance(by: .seconds(8 * 3600))
        #expect(bench.shown.first?.state == .ended)
        await bench.phone.advance(by: .seconds(4 * 3600))
        #expect(bench.shown == [])
    }

    @Test func `a push starts one and wakes the app, which hears of its token`() async throws {
        let bench = try await Bench()
        await bench.phone.goHome()
        try await bench.phone.terminate(Self.app)
        await bench.phone.lock()
        _ = bench.story.take()
        try await bench.push("start", with: Bench.startKeys)
        #expect(bench.shown.first?.attributes == ["number": 8])
        #expect(bench.story.take() == ["launched background", "token"])
        #expect(bench.phone.journal(.lit, .sound).map(\.event) == [.lit, .sound])
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.state.app(Self.app)?.state == .suspended)
    }

    @Test(arguments: [false, true])
    func `pushes of priority 10 have an hourly budget, those of 5 have none`(isFrequent: Bool) async throws {
        var policy = PhonePolicy()
        policy.liveActivityBudget = 3
        policy.liveActivityFrequentBudget = 5
        let bench = try await Bench(policy: policy, isFrequent: isFrequent)
        _ = try await bench.start()
        for number in 1...8 {
            await bench.phone.advance(by: .seconds(1))
            try await bench.push("update", ["n": .integer(Int64(number))])
        }
        #expect(bench.shown.first?.contentState == ["n": .integer(isFrequent ? 5 : 3)])
        try await bench.push("update", ["n": 100], priority: .normal)
        #expect(bench.shown.first?.contentState == ["n": 100])
        await bench.phone.advance(by: .seconds(3600))
        try await bench.push("update", ["n": 101])
        #expect(bench.shown.first?.contentState == ["n": 101])
    }

    @Test func `the most relevant is first, of equal ones the first that began`() async throws {
        let bench = try await Bench()
        let first = try await bench.start()
        let second = try await bench.start()
        #expect(bench.shown.map(\.identifier) == [first, second])
        try await bench.push("update", activity: second, with: ["relevance-score": 50])
        #expect(bench.shown.map(\.identifier) == [second, first])
    }

    @Test func `an app in the background starts none, and one whose switch is off has none`() async throws {
        let bench = try await Bench()
        _ = try await bench.start()
        await bench.phone.goHome()
        let application = try #require(await bench.phone.application(Self.app))
        #expect(throws: PhoneError.self) {
            try application.startLiveActivity(attributesType: "Order", contentState: [:])
        }
        try bench.phone.setLiveActivities(false, for: Self.app)
        #expect(bench.shown == [])
        try await bench.push("start", with: Bench.startKeys)
        #expect(bench.shown == [])
        try bench.phone.setLiveActivities(true, for: Self.app)
        try await bench.push("start", with: Bench.startKeys)
        #expect(bench.shown.count == 1)
        try bench.phone.dismissLiveActivity(try #require(bench.shown.first).id)
        #expect(bench.shown == [] && application.liveActivities == [])
        #expect(throws: PhoneError.self) { try bench.phone.dismissLiveActivity(1) }
    }

    @Test func `an app changes and ends its own`() async throws {
        let bench = try await Bench()
        let identifier = try await bench.start()
        let application = try #require(await bench.phone.application(Self.app))
        try application.updateLiveActivity(
            identifier, contentState: ["minutes": 4], staleDate: bench.phone.now.advanced(bySeconds: 60))
        await bench.phone.advance(by: .seconds(60))
        #expect(application.liveActivities.first?.state == .stale)
        try application.endLiveActivity(identifier, dismissalDate: bench.phone.now)
        #expect(bench.shown == [])
        #expect(throws: PhoneError.self) { try application.updateLiveActivity(identifier, contentState: [:]) }
        try await bench.phone.uninstall(Self.app)
    }

    @Test func `a payload that is none is refused, with the reason`() async throws {
        let bench = try await Bench()
        await #expect(throws: PhoneError.self) {
            try await bench.phone.pushLiveActivity(["aps": ["alert": "x"]], to: Self.app)
        }
        await #expect(throws: PhoneError.self) {
            try await bench.phone.pushLiveActivity(["aps": ["event": "update"]], to: "com.example.Nothing")
        }
        try await bench.push("update")
        #expect(bench.phone.journal(.dropped).last?.text.contains("none to update") == true)
    }

    @Test func `pushes go the whole way: start by the app's token, updates by the activity's`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            await bench.phone.goHome()
            func send(_ token: Data?, _ aps: JSONValue) async throws -> Bool {
                let outcome = await world.client.send(
                    APNs.Notification(
                        token: try DeviceToken(bytes: Array(try #require(token))),
                        topic: try Topic(Self.app + ".push-type.liveactivity"),
                        payload: try JSONValue.object(["aps": aps]).encoded(), pushType: .liveactivity))
                if case .accepted = outcome.result { return true }
                return false
            }
            let startToken = await bench.phone.app(App.self)?.startToken
            #expect(
                try await send(
                    startToken,
                    [
                        "event": "start", "timestamp": .integer(bench.now), "content-state": ["minutes": 30],
                        "attributes-type": "Order", "attributes": ["number": 9],
                        "alert": ["title": "Order", "body": "On its way"],
                    ]))
            await bench.phone.wait { $0.liveActivities.count == 1 }
            await bench.phone.settle()
            let identifier = try #require(bench.shown.first).identifier
            let token = await bench.phone.app(App.self)?.tokens[identifier]
            #expect(token != nil && token != startToken)
            #expect(
                try await send(
                    token,
                    ["event": "update", "timestamp": .integer(bench.now), "content-state": ["minutes": 8]]))
            await bench.phone.wait { $0.liveActivities.first?.contentState == ["minutes": 8] }
            #expect(
                try await send(
                    token,
                    [
                        "event": "end", "timestamp": .integer(bench.now),
                        "dismissal-date": .integer(bench.now - 1),
                    ]))
            await bench.phone.wait { $0.liveActivities == [] }
            await bench.phone.disconnect()
        }
    }

    @Test func `no order of events breaks a board, and none stays for ever`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var board = LiveActivityBoard()
            var now = Instant(secondsSince1970: 1_800_000_000)
            for _ in 0..<100 {
                now = now.advanced(bySeconds: Int64(random.next() % 2000))
                _ = board.advance(to: now)
                let id = Int(random.next() % 8)
                let seconds = now.secondsSince1970 + Int64(random.next() % 9000) - 4500
                switch random.next() % 4 {
                case 0:
                    _ = board.start(
                        "\(random.next())", of: "a", attributesType: "T", attributes: [:], contentState: [:],
                        timestamp: seconds, staleDate: random.next() % 2 == 0 ? seconds : .max,
                        relevanceScore: 0, at: now)
                case 1:
                    _ = board.update(
                        id, contentState: [:], timestamp: seconds, staleDate: seconds, relevanceScore: nil)
                case 2:
                    _ = board.end(
                        id, contentState: nil, timestamp: seconds, dismissalDate: seconds, at: now)
                default: _ = board.dismiss(id)
                }
                // What is due is found at once, at the latest with the next look.
                _ = board.advance(to: now)
                #expect(board.nextDue.map { $0 > now } ?? true)
            }
            _ = board.advance(to: now.advanced(bySeconds: 8 * 3600))
            _ = board.advance(to: now.advanced(bySeconds: 13 * 3600))
            #expect(board.activities.isEmpty && board.nextDue == nil)
        }
    }
}
