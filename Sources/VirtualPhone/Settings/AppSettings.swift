internal import UserNotifications

/// The page of an app in Settings.
public struct AppSettings: Hashable, Sendable, Codable {
    /// What the user has decided.
    public enum Status: String, CaseIterable, Hashable, Sendable, Codable {
        /// The app has not asked yet.
        case notDetermined = "not-determined"
        /// Off.
        case denied
        /// On.
        case authorized
        /// Quietly, on trial.
        case provisional
        /// For an App Clip, for a while.
        case ephemeral
    }

    /// How banners go.
    public enum BannerStyle: String, CaseIterable, Hashable, Sendable, Codable {
        /// There are none.
        case none
        /// They go by themselves.
        case temporary
        /// They stay until the user does something.
        case persistent
    }

    /// When texts are shown on a locked phone.
    public enum Previews: String, CaseIterable, Hashable, Sendable, Codable {
        /// Always.
        case always
        /// When the phone is unlocked.
        case whenUnlocked = "when-unlocked"
        /// Never.
        case never
    }

    /// What the user has decided; `allowsNotifications` changes it.
    public private(set) var status: Status
    /// The switch Allow Notifications.
    public var allowsNotifications: Bool
    /// Whether they are on the lock screen.
    public var lockScreen: Bool
    /// Whether they are kept in the list.
    public var notificationCenter: Bool
    /// Whether and how banners are shown.
    public var banners: BannerStyle
    /// Whether sounds are played.
    public var sounds: Bool
    /// Whether the icon has a badge.
    public var badges: Bool
    /// When texts are shown.
    public var previews: Previews
    /// Whether time-sensitive notifications break through a Focus; nil for an app that may send none.
    public var timeSensitive: Bool?
    /// Whether critical alerts are on; nil for an app that may send none.
    public var criticalAlerts: Bool?

    init(_ record: SettingsRecord) {
        func isOn(_ value: Int) -> Bool { value == SettingsRecord.enabled }
        func isOnIfSupported(_ value: Int) -> Bool? {
            value == SettingsRecord.notSupported ? nil : value == SettingsRecord.enabled
        }
        status =
            switch UNAuthorizationStatus(rawValue: record.authorizationStatus) {
            case .denied: .denied
            case .authorized: .authorized
            case .provisional: .provisional
            case .ephemeral: .ephemeral
            default: .notDetermined
            }
        allowsNotifications = status != .denied && status != .notDetermined
        lockScreen = isOn(record.lockScreen)
        notificationCenter = isOn(record.notificationCenter)
        banners =
            switch UNAlertStyle(rawValue: record.alertStyle) {
            case .banner where isOn(record.alert): .temporary
            case .alert where isOn(record.alert): .persistent
            default: .none
            }
        sounds = isOn(record.sound)
        badges = isOn(record.badge)
        previews =
            switch UNShowPreviewsSetting(rawValue: record.showPreviews) {
            case .whenAuthenticated: .whenUnlocked
            case .never: .never
            default: .always
            }
        timeSensitive = isOnIfSupported(record.timeSensitive)
        criticalAlerts = isOnIfSupported(record.criticalAlert)
    }

    /// Writes what differs from the page as it was into the record behind it.
    ///
    /// Turning notifications on again turns everything on, as the switch of Settings does for an app that was refused.
    func apply(to record: inout SettingsRecord) {
        let old = AppSettings(record)
        func number(_ isOn: Bool) -> Int { isOn ? SettingsRecord.enabled : SettingsRecord.disabled }
        var new = self
        if new.allowsNotifications != old.allowsNotifications {
            let status: UNAuthorizationStatus = new.allowsNotifications ? .authorized : .denied
            record.authorizationStatus = status.rawValue
            let isOn = new.allowsNotifications
            // What the caller set beside the switch counts; what was left as it was follows the switch.
            if new.lockScreen == old.lockScreen { new.lockScreen = isOn }
            if new.notificationCenter == old.notificationCenter { new.notificationCenter = isOn }
            if new.banners == old.banners { new.banners = isOn ? .temporary : .none }
            if new.sounds == old.sounds { new.sounds = isOn }
            if new.badges == old.badges { new.badges = isOn }
        } else if new.allowsNotifications, old.status == .provisional, new != old {
            // A user who changes details has decided.
            record.authorizationStatus = UNAuthorizationStatus.authorized.rawValue
        }
        record.lockScreen = number(new.lockScreen)
        record.notificationCenter = number(new.notificationCenter)
        record.alert = number(new.banners != .none)
        let style: UNAlertStyle =
            switch new.banners {
            case .none: .none
            case .temporary: .banner
            case .persistent: .alert
            }
        record.alertStyle = style.rawValue
        record.sound = number(new.sounds)
        record.badge = number(new.badges)
        let previews: UNShowPreviewsSetting =
            switch new.previews {
            case .always: .always
            case .whenUnlocked: .whenAuthenticated
            case .never: .never
            }
        record.showPreviews = previews.rawValue
        if let timeSensitive = new.timeSensitive, old.timeSensitive != nil {
            record.timeSensitive = number(timeSensitive)
        }
        if let criticalAlerts = new.criticalAlerts, old.criticalAlerts != nil {
            record.criticalAlert = number(criticalAlerts)
        }
    }
}
