/// How the notifications of a category behave.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app hears of notifications that the user clears.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// They are shown in a car.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    /// The title is shown even if previews are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    /// The subtitle is shown even if previews are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
    /// They may be read aloud; always so since iOS 15.
    public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}
