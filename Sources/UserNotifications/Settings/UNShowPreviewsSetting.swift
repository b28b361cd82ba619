/// When the text of a notification is shown.
@nonexhaustive(warn)
public enum UNShowPreviewsSetting: Int, Hashable, Sendable {
    /// Also on a locked device.
    case always = 0
    /// On an unlocked device.
    case whenAuthenticated = 1
    /// Never.
    case never = 2
}
