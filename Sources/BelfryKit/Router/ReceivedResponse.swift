public import UserNotifications

/// What the user did with a notification, as a value.
public struct ReceivedResponse: Hashable, Sendable {
    /// What the user did.
    public enum Gesture: Hashable, Sendable {
        /// Tapped the notification itself.
        case tap
        /// Cleared it.
        case dismiss
        /// Pressed a button, perhaps with a text.
        case action(String, userText: String?)
    }

    /// The notification.
    public var notification: ReceivedNotification
    /// What the user did with it.
    public var gesture: Gesture

    /// Makes a response.
    public init(notification: ReceivedNotification, gesture: Gesture) {
        self.notification = notification
        self.gesture = gesture
    }

    /// Reads a response of the system.
    public init(_ response: UNNotificationResponse) {
        let gesture: Gesture =
            switch response.actionIdentifier {
            case UNNotificationDefaultActionIdentifier: .tap
            case UNNotificationDismissActionIdentifier: .dismiss
            case let action:
                .action(action, userText: (response as? UNTextInputNotificationResponse)?.userText)
            }
        self.init(notification: ReceivedNotification(response.notification), gesture: gesture)
    }

    func event(in phase: ApplicationPhase) -> NotificationEvent {
        switch gesture {
        case .tap: .opened(notification, phase: phase)
        case .dismiss: .dismissed(notification, phase: phase)
        case .action(let action, let userText):
            .action(action, notification, userText: userText, phase: phase)
        }
    }
}
