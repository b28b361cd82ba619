public import Recurrence

extension ReminderSchedule {
    // MARK: Once

    /// Once, at an instant: the same everywhere.
    public static func once(at instant: Instant) -> ReminderSchedule {
        ReminderSchedule(.once(.instant(instant.roundedUpToSeconds)))
    }

    /// Once, when the clock shows a civil time: that of the device, wherever it is, unless a zone is set.
    public static func once(at civil: CivilDateTime) -> ReminderSchedule {
        ReminderSchedule(.once(.civil(civil)))
    }

    /// Once, so many seconds after it is set.
    ///
    /// - Throws: `invalidSchedule` unless they are above 0 and at most 100 years.
    public static func after(seconds: Double) throws(BelfryKitError) -> ReminderSchedule {
        guard seconds > 0, seconds <= ReminderLimits.afterSecondsMax else {
            throw BelfryKitError(
                .invalidSchedule, "seconds", found: "\(seconds)",
                allowed: "above 0, at most \(Int(ReminderLimits.afterSecondsMax)) (100 years)")
        }
        return ReminderSchedule(.after(seconds))
    }

    // MARK: Days, weeks, months, years

    /// Each day at one or more times.
    public static func daily(at times: ReminderTime...) throws(BelfryKitError) -> ReminderSchedule {
        try repeating(.daily, at: times)
    }

    /// Each week on some days, at one or more times.
    ///
    /// - Throws: `invalidSchedule` when no day is given.
    public static func weekly(
        on weekdays: Set<Weekday>, at times: ReminderTime...
    ) throws(BelfryKitError) -> ReminderSchedule {
        try repeating(.weekly, on: weekdays, at: times)
    }

    /// Each month on a day.
    public static func monthly(
        on day: ReminderDay, at time: ReminderTime
    ) throws(BelfryKitError) -> ReminderSchedule {
        switch day {
        case .day(let number):
            guard (1...31).contains(number) else {
                throw BelfryKitError(.invalidSchedule, "day", found: "\(number)", allowed: "1 to 31")
            }
            return try repeating(.monthly, monthDays: [number], at: [time])
        case .last:
            return try repeating(.monthly, monthDays: [-1], at: [time])
        case .nth(let ordinal, let weekday):
            let ordinals = [WeekdayOrdinal(weekday, ordinal: ordinal)]
            return try repeating(.monthly, ordinals: ordinals, at: [time])
        }
    }

    /// Each year on a day; 29 February is the 28th in other years, unless the month-end policy is changed.
    public static func yearly(
        month: Int, day: Int, at time: ReminderTime
    ) throws(BelfryKitError) -> ReminderSchedule {
        guard CivilDate(year: 2000, month: month, day: day) != nil else {
            throw BelfryKitError(
                .invalidSchedule, "day", found: "month \(month), day \(day)", allowed: "a day of the calendar"
            )
        }
        return try repeating(.yearly, months: [month], monthDays: [day], at: [time])
    }

    /// Every so many days, or weeks on some days.
    ///
    /// - Parameters:
    ///   - interval: how many.
    ///   - unit: days or weeks.
    ///   - time: the time of day.
    ///   - weekdays: nil for all days, in weeks for the weekday of the start.
    public static func every(
        _ interval: Int, _ unit: ReminderCalendarUnit, at time: ReminderTime, on weekdays: Set<Weekday>? = nil
    ) throws(BelfryKitError) -> ReminderSchedule {
        try repeating(unit == .days ? .daily : .weekly, every: interval, on: weekdays, at: [time])
    }

    // MARK: Within a day

    /// Every so many minutes or hours of the wall clock, counted from a full hour: all day, on some days.
    public static func every(
        _ interval: Int, _ unit: ReminderClockUnit, on weekdays: Set<Weekday>? = nil
    ) throws(BelfryKitError) -> ReminderSchedule {
        let days = try plain(weekdays)
        return try ReminderSchedule(
            .rule(
                BelfryKitError.rules { () throws(RecurrenceError) in
                    try Rule(
                        unit == .hours ? .hourly : .minutely, interval: interval, weekdays: days,
                        minutes: unit == .hours ? [0] : [], seconds: [0])
                }))
    }

    /// Every so many minutes or hours from one time to another, both included, on some days.
    ///
    /// It begins anew each day. A window that ends before it starts goes on after midnight and belongs to the day on
    /// which it starts; one that ends when it starts fires once a day.
    public static func every(
        _ interval: Int, _ unit: ReminderClockUnit, from start: ReminderTime, to end: ReminderTime,
        on weekdays: Set<Weekday>? = nil
    ) throws(BelfryKitError) -> ReminderSchedule {
        let days = try plain(weekdays)
        let first = try start.timeOfDay("from")
        let last = try end.timeOfDay("to")
        let (minutes, isTooLarge) = interval.multipliedReportingOverflow(by: unit == .hours ? 60 : 1)
        guard interval >= 1, !isTooLarge else {
            throw BelfryKitError(.invalidSchedule, "every", found: "\(interval)", allowed: "1 or more")
        }
        return try ReminderSchedule(
            .rule(
                BelfryKitError.rules { () throws(RecurrenceError) in
                    let window = try DayWindow(from: first, to: last, everyMinutes: minutes)
                    return try Rule(.daily, weekdays: days, window: window)
                }))
    }

    // MARK: Text

    /// A rule of RFC 5545: `FREQ=MONTHLY;BYDAY=2TU;BYHOUR=10`.
    ///
    /// A rule that names no hour takes its time from the start, which is then needed.
    public static func rrule(_ text: String) throws(BelfryKitError) -> ReminderSchedule {
        let rule = try BelfryKitError.rules { () throws(RecurrenceError) in try Rule(text) }
        var schedule = ReminderSchedule(.rule(rule))
        schedule.monthEndPolicy = .skip
        return schedule
    }

    /// A line of plain words: `daily at 09:00`; all that `ReminderText` reads, or a rule of RFC 5545.
    public static func text(_ text: String) throws(BelfryKitError) -> ReminderSchedule {
        guard ReminderText.isReminder(text) else { return try rrule(text) }
        return try ReminderSchedule(
            .rule(BelfryKitError.rules { () throws(RecurrenceError) in try ReminderText.rule(text) }))
    }

    // MARK: Parts

    private static func repeating(
        _ frequency: Frequency, every interval: Int = 1, months: [Int] = [], monthDays: [Int] = [],
        ordinals: [WeekdayOrdinal] = [], on weekdays: Set<Weekday>? = nil, at times: [ReminderTime]
    ) throws(BelfryKitError) -> ReminderSchedule {
        let days = try plain(weekdays) + ordinals
        var clock: [TimeOfDay] = []
        for time in times { clock.append(try time.timeOfDay("at")) }
        return try ReminderSchedule(
            .rule(
                BelfryKitError.rules { () throws(RecurrenceError) in
                    try Rule(
                        frequency, interval: interval, months: months, monthDays: monthDays, weekdays: days,
                        at: clock)
                }))
    }

    /// The weekdays of a rule.
    static func plain(_ weekdays: Set<Weekday>?) throws(BelfryKitError) -> [WeekdayOrdinal] {
        guard let weekdays else { return [] }
        guard !weekdays.isEmpty else {
            throw BelfryKitError(.invalidSchedule, "on", found: "no day", allowed: "one weekday or more")
        }
        return weekdays.sorted().map { WeekdayOrdinal($0) }
    }
}

extension Instant {
    /// The next whole second; triggers have no parts of one.
    var roundedUpToSeconds: Instant {
        Instant(secondsSince1970: advanced(byMilliseconds: 999).secondsSince1970)
    }
}
