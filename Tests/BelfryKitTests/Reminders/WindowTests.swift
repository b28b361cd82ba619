import BelfryKit
import Foundation
import Recurrence
import Testing
@testable import UserNotifications

/// Windows: every so many minutes or hours from one time to another.
struct WindowTests {
    /// Each row: interval, unit, from, to, the times of a day; `+` is the day after.
    @Test(arguments: [
        (5, ReminderClockUnit.hours, "08:00", "20:00", "08:00 13:00 18:00"),
        // The end is a time of its own when the steps meet it.
        (2, .hours, "08:00", "20:00", "08:00 10:00 12:00 14:00 16:00 18:00 20:00"),
        (2, .hours, "08:00", "19:59", "08:00 10:00 12:00 14:00 16:00 18:00"),
        // Longer than the window: once.
        (13, .hours, "08:00", "20:00", "08:00"),
        (24, .hours, "08:00", "20:00", "08:00"),
        // It ends when it starts: once, not always.
        (2, .hours, "08:00", "08:00", "08:00"),
        (90, .minutes, "08:00", "12:30", "08:00 09:30 11:00 12:30"),
        (45, .minutes, "08:10", "08:54", "08:10"),
        (1, .minutes, "23:58", "00:01", "23:58 23:59 00:00+ 00:01+"),
        (2, .hours, "22:00", "06:00", "22:00 00:00+ 02:00+ 04:00+ 06:00+"),
        (3, .hours, "23:30", "05:00", "23:30 02:30+"),
        (6, .hours, "00:00", "23:59", "00:00 06:00 12:00 18:00"),
        (720, .minutes, "12:00", "11:59", "12:00 00:00+"),
    ])
    func `a window has these times`(
        _ interval: Int, _ unit: ReminderClockUnit, _ start: String, _ end: String, _ expected: String
    ) async throws {
        let times = try expected.split(separator: " ").map { text in
            let day = text.hasSuffix("+") ? "2026-01-07" : "2026-01-06"
            return try civil("\(day)T\(text.prefix(5))")
        }
        let from = ReminderTime(start)
        let to = ReminderTime(end)
        // Only on Tuesdays, so that the days around it have none.
        let schedule = try ReminderSchedule.every(interval, unit, from: from, to: to, on: [.tuesday])
        let device = try await ReminderDevice()
        let now = device.host.now
        let found = try schedule.preview(200, after: now, in: device.host.zone)
            .prefix { $0.civil < (try? civil("2026-01-10T00:00")) ?? $0.civil }
        #expect(found.map(\.civil) == times)
        // And so they are shown, by repeating triggers or one by one.
        for schedule in [schedule, schedule.ending(.date(try date("2026-01-10")))] {
            let device = try await ReminderDevice()
            try await device.reminders.set("r", schedule, note)
            await device.advance(days: 4)
            #expect(device.shown == times.map { String($0.iso8601.dropLast(3)) })
        }
    }

    @Test(arguments: [
        (0, ReminderClockUnit.hours, "08:00", "20:00"), (-2, .hours, "08:00", "20:00"),
        (25, .hours, "08:00", "20:00"), (1441, .minutes, "08:00", "20:00"),
        (Int.max, .hours, "08:00", "20:00"), (2, .hours, "8:00", "20:00"), (2, .hours, "08:00", "24:00"),
        (2, .hours, "", "20:00"),
    ])
    func `a window that is none is refused`(
        _ interval: Int, _ unit: ReminderClockUnit, _ start: String, _ end: String
    ) {
        let from = ReminderTime(start)
        let to = ReminderTime(end)
        let error = #expect(throws: BelfryKitError.self) {
            try ReminderSchedule.every(interval, unit, from: from, to: to)
        }
        #expect(error?.code == .invalidSchedule)
        #expect(error?.message.contains("found '") == true && error?.message.contains("allowed: ") == true)
    }

    @Test(arguments: [
        // 02:00 is skipped: it falls on 03:00, which the rule has
        ("America/New_York", "2026-03-07T20:00"), ("America/New_York", "2026-10-31T20:00"),
        ("Australia/Lord_Howe", "2026-10-03T20:00"), ("Antarctica/Troll", "2026-03-28T20:00"),
        ("Africa/Cairo", "2026-04-23T20:00"),
    ])
    func `a window over a change of the clocks fires once at each instant`(
        _ zone: String, _ start: String
    ) async throws {
        for schedule in [
            try ReminderSchedule.every(1, .hours, from: "22:00", to: "06:00"), try .every(30, .minutes),
            try .every(1, .hours), try .every(2, .hours, from: "00:00", to: "22:00"),
        ] {
            let device = try await ReminderDevice(start, zone: zone)
            try await device.reminders.set("r", schedule, note)
            let expected = try schedule.preview(500, after: device.host.now, in: device.host.zone)
            for _ in 0..<6 {
                await device.advance(hours: 4)
                await device.reminders.replan()
            }
            let instants = device.host.shown.map { Int64($0.notification.date.timeIntervalSince1970) }
            #expect(Set(instants).count == instants.count)
            #expect(instants == expected.map(\.instant.secondsSince1970).prefix(instants.count).map { $0 })
            #expect(expected[instants.count].instant > device.host.now)
        }
    }
}
