/// How much a notification may disturb.
@nonexhaustive(warn)
public enum UNNotificationInterruptionLevel: UInt, Hashable, Sendable {
    /// Into the list, without light and sound.
    case passive = 0
    /// With light and sound, as the settings allow; the default.
    case active = 1
    /// Also in a Focus; needs a capability.
    case timeSensitive = 2
    /// Also in a Focus and with the ring switch off; needs an entitlement.
    case critical = 3
}
