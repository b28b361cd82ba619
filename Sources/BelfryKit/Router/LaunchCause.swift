/// Why the app was launched, as far as its launch options tell.
public enum LaunchCause: Hashable, Sendable {
    /// By its icon, or by the system without saying why.
    case plain
    /// For a remote notification: tapped, or to work on it in the background.
    case remoteNotification(ReceivedNotification)
    /// By a tap on a local notification.
    case localNotification
    /// By an address, a shortcut, an activity or the like: somebody else says what to show.
    case other

    /// Whether the user may have come by the icon.
    var isPlain: Bool { self == .plain }
}
