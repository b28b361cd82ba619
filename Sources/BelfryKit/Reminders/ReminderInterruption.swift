/// How much a reminder may disturb: Apple's interruption levels.
public enum ReminderInterruption: String, CaseIterable, Hashable, Sendable, Codable {
    /// Into the list only.
    case passive
    /// The usual.
    case active
    /// Through Focus, where the user lets the app; it needs an entitlement.
    case timeSensitive = "time-sensitive"
    /// Through silence as well; it needs an entitlement that Apple grants.
    case critical
}
