/// How one notification appears: what is left after settings, level, Focus and the app's own wish.
public struct NotificationPresentation: Hashable, Sendable {
    /// Whether a banner slides in.
    public var showsBanner = false
    /// Whether it goes into the list of notifications.
    public var isListed = false
    /// Whether it is on the lock screen.
    public var showsOnLockScreen = false
    /// Whether the screen lights up.
    public var lightsScreen = false
    /// Whether its sound is heard.
    public var playsSound = false
    /// The file that is played; nil for the system's sound.
    public var soundPath: String?
    /// The number that the app's icon gets; nil leaves it.
    public var badge: Int?
    /// Whether the user is asked to keep or turn off quiet notifications.
    public var asksToKeep = false

    /// Makes one that does nothing.
    public init() {}

    /// Whether the user would notice or find anything.
    public var isEmpty: Bool { self == NotificationPresentation() }
}
