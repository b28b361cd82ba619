public import BelfryKit
internal import Recurrence

/// What the user chose on the settings screen.
public struct WashHandsSettings: Hashable, Sendable, Codable {
    /// The switch at the top.
    public var isOn = true
    /// The first reminder of a day, such as `08:00`.
    public var start = "08:00"
    /// The end of the window; before the start it is on the next morning.
    public var end = "20:00"
    /// How often.
    public var minutesBetween = 120
    /// The chosen days, 1 for Monday to 7 for Sunday.
    public var days: Set<Int> = [1, 2, 3, 4, 5]

    /// Makes the settings that a new user has.
    public init() {}

    /// When the reminder fires.
    ///
    /// - Throws: what is wrong, in words for the screen.
    public func schedule() throws(BelfryKitError) -> ReminderSchedule {
        try .every(
            minutesBetween, .minutes, from: ReminderTime(start), to: ReminderTime(end),
            on: Set(days.compactMap { Weekday(rawValue: $0) }))
    }
}
