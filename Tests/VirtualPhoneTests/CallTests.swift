import APNs
import APNsClient
import Foundation
import Testing
import VirtualPhone

/// VoIP pushes, which always go to the app and have to end in a call.
@Suite(.timeLimit(.minutes(5))) struct CallTests {
    static let app = "com.example.Phone"

    final class App: PhoneApp, PKPushRegistryDelegate {
        nonisolated static let manifest = AppManifest(
            bundleIdentifier: CallTests.app, name: "Phone", backgroundModes: [.voip])
        let story: Story
        let reports: Bool
        private var registry: PKPushRegistry?
        private var application: Application?

        required convenience init() { self.init(Story(), reports: true) }
        init(_ story: Story, reports: Bool) {
            self.story = story
            self.reports = reports
        }

        var token: Data? { registry?.pushToken(for: .voIP) }

        func application(
            _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
        ) -> Bool {
            story.add("launched \(application.applicationState.name)")
            self.application = application
            application.registerForRemoteNotifications()
            let registry = PKPushRegistry(application)
            registry.delegate = self
            registry.desiredPushTypes = [.voIP]
            self.registry = registry
            return true
        }

        func pushRegistry(
            _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
        ) {
            story.add("token")
        }

        func pushRegistry(
            _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
            for type: PKPushType,
            completion: @escaping @Sendable () -> Void
        ) {
            story.add("call \(payload.dictionaryPayload["from"] as? String ?? "?")")
            if reports { application?.reportNewIncomingCall(from: "Ann") }
            completion()
        }
    }

    private struct Bench {
        let phone: VirtualPhone
        let story = Story()

        init(
            reports: Bool = true, modes: Set<AppManifest.BackgroundMode> = [.voip],
            link: (any PushLink)? = nil
        )
            async throws
        {
            phone = try VirtualPhone(at: "2027-03-01T12:00", zone: "UTC")
            if let link { try await phone.connect(link) }
            var manifest = App.manifest
            manifest.backgroundModes = modes
            let story = story
            try await phone.install(manifest) { App(story, reports: reports) }
            try await phone.open(CallTests.app)
        }

        func call() async throws { try await phone.pushCall(["from": "Ann"], to: CallTests.app) }
    }

    enum Place: CaseIterable { case foreground, suspended, notRunning, forceQuit, locked, lowPower }

    @Test(arguments: Place.allCases) func `a call reaches the app wherever it is`(_ place: Place) async throws
    {
        let bench = try await Bench()
        switch place {
        case .foreground: break
        case .suspended:
            await bench.phone.goHome()
            await bench.phone.advance(by: .seconds(10))
        case .notRunning:
            await bench.phone.goHome()
            try await bench.phone.terminate(Self.app)
        case .forceQuit: try await bench.phone.forceQuit(Self.app)
        case .locked: await bench.phone.lock()
        case .lowPower:
            await bench.phone.goHome()
            await bench.phone.setLowPower(true)
        }
        _ = bench.story.take()
        try await bench.call()
        let isStarted = place == .notRunning || place == .forceQuit
        #expect(bench.story.all.first == (isStarted ? "launched background" : "call Ann"))
        #expect(bench.story.all.contains("call Ann"))
        #expect(bench.phone.journal(.call).map(\.text) == ["Ann"])
        #expect(bench.phone.journal(.crashed) == [] && bench.phone.state.list == [])
    }

    @Test func `an app that reports no call is terminated, and in the end gets no more of them`() async throws
    {
        let bench = try await Bench(reports: false)
        for number in 1...5 {
            try await bench.call()
            #expect(bench.phone.journal(.crashed).count == min(number, 3))
        }
        #expect(bench.phone.state.app(Self.app)?.state == .notRunning)
        #expect(bench.story.all.filter { $0 == "call Ann" }.count == 3)
        #expect(bench.phone.journal(.dropped).count == 2)
        // Installed anew, it has another chance.
        try await bench.phone.reinstall(Self.app)
        try await bench.phone.open(Self.app)
        try await bench.call()
        #expect(bench.story.all.filter { $0 == "call Ann" }.count == 4)
    }

    @Test func `without the mode, or without asking, there are none`() async throws {
        let bench = try await Bench(modes: [])
        #expect(bench.phone.journal(.diagnosis).last?.text.contains("voip") == true)
        try await bench.call()
        #expect(!bench.story.all.contains("call Ann") && bench.phone.journal(.dropped).count == 1)
    }

    @Test func `a call comes through a gateway, to its own token`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            await bench.phone.settle()
            try await bench.phone.forceQuit(Self.app)
            try await bench.phone.open(Self.app)
            await bench.phone.settle()
            let token = try #require(await bench.phone.app(App.self)?.token)
            #expect(text(token) != bench.phone.state.app(Self.app)?.token)
            let outcome = await world.client.send(
                APNs.Notification(
                    token: try DeviceToken(bytes: Array(token)), topic: try Topic(Self.app + ".voip"),
                    payload: Array(#"{"from": "Ann"}"#.utf8), pushType: .voip))
            guard case .accepted = outcome.result else {
                Issue.record("\(outcome.result)")
                return
            }
            await bench.phone.wait { _ in bench.story.all.contains("call Ann") }
            #expect(bench.phone.journal(.call).count == 1)
            await bench.phone.disconnect()
        }
    }

    private func text(_ token: Data) -> String? { (try? DeviceToken(bytes: Array(token)))?.hexString }
}
