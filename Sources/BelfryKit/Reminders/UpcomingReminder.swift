public import Recurrence

/// A time at which a reminder will fire.
public struct UpcomingReminder: Hashable, Sendable {
    /// The reminder's key.
    public let key: String
    /// When it fires.
    public let instant: Instant
    /// The time that its rule names; nil for a snooze.
    public let civil: CivilDateTime?
}
