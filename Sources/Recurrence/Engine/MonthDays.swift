/// Which days of a month a rule's BYMONTH, BYMONTHDAY and BYDAY let through, as one bit a day.
struct MonthDays: Hashable, Sendable {
    /// Bit 1 for January.
    private var monthMask = 0x1ffe
    private var hasMonthDays = false
    /// Bit 0 for the first day.
    private var positiveDays: UInt32 = 0
    private var negativeDays: [Int] = []
    private var hasWeekdays = false
    /// Bit 0 for Monday.
    private var everyWeekday = 0
    private var ordinals: [WeekdayOrdinal] = []
    private var countsOrdinalsInYear = false
    private var monthEnd = MonthEndPolicy.skip

    private static let februaryDayCountMax = 29

    /// - Parameter start: gives month, day and weekday to a rule that names none (RFC 5545, section 3.3.10).
    init(_ rule: Rule, start: CivilDate, monthEnd: MonthEndPolicy) {
        var months = rule.months
        var days = rule.monthDays
        var weekdays = rule.weekdays
        if days.isEmpty, weekdays.isEmpty {
            switch rule.frequency {
            case .yearly:
                if months.isEmpty { months = [start.components.month] }
                days = [start.components.day]
            case .monthly: days = [start.components.day]
            case .weekly: weekdays = [WeekdayOrdinal(start.weekday)]
            case .daily, .hourly, .minutely: break
            }
        }
        if !months.isEmpty { monthMask = months.reduce(0) { $0 | 1 << $1 } }
        hasMonthDays = !days.isEmpty
        for day in days {
            if day > 0 { positiveDays |= 1 << UInt32(day - 1) } else { negativeDays.append(day) }
        }
        hasWeekdays = !weekdays.isEmpty
        for weekday in weekdays {
            if weekday.ordinal == nil {
                everyWeekday |= 1 << (weekday.weekday.rawValue - 1)
            } else {
                ordinals.append(weekday)
            }
        }
        countsOrdinalsInYear = rule.frequency == .yearly && rule.months.isEmpty
        self.monthEnd = monthEnd
    }

    /// Whether no month of any year has such a day: 30 February.
    var isImpossible: Bool {
        guard hasMonthDays, monthEnd == .skip || positiveDays == 0 else { return false }
        return !(1...12).contains { month in
            guard monthMask & 1 << month != 0 else { return false }
            let length = month == 2 ? Self.februaryDayCountMax : CivilDate.dayCount(ofMonth: month, year: 1)
            let isFound = positiveDays & UInt32((1 << length) - 1) != 0
            return isFound || negativeDays.contains { -$0 <= length }
        }
    }

    /// The days of one month.
    ///
    /// - Parameters:
    ///   - first: the number of its first day.
    ///   - length: how many days it has.
    func mask(year: Int, month: Int, first: Int, length: Int) -> UInt32 {
        guard monthMask & 1 << month != 0 else { return 0 }
        var mask = UInt32((1 << length) - 1)
        if hasMonthDays {
            var days = positiveDays
            if monthEnd == .lastDay, days >> UInt32(length) != 0 { days |= 1 << UInt32(length - 1) }
            for day in negativeDays where length + day >= 0 { days |= 1 << UInt32(length + day) }
            mask &= days
        }
        if hasWeekdays { mask &= weekdayMask(year: year, first: first, length: length) }
        return mask
    }

    private func weekdayMask(year: Int, first: Int, length: Int) -> UInt32 {
        var mask: UInt32 = 0
        let firstWeekday = CivilDate.weekdayIndex(ofDay: first)
        for weekday in 0..<7 where everyWeekday & 1 << weekday != 0 {
            // Every seventh day, moved to the first one with this weekday.
            mask |= 0b1_0000001_0000001_0000001_0000001 << UInt32((weekday - firstWeekday).modulo(7))
        }
        for ordinal in ordinals {
            var spanStart = first
            var spanLength = length
            if countsOrdinalsInYear {
                spanStart = CivilDate(uncheckedYear: year, month: 1, day: 1).daysSince1970
                spanLength = CivilDate.dayCount(ofMonth: 2, year: year) + 337
            }
            guard let day = Self.day(of: ordinal, from: spanStart, length: spanLength) else { continue }
            if day >= first, day < first + length { mask |= 1 << UInt32(day - first) }
        }
        return mask
    }

    /// The number of the nth weekday among some days; nil when there are fewer.
    private static func day(of weekday: WeekdayOrdinal, from start: Int, length: Int) -> Int? {
        guard let ordinal = weekday.ordinal else { return nil }
        let offset = (weekday.weekday.rawValue - 1 - CivilDate.weekdayIndex(ofDay: start)).modulo(7)
        let count = (length - 1 - offset) / 7 + 1
        let index = ordinal > 0 ? ordinal - 1 : count + ordinal
        return (0..<count).contains(index) ? start + offset + index * 7 : nil
    }
}
