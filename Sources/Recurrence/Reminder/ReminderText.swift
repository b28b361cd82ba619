/// Rules as one line of plain words: `daily at 09:00`.
///
/// Words are read in upper or lower case, times with 24 hours:
///
///     daily at 09:00
///     weekly on mon,wed at 08:00
///     monthly on 15 at 12:00        monthly on last at 18:30        monthly on 2nd tue at 10:00
///     yearly on 02-29 at 09:00
///     every 3 days at 09:00         every 2 weeks on fri at 17:00   every 6 months on 1 at 08:00
///     every 2 hours                 every 20 minutes from 08:00 to 20:00 on mon-fri
///
/// `at` may be followed by several times: `daily at 08:00,20:15`. In monthly and yearly reminders, and in weekly ones of
/// an interval, they must be all combinations of their hours and minutes, as `08:00,20:00` are. A reminder is meant to be
/// evaluated with ``MonthEndPolicy/lastDay``.
public enum ReminderText {
    /// Whether a text is to be read here rather than as a rule of RFC 5545.
    public static func isReminder(_ text: String) -> Bool { !text.contains("=") }

    /// Reads a line.
    ///
    /// - Throws: `invalidValue`, `missingPart` or `repeatedPart`, with the part that is wrong.
    public static func rule(_ text: String) throws(RecurrenceError) -> Rule {
        guard text.utf8.count <= RecurrenceLimits.ruleTextByteCountMax else {
            throw RecurrenceError(
                code: .tooLong, field: "reminder",
                message:
                    "reminder: \(text.utf8.count) bytes; allowed: \(RecurrenceLimits.ruleTextByteCountMax)")
        }
        var reader = ReminderReader(text)
        return try reader.rule()
    }
}
