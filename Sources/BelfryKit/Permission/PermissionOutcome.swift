/// What came of a request for permission.
public enum PermissionOutcome: Hashable, Sendable {
    /// Notifications are allowed, perhaps quiet ones.
    case allowed(NotificationPermission)
    /// The user said no just now, or before: only Settings can change it.
    case denied
    /// The user said "not now" to the app's own question; the system's question is not used up.
    case postponed
}
