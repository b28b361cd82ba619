/// How alerts appear on an unlocked device.
@nonexhaustive(warn)
public enum UNAlertStyle: Int, Hashable, Sendable {
    /// Not at all.
    case none = 0
    /// As banners that go by themselves.
    case banner = 1
    /// As alerts that wait for the user.
    case alert = 2
}
