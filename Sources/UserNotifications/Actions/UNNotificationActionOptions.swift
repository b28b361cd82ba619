/// How an action behaves.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The device has to be unlocked first.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// It is shown as one that destroys something.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// It brings the app to the foreground.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
