extension Rule {
    /// Makes a rule of days or longer with any times of day.
    ///
    /// BYHOUR, BYMINUTE and BYSECOND mean every combination of their values. Where the times are not all of their
    /// combinations, BYSETPOS chooses them, which a day's set allows: the rule then has to be daily, or weekly with an
    /// interval of 1 and weekdays, which is written as a daily one.
    ///
    /// - Throws: `invalidValue` without times, and for other rules with such times.
    package init(
        _ frequency: Frequency, interval: Int = 1, months: [Int] = [], monthDays: [Int] = [],
        weekdays: [WeekdayOrdinal] = [], at times: [TimeOfDay]
    ) throws(RecurrenceError) {
        guard !times.isEmpty else {
            throw RecurrenceError("at", found: "no time", allowed: "a time such as 09:00")
        }
        let times = Set(times)
        let hours = Set(times.map(\.hour)).sorted()
        let minutes = Set(times.map(\.minute)).sorted()
        let seconds = Set(times.map(\.second)).sorted()
        var positions: [Int] = []
        var period = frequency
        if hours.count * minutes.count * seconds.count != times.count {
            let isWeekly = frequency == .weekly && interval == 1 && !weekdays.isEmpty
            guard frequency == .daily || isWeekly else {
                throw RecurrenceError(
                    "at", found: times.sorted().map(\.description).joined(separator: ","),
                    allowed: "times with the same minutes; make a reminder each of others")
            }
            period = .daily
            var position = 0
            for hour in hours {
                for minute in minutes {
                    for second in seconds {
                        position += 1
                        if let time = TimeOfDay(hour: hour, minute: minute, second: second),
                            times.contains(time)
                        {
                            positions.append(position)
                        }
                    }
                }
            }
        }
        try self.init(
            period, interval: interval, months: months, monthDays: monthDays, weekdays: weekdays,
            hours: hours, minutes: minutes, seconds: seconds, setPositions: positions)
    }

    /// The same rule without COUNT.
    package var withoutCount: Rule {
        get throws(RecurrenceError) {
            try Rule(
                frequency, interval: interval, until: until, months: months, monthDays: monthDays,
                weekdays: weekdays, hours: hours, minutes: minutes, seconds: seconds,
                setPositions: setPositions, weekStart: weekStart, window: window)
        }
    }

    /// The same rule on other weekdays.
    package func on(_ weekdays: [WeekdayOrdinal]) throws(RecurrenceError) -> Rule {
        try Rule(
            frequency, interval: interval, count: count, until: until, months: months, monthDays: monthDays,
            weekdays: weekdays, hours: hours, minutes: minutes, seconds: seconds, setPositions: setPositions,
            weekStart: weekStart, window: window)
    }

    /// The same days at other times; steps within a day become these times of each day.
    package func at(_ times: [TimeOfDay]) throws(RecurrenceError) -> Rule {
        let timed = try Rule(
            frequency.isSubdaily ? .daily : frequency, interval: frequency.isSubdaily ? 1 : interval,
            months: months, monthDays: monthDays, weekdays: weekdays, at: times)
        return try Rule(
            timed.frequency, interval: timed.interval, count: count, until: until, months: months,
            monthDays: monthDays, weekdays: weekdays, hours: timed.hours, minutes: timed.minutes,
            seconds: timed.seconds, setPositions: timed.setPositions, weekStart: weekStart)
    }
}
