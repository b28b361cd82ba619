public import UserNotifications

/// How a notification is shown while the app is in front.
public struct ForegroundPresentation: Hashable, Sendable {
    /// Whether a banner drops down.
    public var showsBanner: Bool
    /// Whether it goes into the list.
    public var isListed: Bool
    /// Whether its sound is played.
    public var playsSound: Bool
    /// Whether its badge is set.
    public var setsBadge: Bool

    /// Makes a presentation.
    public init(showsBanner: Bool, isListed: Bool, playsSound: Bool, setsBadge: Bool) {
        self.showsBanner = showsBanner
        self.isListed = isListed
        self.playsSound = playsSound
        self.setsBadge = setsBadge
    }

    /// As if the app were not in front.
    public static let full = ForegroundPresentation(
        showsBanner: true, isListed: true, playsSound: true, setsBadge: true)
    /// Into the list and onto the icon, without disturbing.
    public static let quiet = ForegroundPresentation(
        showsBanner: false, isListed: true, playsSound: false, setsBadge: true)
    /// Not at all: the app shows it itself.
    public static let none = ForegroundPresentation(
        showsBanner: false, isListed: false, playsSound: false, setsBadge: false)

    /// The system's options; they are not those of authorization, though they look alike.
    public var options: UNNotificationPresentationOptions {
        var options: UNNotificationPresentationOptions = []
        if showsBanner { options.insert(.banner) }
        if isListed { options.insert(.list) }
        if playsSound { options.insert(.sound) }
        if setsBadge { options.insert(.badge) }
        return options
    }
}
