/// What becomes of a notification after its content extension has handled an action.
@nonexhaustive(warn)
public enum UNNotificationContentExtensionResponseOption: UInt, Hashable, Sendable {
    /// It stays.
    case doNotDismiss = 0
    /// It goes.
    case dismiss = 1
    /// It goes, and the app gets the response.
    case dismissAndForwardAction = 2
}
