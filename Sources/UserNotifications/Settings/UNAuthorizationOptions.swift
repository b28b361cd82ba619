/// What an app wants to be allowed.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The number on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// Sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// Banners and lists.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// Notifications in a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// Sounds that ignore the ring switch and Focus; needs an entitlement.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// A link to the app's own notification settings in Settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    /// Quiet notifications, without a prompt.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
    /// Notifications read aloud; always included since iOS 15.
    public static let announcement = UNAuthorizationOptions(rawValue: 128)
    /// Notifications that break through Focus; an entitlement took its place.
    public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}
