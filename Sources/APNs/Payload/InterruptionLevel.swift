/// How much a notification may disturb: the key interruption-level of aps.
public enum InterruptionLevel: String, CaseIterable, Hashable, Sendable {
    /// Added to the list of notifications without light or sound.
    case passive
    /// Presented at once; the default.
    case active
    /// Presented at once, also in a Focus; needs an entitlement.
    case timeSensitive = "time-sensitive"
    /// Presented at once with sound whatever the settings are; needs an entitlement.
    case critical
}
