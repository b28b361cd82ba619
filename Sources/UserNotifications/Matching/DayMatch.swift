internal import Recurrence

/// The parts of a calendar trigger that choose days.
///
/// All given parts have to match. Where the smallest given part spans days (a month, a week), its first day counts,
/// unless a time of day is given: then each of its days does.
struct DayMatch: Sendable {
    let year: Int?
    private let weekYear: Int?
    private let quarter: Int?
    private let month: Int?
    private let weekOfMonth: Int?
    private let weekOfYear: Int?
    private let weekday: Int?
    private let weekdayOrdinal: Int?
    private let day: Int?
    private let dayOfYear: Int?
    private let weeks: WeekNumbering
    private let firstDayOnly: Bool
    private let missingDay: MissingDayPolicy
    /// Whether the parts are ones that a month can lack, by day number alone.
    private let canMissDay: Bool

    /// Nil when there is nothing to match, or a part is out of its range.
    init?(_ match: CalendarMatch, context: TriggerContext) {
        let calendar = match.calendar ?? context.calendar
        guard match.diagnosis == nil, calendar != .other else { return nil }
        let hasTime = match.hour != nil || match.minute != nil || match.second != nil
        let hasDay =
            match.day != nil || match.weekday != nil || match.weekdayOrdinal != nil || match.dayOfYear != nil
        let hasSpan =
            match.year != nil || match.month != nil || match.quarter != nil || match.weekOfMonth != nil
            || match.weekOfYear != nil || match.yearForWeekOfYear != nil
        guard hasTime || hasDay || hasSpan else { return nil }
        if let given = match.year {
            guard let year = calendar.gregorianYear(given, era: match.era) else { return nil }
            self.year = year
        } else {
            year = nil
            if let era = match.era, calendar.gregorianYear(1, era: era) == nil { return nil }
        }
        if let given = match.yearForWeekOfYear {
            guard let year = calendar.gregorianYear(given, era: nil) else { return nil }
            weekYear = year
        } else {
            weekYear = nil
        }
        quarter = match.quarter
        month = match.month
        weekOfMonth = match.weekOfMonth
        weekOfYear = match.weekOfYear
        weekday = match.weekday
        weekdayOrdinal = match.weekdayOrdinal
        day = match.day
        dayOfYear = match.dayOfYear
        weeks = WeekNumbering(
            firstWeekday: match.firstWeekday ?? (calendar == .iso8601 ? 2 : 1),
            minimumDaysInFirstWeek: match.minimumDaysInFirstWeek ?? (calendar == .iso8601 ? 4 : 1))
        firstDayOnly = !hasTime && !hasDay
        missingDay = context.policy.missingDay
        canMissDay =
            day != nil && weekday == nil && weekdayOrdinal == nil && dayOfYear == nil && weekOfMonth == nil
            && weekOfYear == nil && weekYear == nil
    }

    /// Whether any day of a month can match.
    func allows(year: Int, month: Int) -> Bool {
        if let wanted = self.year, wanted != year { return false }
        if let weekYear, abs(weekYear - year) > 1 { return false }
        if let wanted = self.month, wanted != month { return false }
        if let quarter, (month - 1) / 3 + 1 != quarter { return false }
        return true
    }

    /// The matching days of a month, from a day of it on, in order; nil when there is none.
    ///
    /// A day that the month lacks may fall on the first of the next one, by policy.
    func firstDay(year: Int, month: Int, from start: Int) -> Int? {
        guard allows(year: year, month: month), let first = CivilDate(year: year, month: month, day: 1) else {
            return nil
        }
        let count = CivilDate.dayCount(ofMonth: month, year: year)
        let origin = first.daysSince1970
        if let day, day > count { return missing(after: origin + count - 1, from: start) }
        let yearStart = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? origin
        var candidate = max(1, start - origin + 1)
        if let day {
            guard candidate <= day else { return nil }
            candidate = day
        }
        let last = day ?? count
        while candidate <= last {
            if matches(
                origin + candidate - 1, dayOfMonth: candidate, year: year, month: month, yearStart: yearStart)
            {
                return origin + candidate - 1
            }
            candidate += 1
        }
        return nil
    }

    private func missing(after lastDay: Int, from start: Int) -> Int? {
        guard canMissDay else { return nil }
        let day: Int
        switch missingDay {
        case .skip: return nil
        case .nextDay: day = lastDay + 1
        case .lastDay: day = lastDay
        }
        return day >= start ? day : nil
    }

    private func matches(_ number: Int, dayOfMonth: Int, year: Int, month: Int, yearStart: Int) -> Bool {
        let weekdayNumber = WeekNumbering.appleWeekday(ofDay: number)
        if let weekday, weekday != weekdayNumber { return false }
        if let weekdayOrdinal, weekdayOrdinal != (dayOfMonth - 1) / 7 + 1 { return false }
        if let dayOfYear, dayOfYear != number - yearStart + 1 { return false }
        if let weekOfMonth, weekOfMonth != weeks.weekOfMonth(day: number, dayOfMonth: dayOfMonth) {
            return false
        }
        if weekOfYear != nil || weekYear != nil {
            let found = weeks.weekOfYear(day: number, year: year, yearStart: yearStart)
            if let weekOfYear, weekOfYear != found.week { return false }
            if let weekYear, weekYear != found.year { return false }
        }
        guard firstDayOnly else { return true }
        if weekOfMonth != nil { return weekdayNumber == weeks.firstWeekday || dayOfMonth == 1 }
        if weekOfYear != nil { return weekdayNumber == weeks.firstWeekday }
        if weekYear != nil {
            return weekdayNumber == weeks.firstWeekday
                && weeks.weekOfYear(day: number, year: year, yearStart: yearStart).week == 1
        }
        if self.month != nil { return dayOfMonth == 1 }
        if quarter != nil { return dayOfMonth == 1 && (month - 1) % 3 == 0 }
        return number == yearStart
    }
}
