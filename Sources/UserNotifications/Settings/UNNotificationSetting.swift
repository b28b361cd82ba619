/// Whether one kind of notification is on.
@nonexhaustive(warn)
public enum UNNotificationSetting: Int, Hashable, Sendable {
    /// The app did not ask for it, or the device does not have it.
    case notSupported = 0
    /// It is off.
    case disabled = 1
    /// It is on.
    case enabled = 2
}
