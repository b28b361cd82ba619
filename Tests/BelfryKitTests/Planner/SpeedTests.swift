import Foundation
import Recurrence
import ReminderGenerator
import Testing

@testable import BelfryKit
@testable import UserNotifications

/// Figures of a release build, printed when `BELFRY_SPEED` is set: not for debug builds.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BELFRY_SPEED"] != nil), .serialized)
struct SpeedTests {
    @Test func `ten thousand reminders are planned in fifty milliseconds`() throws {
        let zone = try Zone("America/Los_Angeles")
        let now = try #require(Instant(iso8601: "2026-03-07T15:00:00Z"))
        var generator = ScheduleGenerator(random: SeededGenerator(seed: 7), isPlain: false)
        var reminders: [CompiledReminder] = []
        while reminders.count < 10_000 {
            var reminder = Reminder(
                "key-\(10_000 + reminders.count)", try generator.schedule(now: now, zone: zone), note)
            guard let schedule = try? reminder.schedule.resolved(at: now, in: zone) else { continue }
            reminder.schedule = schedule
            reminders.append(try CompiledReminder(reminder))
        }
        let clock = ContinuousClock()
        var fastest = Duration.seconds(100)
        for _ in 0..<10 {
            let start = clock.now
            let plan = Planner().plan(reminders, at: now, in: zone, pending: [])
            fastest = min(fastest, start.duration(to: clock.now))
            #expect(plan.add.count == 60)
        }
        print("speed: 10,000 reminders planned in", fastest)
        #expect(fastest < .milliseconds(50))
        var start = clock.now
        let first = Planner().plan(Array(reminders.prefix(100)), at: now, in: zone, pending: [])
        print("speed: 100 reminders planned in", start.duration(to: clock.now), first.add.count)
        start = clock.now
        let hundred = try (0..<100).map { try compiledDaily($0, now, zone) }
        var pending: [PendingRequest] = []
        for day in 0..<90 {
            let plan = Planner().plan(
                hundred, at: now.advanced(bySeconds: Int64(day) * 86_400), in: zone, pending: pending)
            let gone = Set(plan.remove)
            pending.removeAll { gone.contains($0.identifier) }
            pending += plan.add.map { PendingRequest(identifier: $0.identifier, mark: $0.mark) }
        }
        print("speed: 90 days of 100 reminders, planner alone", start.duration(to: clock.now))
    }

    private func compiledDaily(_ number: Int, _ now: Instant, _ zone: Zone) throws -> CompiledReminder {
        var reminder = Reminder(
            "r\(number)", try .every(2, .days, at: .init(hour: number % 24, minute: number / 24)), note)
        reminder.schedule = try reminder.schedule.resolved(at: now, in: zone)
        return try CompiledReminder(reminder)
    }

    @Test func `ninety days of a hundred reminders take under a second`() async throws {
        let device = try await ReminderDevice()
        var reminders: [Reminder] = []
        for number in 0..<100 {
            let time = ReminderTime(hour: number % 24, minute: number / 24)
            reminders.append(
                Reminder(
                    "r\(number)", number % 2 == 0 ? try .every(2, .days, at: time) : try .daily(at: time),
                    note))
        }
        let clock = ContinuousClock()
        let start = clock.now
        try await device.reminders.set(reminders)
        for _ in 0..<90 {
            await device.advance(days: 1)
            await device.reminders.replan()
        }
        let elapsed = start.duration(to: clock.now)
        print("speed: 90 days of 100 reminders with a device", elapsed, device.host.shown.count)
        #expect(elapsed < .seconds(1))
    }

    @Test func `ten thousand reminders are kept and read`() async throws {
        let device = try await ReminderDevice()
        let reminders = try (0..<10_000).map {
            Reminder("r\($0)", try .daily(at: .init(hour: $0 % 24, minute: $0 % 60)), note)
        }
        let clock = ContinuousClock()
        var start = clock.now
        try await device.reminders.set(reminders)
        print("speed: 10,000 reminders set", start.duration(to: clock.now))
        start = clock.now
        try await device.reminders.set("r1", .daily(at: "09:00"), note)
        print("speed: one more set", start.duration(to: clock.now))
        let other = device.relaunched()
        start = clock.now
        await other.replan()
        print("speed: first plan after launch with 10,000", start.duration(to: clock.now))
        start = clock.now
        await other.replan()
        print("speed: second plan with 10,000", start.duration(to: clock.now))
    }
}
