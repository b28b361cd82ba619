internal import Recurrence

/// Rules that are exactly a few of the system's repeating triggers, which never run dry.
///
/// The triggers know hour, minute, second, weekday, and the day of a month that every year has. They have no start, no
/// end, no step over days, and one behaviour at a change of the clocks: a skipped time fires as much later as the
/// clocks jump, a repeated one fires the first time (measured on iOS 18).
enum RepeatingForm {
    /// The triggers of a rule without its bounds; nil when it is none, or more than `countMax`.
    static func triggers(of rule: Rule, start: Moment, countMax: Int) -> [RepeatingTrigger]? {
        guard rule.count == nil, rule.until == nil,
            let times = times(of: rule, start: start, countMax: countMax),
            let days = days(of: rule, start: start), times.count * days.count <= countMax
        else { return nil }
        var found: Set<RepeatingTrigger> = []
        var triggers: [RepeatingTrigger] = []
        for day in days {
            for time in times {
                // The part of a window after midnight is on the next day.
                let isNextDay = time >= 86_400
                guard let clock = TimeOfDay(secondsSinceMidnight: time % 86_400) else { return nil }
                if isNextDay, day.day != nil { return nil }
                let weekday =
                    isNextDay ? day.weekday.flatMap { Weekday(rawValue: $0.rawValue % 7 + 1) } : day.weekday
                let trigger = RepeatingTrigger(month: day.month, day: day.day, weekday: weekday, time: clock)
                // A window of a whole day meets its start again, on the next day.
                if found.insert(trigger).inserted { triggers.append(trigger) }
            }
        }
        return triggers
    }

    private typealias Day = (month: Int?, day: Int?, weekday: Weekday?)

    private static func days(of rule: Rule, start: Moment) -> [Day]? {
        guard rule.weekdays.allSatisfy({ $0.ordinal == nil }) else { return nil }
        switch rule.frequency {
        case .daily, .hourly, .minutely, .weekly:
            guard rule.months.isEmpty, rule.monthDays.isEmpty else { return nil }
            if rule.weekdays.count == 7 { return [(nil, nil, nil)] }
            if !rule.weekdays.isEmpty { return rule.weekdays.map { (nil, nil, $0.weekday) } }
            guard rule.frequency == .weekly else { return [(nil, nil, nil)] }
            return start.civilDate.map { [(nil, nil, $0.weekday)] }
        case .monthly:
            guard rule.weekdays.isEmpty, rule.months.isEmpty else { return nil }
            let days = rule.monthDays.isEmpty ? [start.civilDate?.components.day ?? 0] : rule.monthDays
            guard days.allSatisfy({ (1...28).contains($0) }) else { return nil }
            return days.map { (nil, $0, nil) }
        case .yearly:
            guard rule.weekdays.isEmpty, !rule.months.isEmpty, !rule.monthDays.isEmpty else { return nil }
            var days: [Day] = []
            for month in rule.months {
                for day in rule.monthDays {
                    // The days of a year that is not a leap year.
                    guard day >= 1, day <= CivilDate.dayCount(ofMonth: month, year: 2001) else { return nil }
                    days.append((month, day, nil))
                }
            }
            return days
        }
    }

