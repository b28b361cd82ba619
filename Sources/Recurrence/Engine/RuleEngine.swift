/// A rule with its start, worked out for the search: every list a bit mask, every default filled in.
///
/// All of it is civil: no zone, no instant. ``RuleCursor`` walks over its times.
struct RuleEngine: Hashable, Sendable {
    let frequency: Frequency
    let interval: Int
    /// No occurrence is before it; in civil seconds.
    let start: Int
    let days: MonthDays
    /// The times of one slot: of a day, or of an hour or a minute in rules that repeat within a day.
    let times: DayTimes
    /// Hours and minutes that slots shorter than a day must be in.
    let hourMask: UInt32
    let minuteMask: UInt64
    let setPositions: [Int]
    let weekStart: Weekday
    /// No time ever fits: 30 February, or an hour that the steps never meet.
    let isImpossible: Bool

    /// No occurrence is after this day.
    static let lastDay = CivilDate(uncheckedYear: RecurrenceLimits.yearMax, month: 12, day: 31).daysSince1970

    init(_ rule: Rule, start: CivilDateTime, monthEnd: MonthEndPolicy) {
        frequency = rule.frequency
        interval = rule.interval
        self.start = start.civilSeconds
        days = MonthDays(rule, start: start.date, monthEnd: monthEnd)
        let time = start.time
        let seconds = rule.seconds.isEmpty ? [time.second] : rule.seconds
        let minutes = rule.minutes.isEmpty ? [time.minute] : rule.minutes
        let hours = rule.hours.isEmpty ? [time.hour] : rule.hours
        times =
            switch rule.frequency {
            case .minutely: DayTimes(hours: [0], minutes: [0], seconds: seconds)
            case .hourly: DayTimes(hours: [0], minutes: minutes, seconds: seconds)
            default:
                rule.window.map { DayTimes($0) } ?? DayTimes(hours: hours, minutes: minutes, seconds: seconds)
            }
        hourMask = rule.hours.isEmpty ? (1 << 24) - 1 : rule.hours.reduce(0) { $0 | 1 << UInt32($1) }
        minuteMask = rule.minutes.isEmpty ? (1 << 60) - 1 : rule.minutes.reduce(0) { $0 | 1 << UInt64($1) }
        setPositions = rule.setPositions
        weekStart = rule.weekStart
        let slotCount = [.yearly: 366, .monthly: 31, .weekly: 7][rule.frequency] ?? 1
        let countMax = slotCount * times.count
        let isOutOfReach = !setPositions.isEmpty && rule.setPositions.allSatisfy { abs($0) > countMax }
        isImpossible =
            days.isImpossible || isOutOfReach
            || !Self.meetsItsHours(rule, start: start, hourMask: hourMask, minuteMask: minuteMask)
    }

    /// Whether the steps of a rule within a day ever meet its BYHOUR and BYMINUTE.
    private static func meetsItsHours(
        _ rule: Rule, start: CivilDateTime, hourMask: UInt32, minuteMask: UInt64
    ) -> Bool {
        guard rule.frequency.isSubdaily else { return true }
        let slotCount = 86_400 / rule.frequency.slotSeconds
        // Days after days, the steps meet every slot of the day at this distance from the first.
        let step = greatestCommonDivisor(rule.interval, slotCount)
        let first = start.time.secondsSinceMidnight / rule.frequency.slotSeconds % step
        return stride(from: first, to: slotCount, by: step).contains { slot in
            guard rule.frequency == .minutely else { return hourMask & 1 << UInt32(slot) != 0 }
            return hourMask & 1 << UInt32(slot / 60) != 0 && minuteMask & 1 << UInt64(slot % 60) != 0
        }
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : greatestCommonDivisor(right, left % right)
    }
}
