import Foundation
import Recurrence
import Testing

@testable import BelfryKit

struct ReminderScheduleTests {
    private let zone: Zone
    private let now: Instant

    init() throws {
        zone = try Zone("Europe/Berlin")
        // A Monday, 08:00 there.
        now = try #require(Instant(iso8601: "2026-01-05T07:00:00Z"))
    }

    private func preview(_ schedule: ReminderSchedule, _ count: Int = 3) throws -> [String] {
        try schedule.preview(count, after: now, in: zone).map {
            String(zone.civil(at: $0.instant).iso8601.dropLast(3))
        }
    }

    @Test func `each kind of schedule names its times`() throws {
        let rows: [(ReminderSchedule, [String])] = [
            (try .daily(at: "09:00"), ["01-05T09:00", "01-06T09:00", "01-07T09:00"]),
            (try .daily(at: "20:15", "07:30"), ["01-05T20:15", "01-06T07:30", "01-06T20:15"]),
            (
                try .weekly(on: [.sunday, .monday], at: "07:00"),
                ["01-11T07:00", "01-12T07:00", "01-18T07:00"]
            ),
            (try .monthly(on: .day(31), at: "09:00"), ["01-31T09:00", "02-28T09:00", "03-31T09:00"]),
            (try .monthly(on: .last, at: "09:00"), ["01-31T09:00", "02-28T09:00", "03-31T09:00"]),
            (
                try .monthly(on: .nth(2, .tuesday), at: "10:00"),
                ["01-13T10:00", "02-10T10:00", "03-10T10:00"]
            ),
            (
                try .monthly(on: .nth(-1, .friday), at: "10:00"),
                ["01-30T10:00", "02-27T10:00", "03-27T10:00"]
            ),
            (try .every(3, .days, at: "09:00"), ["01-05T09:00", "01-08T09:00", "01-11T09:00"]),
            (try .every(2, .weeks, at: "09:00"), ["01-05T09:00", "01-19T09:00", "02-02T09:00"]),
            (
                try .every(2, .weeks, at: "09:00", on: [.wednesday, .friday]),
                ["01-07T09:00", "01-09T09:00", "01-21T09:00"]
            ),
            (try .every(5, .hours), ["01-05T10:00", "01-05T15:00", "01-05T20:00"]),
            (try .every(20, .minutes), ["01-05T08:20", "01-05T08:40", "01-05T09:00"]),
            (
                try .rrule("FREQ=MONTHLY;BYDAY=2TU;BYHOUR=10;BYMINUTE=0"),
                ["01-13T10:00", "02-10T10:00", "03-10T10:00"]
            ),
            (
                try .rrule("FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=9"),
                ["01-31T09:00", "03-31T09:00", "05-31T09:00"]
            ),
            (try .text("monthly on last at 18:30"), ["01-31T18:30", "02-28T18:30", "03-31T18:30"]),
            (try .text("FREQ=DAILY;BYHOUR=9"), ["01-05T09:00", "01-06T09:00", "01-07T09:00"]),
            (try .after(seconds: 0.5), ["01-05T08:00"]), (try .after(seconds: 3600), ["01-05T09:00"]),
            (.once(at: try civil("2026-01-05T08:01")), ["01-05T08:01"]),
            // The count begins now, not with this morning.
            (try .daily(at: "07:00").limited(to: 2), ["01-06T07:00", "01-07T07:00"]),
            (try .rrule("FREQ=DAILY;COUNT=2;BYHOUR=7"), ["01-06T07:00", "01-07T07:00"]),
            (try .every(20, .minutes).limited(to: 2), ["01-05T08:20", "01-05T08:40"]),
            (
                try .daily(at: "09:00").starting(.date(date("2026-01-07"))).limited(to: 2),
                ["01-07T09:00", "01-08T09:00"]
            ),
            (try .daily(at: "09:00").ending(.date(date("2026-01-06"))), ["01-05T09:00", "01-06T09:00"]),
            (
                try .daily(at: "09:00").excluding(.date(date("2026-01-06"))),
                ["01-05T09:00", "01-07T09:00", "01-08T09:00"]
            ),
            (
                try .every(2, .hours, from: "08:00", to: "20:00").at("09:30"),
                ["01-05T09:30", "01-06T09:30", "01-07T09:30"]
            ),
            (try .every(2, .hours).at("09:30"), ["01-05T09:30", "01-06T09:30", "01-07T09:30"]),
            (try .daily(at: "09:00").on([.saturday]), ["01-10T09:00", "01-17T09:00", "01-24T09:00"]),
            (try .once(at: civil("2026-01-05T08:01")).at("10:00"), ["01-05T10:00"]),
            (
                try .daily(at: "09:00").inZone(.fixed(Zone("Asia/Tokyo"))),
                ["01-06T01:00", "01-07T01:00", "01-08T01:00"]
            ),
            (try .daily(at: "09:00").inZone(.instant), ["01-05T10:00", "01-06T10:00", "01-07T10:00"]),
        ]
        for (schedule, expected) in rows {
            #expect(try preview(schedule) == expected.map { "2026-" + $0 }, "\(schedule.summary)")
        }
    }

