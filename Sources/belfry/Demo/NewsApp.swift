#if canImport(VirtualPhone)
internal import BelfryKit
internal import Foundation
internal import UserNotifications
internal import VirtualPhone

/// The app on the phones of a demo, with BelfryKit inside as an app on a real phone would have it: it asks for
/// permission, registers at the push service, reminds the user once a day, and counts what is opened.
final class NewsApp: PhoneApp {
    nonisolated static let topic = "com.example.News"
    /// The category of pushes with the buttons Reply and Read Later.
    nonisolated static let category = "message"

    nonisolated static let manifest = AppManifest(
        bundleIdentifier: topic, name: "News", version: "2.4",
        backgroundModes: [.remoteNotification, .fetch])

    private let service: PushServiceAddress
    private let channels: Set<String>
    private var kit: BelfryKit.Belfry?
    private var reminders: Reminders?

    init(service: PushServiceAddress, channels: Set<String>) {
        self.service = service
        self.channels = channels
    }

    /// An app that knows no service only shows what comes.
    convenience init() {
        self.init(
            service: PushServiceAddress(
                url: URL(fileURLWithPath: "/"), applicationID: "", applicationKey: ""), channels: [])
    }

    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) async -> Bool {
        let reminders = Reminders(
            center: application.userNotificationCenter, storage: application.storage,
            time: PhoneTime(application))
        self.reminders = reminders
        var hooks = BelfryKit.Belfry.Hooks()
        hooks.replan = { _ = await reminders.replan() }
        let kit = BelfryKit.Belfry(service: service, application: application, hooks: hooks)
        self.kit = kit
        try? kit.categories.register([
            UNNotificationCategory(
                identifier: Self.category,
                actions: [
                    UNTextInputNotificationAction(
                        identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
                        textInputPlaceholder: "Message"),
                    UNNotificationAction(identifier: "later", title: "Read Later", options: []),
                ], intentIdentifiers: [], options: [.customDismissAction])
        ])
        kit.onEvent { _ in }
        kit.start(LaunchCause(launchOptions, of: application))
        let channels = channels
        // Ends with the user's answer; the next launch asks nobody twice.
        Task {
            _ = try? await kit.permission.request { true }
            try? kit.registration.subscribe(to: channels)
            _ = try? await reminders.set(
                "evening", .text("daily at 20:30"),
                ReminderContent(title: "Three good stories", body: "Ten minutes before the day ends."))
        }
        return true
    }

    func applicationDidBecomeActive(_ application: Application) { kit?.applicationDidBecomeActive() }

    func applicationWillResignActive(_ application: Application) { kit?.applicationWillResignActive() }

    func applicationDidEnterBackground(_ application: Application) { kit?.applicationDidEnterBackground() }

    func applicationWillEnterForeground(_ application: Application) { kit?.applicationWillEnterForeground() }

    func application(
        _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        kit?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken)
    }

    func application(
        _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        kit?.didFailToRegisterForRemoteNotifications(withError: error)
    }

    func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> BackgroundFetchResult {
        guard let kit else { return .noData }
        return BackgroundFetchResult(await kit.didReceiveRemoteNotification(userInfo))
    }

    func applicationPerformBackgroundRefresh(_ application: Application) async {
        _ = await reminders?.replan()
    }
}
#endif
