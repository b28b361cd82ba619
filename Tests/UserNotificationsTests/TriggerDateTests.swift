import Foundation
import Recurrence
import Testing

@testable import UserNotifications

@Suite struct TriggerDateTests {
    static func next(
        _ parts: DateComponents, after civil: String, zone name: String = "America/New_York",
        policy: NotificationPolicy = NotificationPolicy(), calendar: TriggerCalendar = .gregorian
    ) throws -> String? {
        let zone = try Zone(name)
        let now = try #require(
            CivilDateTime(iso8601: civil).flatMap { zone.occurrence(of: $0)?.instant })
        let context = TriggerContext(now: now, zone: zone, calendar: calendar, policy: policy)
        return CalendarMatch(parts).next(after: now, in: context).map { zone.civil(at: $0).iso8601 }
    }

    /// Zones with every kind of change: an hour, half an hour, two hours, at midnight, across midnight, a whole day.
    static let transitions: [(zone: String, around: String)] = [
        ("America/New_York", "2026-03-06T12:00"), ("America/New_York", "2026-10-30T12:00"),
        ("Europe/London", "2026-03-27T12:00"), ("Europe/London", "2026-10-23T12:00"),
        ("Australia/Lord_Howe", "2026-04-03T12:00"), ("Australia/Lord_Howe", "2026-10-02T12:00"),
        ("Antarctica/Troll", "2026-03-27T12:00"), ("Antarctica/Troll", "2026-10-23T12:00"),
        ("Pacific/Chatham", "2026-04-03T12:00"), ("Pacific/Chatham", "2026-09-25T12:00"),
        ("Africa/Cairo", "2026-04-22T12:00"), ("Africa/Cairo", "2026-10-28T12:00"),
        ("America/Havana", "2026-03-06T12:00"), ("Asia/Beirut", "2026-03-27T12:00"),
        ("America/Sao_Paulo", "2018-11-02T12:00"), ("America/Sao_Paulo", "2018-02-16T12:00"),
        ("America/Asuncion", "2024-10-04T12:00"), ("America/Nuuk", "2026-03-27T12:00"),
        ("America/Nuuk", "2026-10-23T12:00"), ("America/Scoresbysund", "2026-03-27T12:00"),
        ("Pacific/Apia", "2011-12-28T12:00"), ("Asia/Kathmandu", "2026-05-01T12:00"),
    ]

    static let shapes: [DateComponents] =
        [
            (0, 0), (0, 15), (0, 30), (1, 0), (1, 30), (1, 59), (2, 0), (2, 15), (2, 30), (2, 45), (3, 0),
            (3, 30), (3, 45), (23, 0), (23, 30), (12, 0),
        ].map { components(hour: $0.0, minute: $0.1) }
        + [
            components(minute: 30), components(minute: 0), components(weekday: 1, hour: 2, minute: 30),
            components(weekday: 1, hour: 1, minute: 15), components(weekday: 6, hour: 0, minute: 30),
            components(ordinal: 2, hour: 2, minute: 30),
        ]

    @Test(arguments: transitions)
    func `dates around a change of the clocks are those of a search of every minute`(
        zone name: String, around civil: String
    ) throws {
        let zone = try Zone(name)
        let start = try #require(CivilDateTime(iso8601: civil).flatMap { zone.occurrence(of: $0)?.instant })
        let oracle = TriggerOracle(
            zone: try #require(TimeZone(identifier: name)), start: Int(start.secondsSince1970), dayCount: 50)
        var comparisonCount = 0
        for shape in Self.shapes {
            var now = start
            // The first dates from there pass the change, whatever the shape.
            for _ in 0..<6 {
                let context = TriggerContext(now: now, zone: zone)
                let found = CalendarMatch(shape).next(after: now, in: context)
                let expected = oracle.next(after: Int(now.secondsSince1970), matching: shape, days: 7)
                guard let expected else { break }
                comparisonCount += 1
                #expect(
                    found?.secondsSince1970 == Int64(expected),
                    "\(name) \(shape) after \(zone.civil(at: now)): \(found.map { zone.civil(at: $0).iso8601 } ?? "nil")"
                )
                now = Instant(secondsSince1970: Int64(expected))
            }
        }
        #expect(comparisonCount >= 17 * 6)
    }

    @Test(arguments: [
        (components(month: 2, day: 29, hour: 9), "2026-01-01T00:00", "2026-03-01T09:00:00"),
        (components(year: 2028, month: 2, day: 29), "2026-01-01T00:00", "2028-02-29T00:00:00"),
        (components(day: 13, weekday: 6), "2026-04-01T00:00", "2026-11-13T00:00:00"),
        (components(weekday: 3, ordinal: 2, hour: 9), "2026-02-10T09:00", "2026-03-10T09:00:00"),
        (components(month: 7), "2026-07-01T00:00", "2027-07-01T00:00:00"),
        (components(year: 2030), "2026-07-01T00:00", "2030-01-01T00:00:00"),
        (components(month: 3, hour: 9), "2026-03-10T10:00", "2026-03-11T09:00:00"),
        (components(hour: 9), "2026-03-10T09:00", "2026-03-11T09:00:00"),
        (components(second: 30), "2026-03-10T09:00", "2026-03-10T09:00:30"),
        (components(hour: 23, second: 59), "2026-03-10T23:59:59", "2026-03-11T23:00:59"),
        (components(year: 2090, month: 5, day: 5, hour: 5), "2026-01-01T00:00", "2090-05-05T05:00:00"),
        (components(weekday: 2), "2026-11-30T06:00", "2026-12-07T00:00:00"),
    ])
    func `a date has all the parts and zeros below them`(
        parts: DateComponents, after: String, expected: String
    ) throws {
        #expect(try Self.next(parts, after: after) == expected)
    }

    @Test func `a day that a month lacks follows the policy`() throws {
        let parts = components(day: 31, hour: 9)
        for (missing, expected) in [
            (MissingDayPolicy.nextDay, "2026-05-01T09:00:00"), (.skip, "2026-05-31T09:00:00"),
            (.lastDay, "2026-04-30T09:00:00"),
        ] {
            var policy = NotificationPolicy()
            policy.missingDay = missing
            #expect(try Self.next(parts, after: "2026-04-01T00:00", policy: policy) == expected)
        }
    }

    @Test func `a skipped or repeated time follows the policies`() throws {
        let parts = components(hour: 2, minute: 30)
        for (gap, expected) in [
            (GapPolicy.shiftForward, "2026-03-08T03:30:00"), (.endOfGap, "2026-03-08T03:00:00"),
            (.skip, "2026-03-09T02:30:00"),
        ] {
            var policy = NotificationPolicy()
            policy.gap = gap
            #expect(try Self.next(parts, after: "2026-03-07T12:00", policy: policy) == expected)
        }
        let zone = try Zone("America/New_York")
        let twice = CalendarMatch(components(hour: 1, minute: 30))
        for (fold, seconds) in [
            (FoldPolicy.first, [1_793_511_000, 1_793_601_000]), (.second, [1_793_514_600, 1_793_601_000]),
            (.both, [1_793_511_000, 1_793_514_600, 1_793_601_000]),
        ] {
            var policy = NotificationPolicy()
            policy.fold = fold
            var now = Instant(secondsSince1970: 1_793_500_000)
            for expected in seconds {
                let found = twice.next(
                    after: now, in: TriggerContext(now: now, zone: zone, policy: policy))
                #expect(found?.secondsSince1970 == Int64(expected))
                now = try #require(found)
            }
        }
    }

    @Test(arguments: [
        DateComponents(), components(month: 13), components(day: 0), components(day: 32),
        components(weekday: 0), components(weekday: 8), components(ordinal: -1), components(hour: 24),
        components(minute: 75), components(second: -1), components(year: 2025), components(year: Int.max),
        components(year: Int.min), components(year: 2026, month: 1, day: 1),
        components(month: 2, day: 31, weekday: 1), components(year: 0),
    ])
    func `parts that never come give no date`(parts: DateComponents) throws {
        #expect(try Self.next(parts, after: "2026-06-01T00:00") == nil)
    }

    @Test func `weeks are counted as the trigger's calendar counts them`() throws {
        var iso = DateComponents()
        iso.calendar = Calendar(identifier: .iso8601)
        iso.weekOfYear = 1
        iso.yearForWeekOfYear = 2027
        // 2026-12-28 … 2027-01-03 is week 53 of 2026 in ISO 8601.
        #expect(try Self.next(iso, after: "2026-06-01T00:00") == "2027-01-04T00:00:00")
        var american = DateComponents()
        american.weekOfYear = 1
        american.weekday = 5
        #expect(try Self.next(american, after: "2026-06-01T00:00") == "2026-12-31T00:00:00")
        var monthly = DateComponents()
        monthly.weekOfMonth = 2
        monthly.weekday = 2
        monthly.hour = 8
        #expect(try Self.next(monthly, after: "2026-06-01T00:00") == "2026-06-08T08:00:00")
    }
}