    @Test func `what is set again keeps counting from where it began`() throws {
        let schedule = try ReminderSchedule.every(3, .days, at: "09:00").limited(to: 3)
        let set = try schedule.resolved(at: now, in: zone)
        let later = now.advanced(bySeconds: 4 * 86_400)
        let again = try set.at("10:00").resolved(at: later, in: zone)
        let days = try again.preview(5, after: later, in: zone).map { "\($0.local.date)" }
        #expect(days == ["2026-01-11"])
        #expect(try set.resolved(at: later, in: zone) == set)
    }

    @Test func `schedules that cannot be are refused with what is wrong`() throws {
        let rows: [(String, () throws -> ReminderSchedule)] = [
            ("at", { try .daily() }), ("at", { try .daily(at: "25:00") }),
            ("at", { try .daily(at: .init(hour: 9, minute: 60)) }),
            ("day", { try .monthly(on: .day(0), at: "09:00") }),
            ("day", { try .monthly(on: .day(32), at: "09:00") }),
            ("BYDAY", { try .monthly(on: .nth(0, .monday), at: "09:00") }),
            ("BYDAY", { try .monthly(on: .nth(6, .monday), at: "09:00") }),
            ("day", { try .yearly(month: 2, day: 30, at: "09:00") }),
            ("day", { try .yearly(month: 13, day: 1, at: "09:00") }),
            ("INTERVAL", { try .every(0, .days, at: "09:00") }),
            ("on", { try .every(1, .weeks, at: "09:00", on: []) }),
            ("reminder", { try .text("sometimes") }), ("rule", { try .rrule("") }),
            ("at", { try .text("daily at 9") }),
            ("at", { try .after(seconds: 60).at("09:00") }),
            ("on", { try .after(seconds: 60).on([.monday]) }),
        ]
        for (field, make) in rows {
            let error = #expect(throws: BelfryKitError.self) { try make() }
            #expect(error?.code == .invalidSchedule)
            #expect(error?.message.hasPrefix(field + ":") == true, "\(error?.message ?? "")")
        }
    }

    @Test func `schedules that never fire are refused when they are set`() throws {
        let rows: [(BelfryKitError.Code, ReminderSchedule)] = [
            (.neverFires, try .rrule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=9")),
            (.pastDate, try .daily(at: "09:00").ending(.date(date("2026-01-04")))),
            (.pastDate, .once(at: try civil("2026-01-05T08:00"))), (.pastDate, .once(at: now)),
            (.invalidSchedule, try .rrule("FREQ=DAILY")),
            (.invalidSchedule, try .daily(at: "09:00").limited(to: 0)),
            (.invalidSchedule, .once(at: try civil("2026-01-06T08:00")).limited(to: 2)),
            (
                .invalidSchedule,
                .once(at: try civil("2026-01-06T08:00")).starting(.date(try date("2026-01-07")))
            ),
        ]
        for (code, schedule) in rows {
            let error = #expect(throws: BelfryKitError.self) { try schedule.resolved(at: now, in: zone) }
            #expect(error?.code == code, "\(schedule.summary)")
        }
        // In a gap that is to be skipped.
        let gap = try #require(CivilDateTime(iso8601: "2026-03-29T02:30"))
        let skipped = ReminderSchedule.once(at: gap).gap(.skip)
        #expect(throws: BelfryKitError.self) { try skipped.resolved(at: now, in: zone) }
    }
}
