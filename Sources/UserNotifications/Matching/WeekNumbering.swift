internal import Recurrence

/// How weeks are counted: the day they begin on, and how many days of a year or month make its first week.
struct WeekNumbering: Hashable, Sendable {
    /// Sunday is 1.
    let firstWeekday: Int
    let minimumDaysInFirstWeek: Int

    init(firstWeekday: Int, minimumDaysInFirstWeek: Int) {
        self.firstWeekday = (1...7).contains(firstWeekday) ? firstWeekday : 1
        self.minimumDaysInFirstWeek = (1...7).contains(minimumDaysInFirstWeek) ? minimumDaysInFirstWeek : 1
    }

    /// Sunday is 1; 1970 began on a Thursday.
    static func appleWeekday(ofDay day: Int) -> Int {
        let remainder = (day + 4) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// 0 for the days before a month's first whole enough week.
    func weekOfMonth(day: Int, dayOfMonth: Int) -> Int {
        let first = firstWeekStart(ofSpanFrom: day - dayOfMonth + 1)
        return day < first ? 0 : (day - first) / 7 + 1
    }

    /// The week and the year that it belongs to, which around New Year is not the day's.
    func weekOfYear(day: Int, year: Int, yearStart: Int) -> (year: Int, week: Int) {
        let first = firstWeekStart(ofSpanFrom: yearStart)
        if day < first {
            let start = yearStart - Self.dayCount(ofYear: year - 1)
            return (year - 1, (day - firstWeekStart(ofSpanFrom: start)) / 7 + 1)
        }
        if day >= firstWeekStart(ofSpanFrom: yearStart + Self.dayCount(ofYear: year)) { return (year + 1, 1) }
        return (year, (day - first) / 7 + 1)
    }

    /// Where the first week of a year or month begins: up to six days before it or after.
    private func firstWeekStart(ofSpanFrom start: Int) -> Int {
        let daysIntoWeek = (Self.appleWeekday(ofDay: start) - firstWeekday + 7) % 7
        let weekStart = start - daysIntoWeek
        return 7 - daysIntoWeek >= minimumDaysInFirstWeek ? weekStart : weekStart + 7
    }

    private static func dayCount(ofYear year: Int) -> Int {
        CivilDate.dayCount(ofMonth: 2, year: year) + 337
    }
}
