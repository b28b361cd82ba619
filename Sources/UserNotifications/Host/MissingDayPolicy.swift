/// What a calendar trigger for a day of the month does in a month that lacks the day.
public enum MissingDayPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the first of the next month at the same time.
    ///
    /// Apple documents nothing. It is what fits the measured behaviour at a change of the clocks (a time that is
    /// skipped fires as much later as the clocks jump).
    case nextDay = "next-day"
    /// The month is left out.
    case skip
    /// The last day of the month.
    case lastDay = "last-day"
}
