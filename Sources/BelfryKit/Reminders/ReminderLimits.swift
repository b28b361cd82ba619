/// The limits of reminders, each with its reason.
public enum ReminderLimits {
    /// How many requests of an app can be pending; more are dropped without a word (measured on iOS 18).
    public static let pendingCountMax = 64
    /// How many of them the planner uses, other code's requests included: four are left for that code to add some.
    public static let slotCount = 60
    /// How many reminders are kept: they are read and written as one value of about 300 bytes each.
    public static let reminderCountMax = 10_000
    /// Bytes of a key, which is part of identifiers.
    public static let keyByteCountMax = 200
    /// The longest time until what fires once after some seconds: 100 years.
    public static let afterSecondsMax = 3_155_760_000.0
    /// How many snoozes a reminder has at once; the earliest goes first.
    public static let snoozeCountMax = 8
    /// How many skipped occurrences a reminder keeps.
    public static let exclusionCountMax = 1000
    /// How many nights of quiet hours are passed over in search of an occurrence that comes, before there counts as none:
    /// rules have the same times each day, or within a few weeks.
    static let quietNightCountMax = 40
    /// The same for a reminder of another zone, which summer time may bring out of quiet hours.
    static let foreignQuietNightCountMax = 400
    /// How long a reminder that has ended can still be read, changed and snoozed, in seconds: 7 days.
    static let endedRetentionSeconds: Int64 = 7 * 86_400
    /// Instants nearer than this are given to the system as an interval, since a date may pass before it is read.
    static let intervalTriggerSecondsMax = 10.0
    /// A pending request whose time has just come is left alone for so long: it is about to be shown.
    static let dueGraceMilliseconds: Int64 = 60_000
    /// How far ahead changes of the clocks are looked at for repeating triggers: 5 years, then the app was opened.
    static let clockChangeSecondsMax: Int64 = 5 * 366 * 86_400
}
