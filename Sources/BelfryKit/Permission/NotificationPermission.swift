public import UserNotifications

/// What the user allows the app, as it was read.
public struct NotificationPermission: Hashable, Sendable, Codable {
    /// The user's decision.
    public enum Status: String, Sendable, Hashable, CaseIterable, Codable {
        /// The system has not asked yet.
        case notDetermined
        /// The user said no, or switched the app off in Settings.
        case denied
        /// The user said yes.
        case authorized
        /// Nobody asked; notifications go quietly into the list.
        case provisional
        /// An App Clip, for a limited time.
        case ephemeral
    }

    /// The user's decision.
    public var status: Status
    /// Whether alerts are shown.
    public var allowsAlerts: Bool
    /// Whether sounds are played.
    public var allowsSounds: Bool
    /// Whether the icon may have a badge.
    public var allowsBadges: Bool

    /// Makes a permission.
    public init(
        status: Status, allowsAlerts: Bool = false, allowsSounds: Bool = false, allowsBadges: Bool = false
    ) {
        self.status = status
        self.allowsAlerts = allowsAlerts
        self.allowsSounds = allowsSounds
        self.allowsBadges = allowsBadges
    }

    /// Reads what the system says.
    public init(_ settings: UNNotificationSettings) {
        // By number: not every system has every case. An unknown decision lets nothing through that may be unwanted.
        let status: Status =
            switch settings.authorizationStatus.rawValue {
            case 0: .notDetermined
            case 2: .authorized
            case 3: .provisional
            case 4: .ephemeral
            default: .denied
            }
        self.init(
            status: status, allowsAlerts: settings.alertSetting == .enabled,
            allowsSounds: settings.soundSetting == .enabled, allowsBadges: settings.badgeSetting == .enabled)
    }

    /// Whether the system takes notifications of the app at all.
    public var mayNotify: Bool { status != .notDetermined && status != .denied }

    /// Whether they go into the list only, with nothing that the user would notice.
    public var isQuiet: Bool { mayNotify && !allowsAlerts && !allowsSounds && !allowsBadges }
}
