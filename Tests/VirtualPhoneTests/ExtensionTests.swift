import APNs
import Synchronization
import Testing
import UserNotifications

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct ExtensionTests {
    /// Does what its closure says.
    ///
    /// Sendable: the closures are set before it runs and only read; the rest is behind the mutex.
    final class Changer: UNNotificationServiceExtension, @unchecked Sendable {
        let change: (UNMutableNotificationContent) -> UNNotificationContent?
        let atLast: ((UNMutableNotificationContent) -> UNNotificationContent?)?
        private let handler = Mutex<SendableBox?>(nil)

        /// Sendable: used on one thread at a time, behind the mutex.
        struct SendableBox: @unchecked Sendable {
            var content: UNMutableNotificationContent
            var handler: (UNNotificationContent) -> Void
        }

        init(
            atLast: ((UNMutableNotificationContent) -> UNNotificationContent?)? = nil,
            _ change: @escaping (UNMutableNotificationContent) -> UNNotificationContent?
        ) {
            self.change = change
            self.atLast = atLast
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            if let changed = change(content) { return contentHandler(changed) }
            let box = SendableBox(content: content, handler: contentHandler)
            handler.withLock { $0 = box }
        }

        override func serviceExtensionTimeWillExpire() {
            guard let box = handler.withLock({ $0 }), let changed = atLast?(box.content) else { return }
            box.handler(changed)
        }
    }

    static func bench(
        mayFilter: Bool = false, policy: PhonePolicy = PhonePolicy(),
        _ make: @escaping @Sendable (AppStorage) -> UNNotificationServiceExtension
    ) async throws -> Bench {
        var manifest = TestApp.manifest
        manifest.mayFilterNotifications = mayFilter
        manifest.serviceExtension = make
        let bench = try await Bench(manifest: manifest, policy: policy)
        try await bench.bring(to: .suspended)
        return bench
    }

    static let titled: @Sendable (AppStorage) -> UNNotificationServiceExtension = { storage in
        Changer { content in
            storage.setString(content.body, forKey: "last")
            content.title = "Changed"
            return content
        }
    }

    @Test func `the extension changes what is shown, and has the app's storage`() async throws {
        let bench = try await Self.bench(Self.titled)
        try await bench.push("Hello", extra: ["mutable-content": 1])
        #expect(bench.phone.state.banner?.title == "Changed")
        #expect(bench.phone.state.banner?.body == "Hello")
        #expect(try bench.phone.storage(of: Bench.app).string(forKey: "last") == "Hello")
        #expect(bench.story.take() == [])
        #expect(bench.phone.journal(.extensionStarted).count == 1)
    }

    @Test func `it runs for an app that was swiped away, too`() async throws {
        let bench = try await Self.bench(Self.titled)
        try await bench.phone.forceQuit(Bench.app)
        try await bench.push("Hello", extra: ["mutable-content": 1])
        #expect(bench.phone.state.banner?.title == "Changed")
        #expect(bench.phone.state.app(Bench.app)?.state == .notRunning)
    }

    @Test func `it does not run without mutable-content, for silent pushes, and when alerts are off`()
        async throws
    {
        let bench = try await Self.bench(Self.titled)
        try await bench.push("Plain")
        #expect(bench.phone.state.banner?.title == "")
        try await bench.phone.push(["aps": ["mutable-content": 1, "badge": 1]], to: Bench.app)
        try await bench.phone.changeSettings(of: Bench.app) { $0.allowsNotifications = false }
        try await bench.push("Off", extra: ["mutable-content": 1])
        #expect(bench.phone.journal(.extensionStarted) == [])
    }

    /// Waits for no extension that keeps its handler.
    static let impatient: PhonePolicy = {
        var policy = PhonePolicy()
        policy.patience = .milliseconds(1)
        return policy
    }()

    @Test func `after 30 s of the phone's clock the original is shown`() async throws {
        let bench = try await Self.bench(policy: Self.impatient) { _ in Changer { _ in nil } }
        try await bench.push("Original", extra: ["mutable-content": 1])
        await bench.phone.advance(by: .seconds(29))
        #expect(bench.phone.state.banner == nil)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.state.banner?.body == "Original")
        #expect(bench.phone.journal(.extensionExpired).count == 1)
    }

    @Test func `the last chance is taken`() async throws {
        let bench = try await Self.bench(policy: Self.impatient) { _ in
            Changer(atLast: { content in
                content.body = "In the last moment"
                return content
            }) { _ in nil }
        }
        try await bench.push("Original", extra: ["mutable-content": 1])
        await bench.phone.advance(by: .seconds(31))
        #expect(bench.bodies == ["In the last moment"])
    }

    @Test(arguments: [false, true])
    func `a content without text shows the original, or nothing where that is granted`(
        mayFilter: Bool
    ) async throws {
        let bench = try await Self.bench(mayFilter: mayFilter) { _ in
            Changer { _ in UNMutableNotificationContent() }
        }
        try await bench.push("Original", extra: ["mutable-content": 1])
        #expect(bench.bodies == (mayFilter ? [] : ["Original"]))
    }
}
