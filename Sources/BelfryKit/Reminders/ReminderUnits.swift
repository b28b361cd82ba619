/// A unit of steps within a day.
public enum ReminderClockUnit: Hashable, Sendable {
    /// Minutes of the wall clock.
    case minutes
    /// Hours of the wall clock.
    case hours
}

/// A unit of steps from day to day.
public enum ReminderCalendarUnit: Hashable, Sendable {
    /// Days of the calendar.
    case days
    /// Weeks, which begin on Monday.
    case weeks
}
