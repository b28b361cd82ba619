// As new projects begin: everything is on the main actor unless it says otherwise.
import UserNotifications
import UserNotificationsUI

public final class AppDelegate: NSObject, UNUserNotificationCenterDelegate {
    public var events: [String] = []

    public override init() { super.init() }

    public func didFinishLaunching() async {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        let granted = (try? await center.requestAuthorization(options: [.alert, .sound])) ?? false
        events.append("granted \(granted)")
        let open = UNNotificationAction(
            identifier: "open", title: "Open", options: [.foreground],
            icon: UNNotificationActionIcon(systemImageName: "envelope.open"))
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "mail", actions: [open], intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: "%u mails", options: [.hiddenPreviewsShowTitle])
        ])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        events.append("present \(notification.request.content.title)")
        return notification.request.content.threadIdentifier == "quiet" ? [.list] : [.banner, .sound]
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        events.append("receive \(response.actionIdentifier)")
    }
}

/// A view controller of a content extension, without its views.
public final class NotificationViewController: NSObject, UNNotificationContentExtension {
    public private(set) var text = ""
    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
    public var mediaPlayPauseButtonFrame: CGRect { CGRect(x: 0, y: 0, width: 44, height: 44) }

    public override init() { super.init() }

    public func didReceive(_ notification: UNNotification) { text = notification.request.content.body }

    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(response.actionIdentifier == "open" ? .dismissAndForwardAction : .doNotDismiss)
    }

    public func mediaPlay() { text = "plays" }
    public func mediaPause() { text = "pauses" }
}
