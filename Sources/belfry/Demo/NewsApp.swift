#if canImport(VirtualPhone)
internal import BelfryKit
internal import UserNotifications
internal import VirtualPhone

/// The app on the phones of a demo, with BelfryKit inside as an app on a real phone would have it: it asks for
/// permission, registers at the push service, reminds the user once a day, and counts what is opened.
final class NewsApp: BelfryApp {
    nonisolated static let topic = "com.example.News"
    /// The category of pushes with the buttons Reply and Read Later.
    nonisolated static let category = "message"

    nonisolated static let manifest = AppManifest(
        bundleIdentifier: topic, name: "News", version: "2.4",
        backgroundModes: [.remoteNotification, .fetch])

    var belfry: BelfryKit.Belfry?
    private let service: PushServiceAddress?
    private let channels: Set<String>

    init(service: PushServiceAddress?, channels: Set<String>) {
        self.service = service
        self.channels = channels
    }

    /// An app that knows no service only shows what comes.
    convenience init() { self.init(service: nil, channels: []) }

    func makeBelfry(_ application: Application) -> BelfryKit.Belfry {
        let reminders = Reminders(application: application)
        let belfry = BelfryKit.Belfry(
            service: service, application: application, hooks: BelfryKit.Belfry.Hooks(reminders: reminders))
        // What these may throw is a name that is not allowed, and these are.
        try? belfry.categories.register([
            UNNotificationCategory(
                identifier: Self.category,
                actions: [
                    UNTextInputNotificationAction(
                        identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
                        textInputPlaceholder: "Message"),
                    UNNotificationAction(identifier: "later", title: "Read Later", options: []),
                ], intentIdentifiers: [], options: [.customDismissAction])
        ])
        belfry.onEvent { _ in }
        let channels = channels
        // Ends with the user's answer; the next launch asks nobody twice.
        Task {
            _ = try? await belfry.permission.request()
            try? belfry.registration.subscribe(to: channels)
            _ = try? await reminders.set(
                "evening", .text("daily at 20:30"),
                ReminderContent(title: "Three good stories", body: "Ten minutes before the day ends."))
        }
        return belfry
    }
}
#endif
