/// How a notification is presented while its app is in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The badge is set.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// The sound is played.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// Banner and list; the two options below took its place in iOS 14.
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// It goes into the list of notifications.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// A banner is shown.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