    /// Seconds since the midnight of their day, in order.
    private static func times(of rule: Rule, start: Moment, countMax: Int) -> [Int]? {
        guard let startTime = start.civilTime else { return nil }
        let seconds = rule.seconds.isEmpty ? [startTime.second] : rule.seconds
        switch rule.frequency {
        case .hourly, .minutely:
            let slotsPerDay = rule.frequency == .hourly ? 24 : 1440
            // Steps that do not divide the day are at other times each day.
            guard slotsPerDay % rule.interval == 0, slotsPerDay / rule.interval <= countMax * 24,
                rule.setPositions.isEmpty
            else { return nil }
            let startSlot = startTime.secondsSinceMidnight / (86_400 / slotsPerDay)
            var minutes = rule.minutes
            if rule.frequency == .minutely { minutes = [0] }
            if minutes.isEmpty { minutes = [startTime.minute] }
            var times: [Int] = []
            for slot in stride(from: startSlot % rule.interval, to: slotsPerDay, by: rule.interval) {
                let base = slot * (86_400 / slotsPerDay)
                if !rule.hours.isEmpty, !rule.hours.contains(base / 3600) { continue }
                if rule.frequency == .minutely, !rule.minutes.isEmpty, !rule.minutes.contains(base / 60 % 60)
                {
                    continue
                }
                for minute in minutes { times += seconds.map { base + minute * 60 + $0 } }
                guard times.count <= countMax else { return nil }
            }
            return times
        case .daily, .weekly, .monthly, .yearly:
            guard rule.interval == 1 else { return nil }
            if let window = rule.window {
                guard window.timeCount <= countMax, rule.setPositions.isEmpty else { return nil }
                let first = window.start.secondsSinceMidnight
                return (0..<window.timeCount).map { first + $0 * window.stepMinutes * 60 }
            }
            guard rule.setPositions.isEmpty || rule.frequency == .daily else { return nil }
            var times: [Int] = []
            for hour in rule.hours.isEmpty ? [startTime.hour] : rule.hours {
                for minute in rule.minutes.isEmpty ? [startTime.minute] : rule.minutes {
                    times += seconds.map { hour * 3600 + minute * 60 + $0 }
                }
            }
            guard !rule.setPositions.isEmpty else { return times.count <= countMax ? times : nil }
            let chosen = Set(
                rule.setPositions.map { $0 > 0 ? $0 - 1 : times.count + $0 }.filter {
                    times.indices.contains($0)
                })
            return chosen.count <= countMax ? chosen.sorted().map { times[$0] } : nil
        }
    }

    // MARK: Changes of the clocks

    /// Whether a change of the clocks would let two of the times fire at one instant, where the rule fires once.
    ///
    /// - Parameters:
    ///   - isFloating: whether the device may take the rule into any zone. Where clocks are put forward year by year it
    ///     is between 22:00 and 04:00, by half an hour, an hour or two (the time zone database's rules of today).
    ///   - transitions: the changes of the zone at hand.
    static func collide(_ triggers: [RepeatingTrigger], isFloating: Bool, transitions: [ClockChange]) -> Bool
    {
        guard triggers.count > 1 else { return false }
        let times = Set(triggers.map(\.time.secondsSinceMidnight))
        guard times.count > 1 else { return false }
        for time in times {
            if isFloating, time >= 22 * 3600 || time < 4 * 3600 {
                for jump in [1800, 3600, 7200] where times.contains((time + jump) % 86_400) { return true }
            }
            for change in transitions where change.isSkipped(time) {
                if times.contains((time + change.jump) % 86_400) { return true }
            }
        }
        return false
    }
}

/// Clocks put forward: from what they showed, by how many seconds.
struct ClockChange: Hashable, Sendable {
    var secondsSinceMidnight: Int
    var jump: Int

    func isSkipped(_ time: Int) -> Bool {
        let distance = (time - secondsSinceMidnight + 86_400) % 86_400
        return distance < jump
    }

    /// The changes of a zone from an instant on, for so many seconds.
    static func changes(in zone: Zone, after instant: Instant, seconds: Int64) -> [ClockChange] {
        var changes: [ClockChange] = []
        var position = instant
        let end = instant.advanced(bySeconds: seconds)
        while let next = zone.nextTransition(after: position), next < end {
            let before = zone.offsetSeconds(at: next.advanced(bySeconds: -1))
            let jump = zone.offsetSeconds(at: next) - before
            if jump > 0 {
                let civil = zone.civil(at: next.advanced(bySeconds: -1)).time.secondsSinceMidnight + 1
                changes.append(ClockChange(secondsSinceMidnight: civil % 86_400, jump: jump))
            }
            position = next
        }
        return changes
    }
}

extension Moment {
    /// The day on the wall; nil for an instant.
    var civilDate: CivilDate? {
        switch self {
        case .instant: nil
        case .civil(let civil): civil.date
        case .date(let date): date
        }
    }

    /// The time on the wall; nil for an instant.
    var civilTime: TimeOfDay? {
        switch self {
        case .instant: nil
        case .civil(let civil): civil.time
        case .date: .midnight
        }
    }
}
