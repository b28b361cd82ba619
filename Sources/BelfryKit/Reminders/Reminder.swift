public import Recurrence

/// A schedule and a content under a key.
public struct Reminder: Hashable, Sendable {
    /// What the app calls it; setting another one of the same key takes its place.
    public let key: String
    /// When it fires.
    public var schedule: ReminderSchedule
    /// What it says.
    public var content: ReminderContent
    /// When it fires besides its schedule, in order, because the user put it off.
    public internal(set) var snoozes: [Instant] = []
    /// Since when it is known to have no occurrence any more.
    var endedSince: Instant?

    /// Makes a reminder.
    public init(_ key: String, _ schedule: ReminderSchedule, _ content: ReminderContent) {
        self.key = key
        self.schedule = schedule
        self.content = content
    }

    static func check(key: String) throws(BelfryKitError) {
        guard !key.isEmpty, key.utf8.count <= ReminderLimits.keyByteCountMax else {
            throw BelfryKitError(
                .invalidKey, "key", found: key, allowed: "1 to \(ReminderLimits.keyByteCountMax) bytes")
        }
    }
}
