import APNs
import Foundation
import Recurrence
import Synchronization
import Testing
import UserNotifications
import VirtualPhone

/// What an app was told, in order, over all of its processes.
final class Story: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Everything so far; the next look begins after it.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    var all: [String] { lines.withLock { $0 } }
}

/// What a test app does.
struct Behaviour: Sendable {
    var asks: UNAuthorizationOptions? = [.alert, .sound, .badge]
    var registers = true
    var hasDelegate = true
    var presents: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    var categories: [UNNotificationCategory] = []
    /// What it does in `didReceiveRemoteNotification`.
    var fetch: @Sendable (Application) async -> BackgroundFetchResult = { _ in .newData }
    var refresh: @Sendable (Application) async -> Void = { _ in }
}

/// An app that writes down what it is told.
final class TestApp: NSObject, PhoneApp, UNUserNotificationCenterDelegate {
    nonisolated static let bundle = "com.example.App"
    nonisolated static let manifest = AppManifest(
        bundleIdentifier: bundle, name: "App", backgroundModes: [.remoteNotification, .fetch])

    let story: Story
    let behaviour: Behaviour
    private(set) var token: Data?

    required override convenience init() { self.init(story: Story(), behaviour: Behaviour()) }

    init(story: Story, behaviour: Behaviour) {
        self.story = story
        self.behaviour = behaviour
        super.init()
    }

    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        story.add(
            "launched \(application.applicationState.name)\(launchOptions.isEmpty ? "" : " with a notification")"
        )
        if behaviour.hasDelegate { center.delegate = self }
        center.setNotificationCategories(Set(behaviour.categories))
        if let options = behaviour.asks {
            Task {
                let isGranted = try await UNUserNotificationCenter.current().requestAuthorization(
                    options: options)
                story.add("granted \(isGranted)")
            }
        }
        if behaviour.registers { application.registerForRemoteNotifications() }
        return true
    }

    func applicationWillEnterForeground(_ application: Application) { story.add("enters foreground") }
    func applicationDidBecomeActive(_ application: Application) { story.add("active") }
    func applicationWillResignActive(_ application: Application) { story.add("resigns") }
    func applicationDidEnterBackground(_ application: Application) { story.add("in background") }
    func applicationWillTerminate(_ application: Application) { story.add("terminates") }

    func application(
        _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        token = deviceToken
        story.add("token")
    }

    func application(
        _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        story.add("no token: \((error as? RegistrationError)?.reason.rawValue ?? "?")")
    }

    func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> BackgroundFetchResult {
        story.add("fetch \(application.applicationState.name) \(userInfo["n"] as? Int ?? 0)")
        return await behaviour.fetch(application)
    }

    func applicationPerformBackgroundRefresh(_ application: Application) async {
        story.add("refresh \(application.applicationState.name)")
        await behaviour.refresh(application)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        story.add("present \(notification.request.content.body)")
        return behaviour.presents
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let name =
            switch response.actionIdentifier {
            case UNNotificationDefaultActionIdentifier: "tap"
            case UNNotificationDismissActionIdentifier: "dismiss"
            default: response.actionIdentifier
            }
        let text = (response as? UNTextInputNotificationResponse).map { " '\($0.userText)'" } ?? ""
        story.add("\(name) \(response.notification.request.content.body)\(text)")
        completionHandler()
    }
}

/// A phone with the test app, which has been opened once and is allowed everything.
struct Bench {
    static let app = TestApp.bundle
    let phone: VirtualPhone
    let story = Story()

    init(
        _ time: String = "2027-03-01T08:00", zone: String = "Asia/Shanghai",
        behaviour: Behaviour = Behaviour(), manifest: AppManifest = TestApp.manifest,
        permission: PermissionAnswer = .allow, policy: PhonePolicy = PhonePolicy(), opens: Bool = true,
        link: (any PushLink)? = nil
    ) async throws {
        phone = try VirtualPhone(at: time, zone: zone, permission: permission, policy: policy)
        if let link { try await phone.connect(link) }
        let story = story
        try await phone.install(manifest) { TestApp(story: story, behaviour: behaviour) }
        if opens { try await phone.open(manifest.bundleIdentifier) }
    }

    /// Brings the app into a state; the story begins afterwards.
    func bring(to state: AppState) async throws {
        switch state {
        case .active: break
        case .background: await phone.goHome()
        case .suspended:
            await phone.goHome()
            await phone.advance(by: .seconds(6))
        case .notRunning: try await phone.terminate(Self.app)
        default: Issue.record("a bench cannot bring its app to \(state)")
        }
        #expect(phone.state.app(Self.app)?.state == state)
        _ = story.take()
    }

    func push(
        _ body: String, extra: [String: JSONValue] = [:], custom: [String: JSONValue] = [:],
        collapseID: String? = nil
    ) async throws {
        var aps: [String: JSONValue] = ["alert": .string(body)]
        aps.merge(extra) { $1 }
        var payload = custom
        payload["aps"] = .object(aps)
        try await phone.push(.object(payload), to: Self.app, collapseID: collapseID)
    }

    func pushSilently(_ n: Int64) async throws {
        try await phone.push(["aps": ["content-available": 1], "n": .integer(n)], to: Self.app)
    }

    var bodies: [String] { phone.state.list.map(\.body) }
}
