package import BelfryKit
package import Recurrence

/// Makes up schedules of every kind.
package struct ScheduleGenerator {
    package static let zones = [
        "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Cairo",
        "America/Havana", "America/Santiago", "Asia/Beirut", "America/Nuuk", "Asia/Kolkata",
        "Pacific/Chatham",
        "America/St_Johns", "Asia/Tokyo", "UTC", "Pacific/Auckland", "Europe/London",
    ]

    package var random: SeededGenerator
    /// Times between 05:00 and 21:00 only, where no clock is changed.
    package var isPlain: Bool

    package init(random: SeededGenerator, isPlain: Bool) {
        self.random = random
        self.isPlain = isPlain
    }

    package mutating func time() -> ReminderTime {
        ReminderTime(
            hour: isPlain
                ? random.number(5...20) : random.one(of: [random.number(0...4), random.number(0...23)]),
            minute: random.one(of: [0, 0, 15, 30, 30, 45, random.number(0...59)]))
    }

    private mutating func weekdays() -> Set<Weekday> {
        var days: Set<Weekday> = [random.one(of: Weekday.allCases)]
        for day in Weekday.allCases where random.maybe(40) { days.insert(day) }
        return days
    }

    package mutating func schedule(now: Instant, zone: Zone) throws -> ReminderSchedule {
        var schedule = try rule(now: now, zone: zone)
        guard schedule.rule != nil else { return schedule }
        let today = zone.civil(at: now).date
        func day(_ count: Int) -> Moment { .date(CivilDate(daysSince1970: today.daysSince1970 + count)) }
        if random.maybe(20) { schedule = schedule.starting(day(random.number(-20...20))) }
        if random.maybe(15) { schedule = schedule.ending(day(random.number(25...80))) }
        if random.maybe(15) { schedule = schedule.limited(to: random.number(1...40)) }
        if random.maybe(15) {
            schedule = schedule.excluding(day(random.number(0...10)), day(random.number(0...60)))
        }
        if !isPlain {
            if random.maybe(20) { schedule = schedule.gap(random.one(of: GapPolicy.allCases)) }
            if random.maybe(20) { schedule = schedule.fold(random.one(of: FoldPolicy.allCases)) }
        }
        if random.maybe(20) {
            schedule = schedule.inZone(.fixed(try Zone(random.one(of: Self.zones))))
        } else if random.maybe(10) {
            schedule = schedule.inZone(.instant)
        }
        return schedule
    }

    private mutating func rule(now: Instant, zone: Zone) throws -> ReminderSchedule {
        switch random.number(0...13) {
        case 0, 1: return try .daily(at: time())
        case 2: return try .daily(at: time(), time(), time())
        case 3, 4: return try .weekly(on: weekdays(), at: time())
        case 5:
            return try .monthly(
                on: random.one(of: [
                    .day(random.number(1...31)), .last, .nth(random.one(of: [1, 2, -1]), .tuesday),
                ]),
                at: time())
        case 6: return try .yearly(month: random.number(1...12), day: random.number(1...28), at: time())
        case 7: return try .every(random.number(1...5), .days, at: time())
        case 8: return try .every(random.number(1...3), .weeks, at: time(), on: weekdays())
        case 9:
            return isPlain
                ? try .every(random.number(1...5), .hours, from: "06:00", to: time(), on: weekdays())
                : try .every(random.number(1...5), .hours, on: random.maybe(50) ? weekdays() : nil)
        case 10, 11:
            return isPlain
                ? try .every(random.number(30...200), .minutes, from: "05:30", to: "20:30", on: weekdays())
                : try .every(random.number(30...200), .minutes, from: time(), to: time(), on: weekdays())
        case 12:
            return .once(at: now.advanced(bySeconds: Int64(random.number(1...80 * 86_400))))
        default:
            let day = CivilDate(daysSince1970: zone.civil(at: now).date.daysSince1970 + random.number(1...80))
            return .once(at: CivilDateTime(day, try time().timeOfDay()))
        }
    }
}
