/// What happens when a month lacks the day that a rule names, such as the 31st or 29 February.
public enum MonthEndPolicy: String, CaseIterable, Hashable, Sendable {
    /// The month is left out: RFC 5545 (section 3.3.10), and the default of rules.
    case skip
    /// The last day of the month takes its place: the default of reminders.
    case lastDay = "last-day"
}
