public import Recurrence

/// A time at which a reminder will fire.
public struct UpcomingReminder: Hashable, Sendable {
    /// The reminder's key.
    public let key: String
    /// When it fires.
    public let instant: Instant
    /// The time that its rule names, also when quiet hours postpone it; nil for a snooze.
    public let civil: CivilDateTime?
    /// What quiet hours do with it; nil when nothing.
    public let quietHours: QuietHours.Effect?
}
