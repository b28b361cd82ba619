public import APNs
public import UserNotifications

/// What an app's bundle and entitlements say about it.
public struct AppManifest: Sendable {
    /// What the system may start the app for (`UIBackgroundModes`).
    public enum BackgroundMode: String, CaseIterable, Hashable, Sendable, Codable {
        /// Remote notifications with `content-available`.
        case remoteNotification = "remote-notification"
        /// Now and then, to fetch what is new.
        case fetch
        /// Calls over the internet, which come with VoIP pushes.
        case voip
    }

    /// The bundle identifier, which is the topic of its pushes too.
    public var bundleIdentifier: String
    /// What stands under the icon.
    public var name: String
    /// The version that users see.
    public var version: String
    /// The entitlement `aps-environment`; without it the app gets no device token.
    public var apsEnvironment: APNs.Environment?
    /// What the system may start the app for.
    public var backgroundModes: Set<BackgroundMode>
    /// Whether the app may notify during a Focus (the capability Time Sensitive Notifications).
    public var isTimeSensitiveEntitled: Bool
    /// Whether the app may sound in spite of mute and Focus (an entitlement that Apple grants).
    public var isCriticalAlertEntitled: Bool
    /// Whether the service extension may swallow a notification (an entitlement that Apple grants).
    public var mayFilterNotifications: Bool
    /// Whether Live Activities get more updates in an hour (`NSSupportsLiveActivitiesFrequentUpdates`).
    public var supportsFrequentUpdates = false
    /// The app's strings by language (`zh-Hans`, `en`) and key; the first language is `developmentLanguage`.
    public var strings: [String: [String: String]]
    /// The language whose strings are used where the phone's has none.
    public var developmentLanguage: String
    /// Makes the service extension for one remote notification; it has the app's storage, as an app group gives it.
    public var serviceExtension: (@Sendable (AppStorage) -> UNNotificationServiceExtension)?

    /// Describes an app; by default one with push, and with nothing that has to be asked of Apple.
    public init(
        bundleIdentifier: String, name: String, version: String = "1.0",
        apsEnvironment: APNs.Environment? = .production,
        backgroundModes: Set<BackgroundMode> = [], isTimeSensitiveEntitled: Bool = true,
        isCriticalAlertEntitled: Bool = false, mayFilterNotifications: Bool = false,
        strings: [String: [String: String]] = [:], developmentLanguage: String = "en",
        serviceExtension: (@Sendable (AppStorage) -> UNNotificationServiceExtension)? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.version = version
        self.apsEnvironment = apsEnvironment
        self.backgroundModes = backgroundModes
        self.isTimeSensitiveEntitled = isTimeSensitiveEntitled
        self.isCriticalAlertEntitled = isCriticalAlertEntitled
        self.mayFilterNotifications = mayFilterNotifications
        self.strings = strings
        self.developmentLanguage = developmentLanguage
        self.serviceExtension = serviceExtension
    }

    /// A text in a language: of the language itself, of the one it belongs to (`zh-Hans` for `zh-Hans-CN`), else of
    /// the development language.
    func string(forKey key: String, language: String) -> String? {
        var parts = language.split(separator: "-")
        while !parts.isEmpty {
            if let text = strings[parts.joined(separator: "-")]?[key] { return text }
            parts.removeLast()
        }
        return strings[developmentLanguage]?[key]
    }
}
