/// Whether an app may notify.
@nonexhaustive(warn)
public enum UNAuthorizationStatus: Int, Hashable, Sendable {
    /// The user was not asked yet.
    case notDetermined = 0
    /// The user said no.
    case denied = 1
    /// The user said yes.
    case authorized = 2
    /// Quiet notifications are allowed without the user having been asked.
    case provisional = 3
    /// An App Clip may notify for a limited time.
    case ephemeral = 4
}
