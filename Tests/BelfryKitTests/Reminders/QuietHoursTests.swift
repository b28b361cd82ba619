import Foundation
import Recurrence
import Testing
import UserNotifications

@testable import BelfryKit

struct QuietHoursTests {
    private static func night(_ effect: QuietHours.Effect) throws -> QuietHours {
        try QuietHours(from: "22:00", to: "07:00", effect: effect)
    }

    @Test(arguments: [
        ("22:00", "07:00", ["22:00", "23:59:59", "00:00", "06:59:59"], ["21:59:59", "07:00", "12:00"]),
        ("13:00", "15:00", ["13:00", "14:59"], ["12:59", "15:00", "00:00"]),
    ])
    func `hours go on after midnight, and their end is outside`(
        from: String, to: String, inside: [String], outside: [String]
    ) throws {
        let hours = try QuietHours(from: ReminderTime(from), to: ReminderTime(to))
        for time in inside { #expect(hours.contains(try #require(TimeOfDay(time))), "\(time)") }
        for time in outside { #expect(!hours.contains(try #require(TimeOfDay(time))), "\(time)") }
    }

    @Test(arguments: [("22:00", "22:00"), ("24:00", "07:00"), ("22:00", "7"), ("", "")])
    func `hours that are none are refused`(from: String, to: String) {
        let error = #expect(throws: BelfryKitError.self) {
            try QuietHours(from: ReminderTime(from), to: ReminderTime(to))
        }
        #expect(error?.code == .invalidSchedule)
    }

    // MARK: Silence

    @Test func `silenced ones are listed at their time, without sound and banner, and the report says so`()
        async throws
    {
        let device = try await ReminderDevice("2026-01-05T08:00")
        try await device.reminders.set("night", .daily(at: "23:00"), ReminderContent(title: "N"))
        try await device.reminders.set("day", .daily(at: "12:00"), ReminderContent(title: "D"))
        let report = try await device.reminders.setQuietHours(Self.night(.silence))
        #expect(report.quieted.map(\.key) == ["night"] && report.quieted.first?.effect == .silence)
        #expect(
            report.quieted.first.map { device.host.zone.civil(at: $0.instant).iso8601 }
                == "2026-01-05T23:00:00")
        // Both still repeat by themselves.
        #expect(report["night"]?.horizon == .endless && report["day"]?.horizon == .endless)
        await device.advance(days: 2)
        #expect(
            device.shown == ["2026-01-05T12:00", "2026-01-05T23:00", "2026-01-06T12:00", "2026-01-06T23:00"])
        #expect(device.host.shown.map(\.presentation.showsBanner) == [true, false, true, false])
        #expect(device.host.shown.map(\.presentation.playsSound) == [true, false, true, false])
        #expect(!device.host.shown.map(\.presentation.isListed).contains(false))
        // They end as they began.
        let without = try await device.reminders.setQuietHours(nil)
        #expect(without.quieted == [])
        await device.advance(days: 1)
        #expect(device.host.shown.last?.presentation.playsSound == true)
    }

    @Test func `some times of one reminder are silent, others are not`() async throws {
        let device = try await ReminderDevice("2026-01-05T08:00")
        try await device.reminders.setQuietHours(Self.night(.silence))
        try await device.reminders.set("both", .daily(at: "12:00", "23:00"), ReminderContent(title: "B"))
        #expect(await device.pendingIdentifiers().count == 2)
        await device.advance(days: 1)
        #expect(device.host.shown.map(\.presentation.playsSound) == [true, false])
    }

    // MARK: Postponing

    @Test func `postponed ones come at the end, several of one reminder as one`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:30")
        try await device.reminders.setQuietHours(Self.night(.postpone))
        let report = try await device.reminders.set(
            "water", .every(1, .hours, from: "20:00", to: "23:00"), ReminderContent(title: "W"))
        #expect(report.quieted.map(\.effect) == [.postpone])
        let preview = await device.reminders.preview(3)
        #expect(
            preview.map { device.host.zone.civil(at: $0.instant).iso8601 }
                == ["2026-01-05T21:00:00", "2026-01-06T07:00:00", "2026-01-06T20:00:00"])
        #expect(preview.map { $0.quietHours } == [nil, .postpone, nil])
        let evening = try civil("2026-01-05T22:00")
        #expect(preview[1].civil == evening)
        await device.advance(days: 1)
        #expect(device.shown == ["2026-01-05T21:00", "2026-01-06T07:00", "2026-01-06T20:00"])
        // The answer to it belongs to the evening before.
        let firing = try #require(ReminderFiring(device.host.shown[1].notification))
        #expect(firing.key == "water" && firing.civil == evening)
    }

    @Test(arguments: [1, 3, 5, 9]) func `planning again at night loses and doubles nothing`(
        _ hours: Int64
    ) async throws {
        let device = try await ReminderDevice("2026-01-05T21:00")
        try await device.reminders.setQuietHours(Self.night(.postpone))
        try await device.reminders.set("pill", .daily(at: "23:00", "07:00"), ReminderContent(title: "P"))
        let before = await device.pendingIdentifiers()
        for _ in 0..<(30 / hours) {
            await device.advance(hours: hours)
            await device.reminders.replan()
        }
        #expect(device.shown.filter { $0.hasPrefix("2026-01-06") } == ["2026-01-06T07:00"])
        #expect(await device.pendingIdentifiers().count == before.count)
    }

    @Test func `a rule of another zone is held back by what the device's clocks show`() async throws {
        let device = try await ReminderDevice("2026-01-05T08:00", zone: "America/New_York")
        try await device.reminders.setQuietHours(Self.night(.postpone))
        // 04:00 in New York.
        let report = try await device.reminders.set(
            "call", .daily(at: "10:00").inZone(.fixed(Zone("Europe/Berlin"))), ReminderContent(title: "C"))
        #expect(report.quieted.map(\.key) == ["call"])
        await device.advance(days: 2)
        #expect(device.shown == ["2026-01-06T07:00", "2026-01-07T07:00"])
    }

    // MARK: Leaving out

    @Test func `what is left out does not come, and has a reason where nothing is left`() async throws {
        let device = try await ReminderDevice("2026-01-05T08:00")
        try await device.reminders.set("night", .daily(at: "23:00"), ReminderContent(title: "N"))
        try await device.reminders.set("both", .daily(at: "12:00", "02:00"), ReminderContent(title: "B"))
        let report = try await device.reminders.setQuietHours(Self.night(.leaveOut))
        #expect(report.reason(for: "night") == .quietHours && report["night"] == nil)
        #expect(report.quieted.map(\.key) == ["both", "night"])
        #expect(report.ended == [], "it has not ended, and must not be forgotten after a week")
        await device.advance(days: 10)
        await device.reminders.replan()
        #expect(Set(device.shown.map { $0.suffix(6) }) == ["T12:00"] && device.shown.count == 10)
        // Nothing was lost: without quiet hours it comes again.
        let again = try await device.reminders.setQuietHours(nil)
        #expect(again["night"] != nil && again.leftOut == [])
    }

    // MARK: Exceptions

    @Test(arguments: QuietHours.Effect.allCases)
    func `a chosen moment, a snooze and a reminder that says so come all the same`(
        _ effect: QuietHours.Effect
    ) async throws {
        let device = try await ReminderDevice("2026-01-05T20:00")
        try await device.reminders.setQuietHours(Self.night(effect))
        try await device.reminders.set(
            "alarm", .daily(at: "05:30").ignoringQuietHours(), ReminderContent(title: "A"))
        try await device.reminders.set(
            "flight", .once(at: civil("2026-01-06T03:00")), ReminderContent(title: "F"))
        try await device.reminders.set("tea", in: 3 * 3600, ReminderContent(title: "T"))
        try await device.reminders.set("day", .daily(at: "12:00"), ReminderContent(title: "D"))
        try await device.reminders.snooze("day", for: 4 * 3600)
        #expect(await device.reminders.report.quieted == [])
        await device.advance(hours: 12)
        #expect(
            device.shown == ["2026-01-05T23:00", "2026-01-06T00:00", "2026-01-06T03:00", "2026-01-06T05:30"])
        #expect(!device.host.shown.map(\.presentation.playsSound).contains(false))
    }

    @Test func `what fires once can be held back too`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:00")
        try await device.reminders.setQuietHours(Self.night(.postpone))
        try await device.reminders.set(
            "flight", .once(at: civil("2026-01-06T03:00")).ignoringQuietHours(false),
            ReminderContent(title: "F"))
        await device.advance(hours: 12)
        #expect(device.shown == ["2026-01-06T07:00"])
    }

    @Test func `they survive the process, and so does who ignores them`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:00")
        try await device.reminders.setQuietHours(Self.night(.leaveOut))
        try await device.reminders.set(
            "alarm", .daily(at: "05:30").ignoringQuietHours(), ReminderContent(title: "A"))
        let next = device.relaunched()
        let hours = try Self.night(.leaveOut)
        #expect(await next.quietHours == hours)
        #expect(await next.reminder("alarm")?.schedule.ignoresQuietHours == true)
        #expect(await next.replan().entries.map(\.key) == ["alarm"])
        device.storage.setData(Data("{}".utf8), forKey: "belfry.reminders.quiet")
        #expect(await next.quietHours == nil, "what cannot be read holds nothing back")
    }

    @Test func `after a change of the clocks the hours are those on the wall`() async throws {
        // In New York clocks jump from 02:00 to 03:00 on 8 March 2026.
        let device = try await ReminderDevice("2026-03-07T20:00")
        try await device.reminders.setQuietHours(QuietHours(from: "22:00", to: "02:30", effect: .postpone))
        try await device.reminders.set("pill", .daily(at: "23:00"), ReminderContent(title: "P"))
        await device.advance(hours: 36)
        #expect(device.shown == ["2026-03-08T03:30", "2026-03-09T02:30"])
    }
}
