/// Something that happened with notifications and that the app acts on.
public enum NotificationEvent: Hashable, Sendable {
    /// The user tapped a notification: show what it is about.
    case opened(ReceivedNotification, phase: ApplicationPhase)
    /// The user pressed a button of a notification, or wrote an answer.
    case action(String, ReceivedNotification, userText: String?, phase: ApplicationPhase)
    /// The user cleared a notification whose category wants to know.
    case dismissed(ReceivedNotification, phase: ApplicationPhase)
    /// A notification came while the app was in front; whether it is shown was decided apart.
    case arrived(ReceivedNotification)
    /// The app was opened, and not by a notification, while a badge was on its icon: something was missed.
    case openedByIcon(badge: Int)
    /// The user wants to see the app's own notification settings.
    case settingsRequested(ReceivedNotification?)

    /// The notification; nil when there is none.
    public var notification: ReceivedNotification? {
        switch self {
        case .opened(let notification, _), .action(_, let notification, _, _),
            .dismissed(let notification, _),
            .arrived(let notification):
            notification
        case .settingsRequested(let notification): notification
        case .openedByIcon: nil
        }
    }

    /// What the app was doing when the user acted; nil when the user did not.
    public var phase: ApplicationPhase? {
        switch self {
        case .opened(_, let phase), .action(_, _, _, let phase), .dismissed(_, let phase): phase
        case .arrived, .openedByIcon, .settingsRequested: nil
        }
    }
}
