#if canImport(VirtualPhone)
internal import Foundation
internal import UserNotifications
internal import VirtualPhone

/// The app on the phone of `belfry phone`: it asks for permission, registers, and shows every push in front too.
///
/// Pushes of the category `message` have the buttons Reply and Mark as Read.
final class SampleApp: NSObject, PhoneApp, UNUserNotificationCenterDelegate {
    static let category = "message"

    nonisolated static let manifest = SampleApp.described(topic: "com.example.App")

    /// The same app under another bundle identifier, whose last part is its name.
    nonisolated static func described(topic: String) -> AppManifest {
        AppManifest(
            bundleIdentifier: topic, name: topic.split(separator: ".").last.map(String.init) ?? topic,
            backgroundModes: [.remoteNotification, .fetch]
        ) { _ in SampleExtension() }
    }

    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: Self.category,
                actions: [
                    UNTextInputNotificationAction(
                        identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
                        textInputPlaceholder: "Message"),
                    UNNotificationAction(identifier: "read", title: "Mark as Read", options: []),
                ], intentIdentifiers: [], options: [.customDismissAction])
        ])
        center.requestAuthorization(options: [.alert, .sound, .badge]) { _, _ in }
        application.registerForRemoteNotifications()
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound, .badge]
    }

    func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> BackgroundFetchResult {
        .newData
    }
}

/// Marks what passed through it: a push with `mutable-content` may bring a subtitle of its own as `subtitle`.
///
/// Sendable: it has no state.
final class SampleExtension: UNNotificationServiceExtension, @unchecked Sendable {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        if let subtitle = content.userInfo["subtitle"] as? String { content.subtitle = subtitle }
        contentHandler(content)
    }
}
#endif
