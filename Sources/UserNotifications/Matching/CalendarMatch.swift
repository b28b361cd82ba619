internal import Foundation
package import Recurrence

/// The parts of a date that a calendar trigger waits for; a part that is nil may be anything.
package struct CalendarMatch: Hashable, Sendable, Codable {
    package var calendar: TriggerCalendar?
    /// 1 for Sunday to 7; nil for the calendar's own.
    package var firstWeekday: Int?
    package var minimumDaysInFirstWeek: Int?
    /// A name of the time zone database; nil for the device's zone of the moment.
    package var zoneName: String?
    /// The offset of a zone without a usable name.
    package var zoneOffsetSeconds: Int?

    package var era: Int?
    package var year: Int?
    package var yearForWeekOfYear: Int?
    package var quarter: Int?
    package var month: Int?
    package var isLeapMonth: Bool?
    package var weekOfMonth: Int?
    package var weekOfYear: Int?
    /// Sunday is 1.
    package var weekday: Int?
    package var weekdayOrdinal: Int?
    package var day: Int?
    package var dayOfYear: Int?
    package var hour: Int?
    package var minute: Int?
    package var second: Int?
    /// Kept, not matched: triggers fire on whole seconds.
    package var nanosecond: Int?

    package init() {}

    package init(_ components: DateComponents) {
        if let calendar = components.calendar {
            self.calendar = TriggerCalendar(calendar.identifier)
            firstWeekday = calendar.firstWeekday
            minimumDaysInFirstWeek = calendar.minimumDaysInFirstWeek
        }
        if let timeZone = components.timeZone {
            zoneName = timeZone.identifier
            zoneOffsetSeconds = timeZone.secondsFromGMT()
        }
        era = components.era
        year = components.year
        yearForWeekOfYear = components.yearForWeekOfYear
        quarter = components.quarter
        month = components.month
        isLeapMonth = components.isLeapMonth
        weekOfMonth = components.weekOfMonth
        weekOfYear = components.weekOfYear
        weekday = components.weekday
        weekdayOrdinal = components.weekdayOrdinal
        day = components.day
        dayOfYear = components.dayOfYear
        hour = components.hour
        minute = components.minute
        second = components.second
        nanosecond = components.nanosecond
    }

    /// The parts as an app reads them.
    package var dateComponents: DateComponents {
        var components = DateComponents()
        if let identifier = calendar?.identifier {
            var calendar = Calendar(identifier: identifier)
            if let firstWeekday { calendar.firstWeekday = firstWeekday }
            if let minimumDaysInFirstWeek { calendar.minimumDaysInFirstWeek = minimumDaysInFirstWeek }
            components.calendar = calendar
        }
        components.timeZone =
            zoneName.flatMap { TimeZone(identifier: $0) }
            ?? zoneOffsetSeconds.flatMap { TimeZone(secondsFromGMT: $0) }
        components.era = era
        components.year = year
        components.yearForWeekOfYear = yearForWeekOfYear
        components.quarter = quarter
        components.month = month
        if let isLeapMonth { components.isLeapMonth = isLeapMonth }
        components.weekOfMonth = weekOfMonth
        components.weekOfYear = weekOfYear
        components.weekday = weekday
        components.weekdayOrdinal = weekdayOrdinal
        components.day = day
        components.dayOfYear = dayOfYear
        components.hour = hour
        components.minute = minute
        components.second = second
        components.nanosecond = nanosecond
        return components
    }

    /// The zone that the parts are in: their own, else the device's.
    func zone(orDevice device: Zone) -> Zone {
        guard let zoneName else { return device }
        return (try? Zone(zoneName)) ?? zoneOffsetSeconds.flatMap { try? Zone(offsetSeconds: $0) } ?? device
    }

    /// The first instant after another at which a clock shows these parts; nil when none ever will.
    package func next(after now: Instant, in context: TriggerContext) -> Instant? {
        guard let days = DayMatch(self, context: context), let times = TimeMatch(self) else { return nil }
        return InstantSearch(
            civil: CivilSearch(days: days, times: times), zone: zone(orDevice: context.zone),
            gap: context.policy.gap, fold: hour == nil ? .both : context.policy.fold
        ).next(after: now)
    }
}
