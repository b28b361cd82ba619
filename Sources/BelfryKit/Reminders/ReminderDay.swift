public import Recurrence

/// A day of the month.
public enum ReminderDay: Hashable, Sendable {
    /// 1 to 31; months that are shorter follow the schedule's month-end policy: their last day, unless changed.
    case day(Int)
    /// The last day, whatever its number.
    case last
    /// The nth of a weekday: `.nth(2, .tuesday)`; -1 is the last one. Months without a fifth one are left out.
    case nth(Int, Weekday)
}
