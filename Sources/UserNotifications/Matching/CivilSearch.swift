internal import Recurrence

/// Finds the next civil time, without a zone, that a calendar trigger's parts match.
struct CivilSearch: Sendable {
    let days: DayMatch
    let times: TimeMatch

    /// The Gregorian calendar repeats after 400 years: what does not come by then never does.
    private static let monthCountMax = 400 * 12 + 1
    /// Years that `CivilDate` has.
    private static let yearMax = 9998

    /// The first matching civil time at or after another, in civil seconds since 1970; nil when there is none.
    func first(from start: Int) -> Int? {
        var day = start >= 0 ? start / 86_400 : -((86_399 - start) / 86_400)
        if let time = times.first(from: start - day * 86_400), self.day(from: day) == day {
            return day * 86_400 + time
        }
        day += 1
        guard let next = self.day(from: day), let time = times.first(from: 0) else { return nil }
        return next * 86_400 + time
    }

    /// The first matching day at or after another.
    private func day(from start: Int) -> Int? {
        var (year, month, _) = CivilDate(daysSince1970: start).components
        // The first of a month may stand for a day that the month before lacks.
        month -= 1
        if month == 0 { (year, month) = (year - 1, 12) }
        var found: Int?
        for _ in 0...Self.monthCountMax {
            if let wanted = days.year {
                if wanted < year { return found }
                if wanted > year { (year, month) = (wanted, 1) }
            }
            guard year <= Self.yearMax else { return found }
            if let day = days.firstDay(year: year, month: month, from: start) {
                // A later month can only be earlier than a shifted day by being the month it shifted into.
                if let earlier = found { return min(earlier, day) }
                guard day >= start else { return nil }
                if isShifted(day, outOf: month, year: year) { found = day } else { return day }
            } else if let found {
                return found
            }
            month += 1
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        return found
    }

    private func isShifted(_ day: Int, outOf month: Int, year: Int) -> Bool {
        CivilDate(daysSince1970: day).components.month != month
    }
}
