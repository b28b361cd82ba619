import Foundation
import Recurrence
import Testing

@testable import BelfryKit

struct PlannerTests {
    private let zone: Zone
    private let now: Instant

    init() throws {
        zone = try Zone("Europe/Berlin")
        now = try #require(Instant(iso8601: "2026-01-05T07:00:00Z"))
    }

    private func compiled(
        _ key: String, _ schedule: ReminderSchedule, _ title: String = "Title"
    ) throws -> CompiledReminder {
        var reminder = Reminder(key, schedule, ReminderContent(title: title))
        reminder.schedule = try schedule.resolved(at: now, in: zone)
        return try CompiledReminder(reminder)
    }

    private func pending(_ requests: [PlannedRequest]) -> [PendingRequest] {
        requests.map {
            PendingRequest(
                identifier: $0.identifier, mark: $0.mark, instant: $0.isRepeating ? nil : $0.instant)
        }
    }

    @Test func `a plan that was carried out is empty`() throws {
        let reminders = [
            try compiled("a", .daily(at: "09:00")), try compiled("b", .every(2, .days, at: "09:00")),
            try compiled("c", .every(90, .minutes)),
        ]
        let first = Planner().plan(reminders, at: now, in: zone, pending: [])
        #expect(first.add.count == 60 && first.remove.isEmpty)
        let second = Planner().plan(reminders, at: now, in: zone, pending: pending(first.add))
        #expect(second.add.isEmpty && second.remove.isEmpty && second.keptCount == 60)
        #expect(second.confirmed(by: pending(first.add), at: now).report.entries.count == 3)
    }

    @Test func `a changed content replaces requests and removes none`() throws {
        let schedule = try ReminderSchedule.every(2, .days, at: "09:00")
        let first = Planner().plan([try compiled("a", schedule)], at: now, in: zone, pending: [])
        let second = Planner().plan(
            [try compiled("a", schedule, "Other")], at: now, in: zone, pending: pending(first.add))
        #expect(second.add.map(\.identifier) == first.add.map(\.identifier) && second.remove.isEmpty)
    }

    @Test func `what is due this moment is left alone`() throws {
        let reminder = try compiled("a", .every(2, .days, at: "09:00"))
        let first = Planner().plan([reminder], at: now, in: zone, pending: [])
        let due = try #require(first.add.first)
        let second = Planner().plan([reminder], at: due.instant, in: zone, pending: pending(first.add))
        #expect(!second.remove.contains(due.identifier))
        let cancelled = Planner().plan([], at: due.instant, in: zone, pending: pending(first.add))
        #expect(cancelled.remove.contains(due.identifier))
    }

    @Test(arguments: [0, 1, 4, 59, 60, 64, 200])
    func `foreign requests take their slots and are never removed`(_ count: Int) throws {
        let foreign = (0..<count).map { PendingRequest(identifier: "belfry-\($0)") }
        let reminders = try (0..<5).map { try compiled("r\($0)", .every(2, .days, at: "09:00")) }
        let plan = Planner().plan(reminders, at: now, in: zone, pending: foreign)
        #expect(plan.add.count == max(0, 60 - count) && plan.remove.isEmpty)
        #expect(plan.leftOut.count == max(0, 5 - max(0, 60 - count)))
    }

    @Test(arguments: [
        ("daily at 09:00", 1), ("weekly on mon at 09:00", 1), ("weekly on mon-fri at 09:00", 5),
        ("monthly on 28 at 09:00", 1), ("yearly on 03-31 at 09:00", 1), ("daily at 08:00,20:00", 2),
        ("every 2 hours from 08:00 to 20:00", 7), ("every 2 hours from 22:00 to 06:00 on mon-fri", 0),
        ("every 4 hours", 6), ("every 2 hours", 0), ("every 90 minutes from 08:00 to 20:00 on mon-fri", 45),
        ("every 30 minutes from 08:00 to 20:00", 25),
        ("every 30 minutes from 08:00 to 20:00 on mon-fri", 0),
        ("monthly on 29 at 09:00", 0), ("monthly on last at 09:00", 0), ("monthly on 2nd tue at 09:00", 0),
        ("yearly on 02-29 at 09:00", 0), ("every 2 days at 09:00", 0), ("every 5 hours", 0),
        ("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0,15;BYSETPOS=1,-1", 2),
        ("FREQ=DAILY;COUNT=5;BYHOUR=8", 0), ("FREQ=DAILY;UNTIL=20270101;BYHOUR=8", 0),
        ("FREQ=DAILY;BYMONTH=5;BYHOUR=8", 0), ("FREQ=HOURLY;BYHOUR=8,9,10;BYMINUTE=30", 3),
        ("FREQ=MINUTELY;INTERVAL=30;BYHOUR=8,9", 4), ("FREQ=YEARLY;BYMONTH=3,5;BYMONTHDAY=1,2;BYHOUR=8", 4),
    ])
    func `rules that are some repeating triggers exactly take those`(_ text: String, _ count: Int) throws {
        let plan = Planner().plan([try compiled("a", .text(text))], at: now, in: zone, pending: [])
        let repeating = plan.add.filter(\.isRepeating)
        #expect(repeating.count == count, "\(plan.add.map(\.identifier))")
        #expect(plan.keys[0].isEndless == (count > 0))
        if count > 0 { #expect(plan.add.count == count) }
    }

    @Test func `gap and fold of other kinds are not left to the system`() throws {
        for schedule in [
            try ReminderSchedule.daily(at: "02:30").gap(.skip), try .daily(at: "02:30").fold(.second),
            try .daily(at: "02:30").excluding(.date(date("2026-01-09"))),
            try .daily(at: "02:30").starting(.date(date("2026-01-20"))),
        ] {
            let plan = Planner().plan([try compiled("a", schedule)], at: now, in: zone, pending: [])
            #expect(plan.add.count == 60 && !plan.add.contains(where: \.isRepeating))
        }
        // In a zone without changes there is nothing to leave.
        let fixed = try ReminderSchedule.daily(at: "02:30").fold(.second).inZone(.instant)
        #expect(Planner().plan([try compiled("a", fixed)], at: now, in: zone, pending: []).add.count == 1)
    }

    @Test func `slots are shared`() throws {
        var reminders: [CompiledReminder] = []
        for number in 0..<30 { reminders.append(try compiled("d\(number)", .every(2, .days, at: "09:00"))) }
        reminders.append(try compiled("minutes", .every(7, .minutes)))
        reminders.append(try compiled("week", .weekly(on: .mondayToFriday, at: "09:00")))
        let plan = Planner().plan(reminders, at: now, in: zone, pending: [])
        #expect(plan.keys.count == 32 && plan.keys.allSatisfy { !$0.requests.isEmpty })
        #expect(plan.add.count == 60)
        // Five repeating triggers would be more than its share, so it has its next day.
        #expect(!plan.keys.contains { $0.isEndless })
        let instants = plan.add.map(\.instant)
        let missing = try #require(plan.keys.compactMap(\.firstMissing).min())
        // Beyond the one of each, nothing later was preferred to something sooner.
        #expect(instants.filter { $0 > missing }.count <= 32)
    }

    @Test func `identifiers tell whose they are`() {
        #expect(RequestIdentifier.key(of: "belfry.a#b#20260101T090000") == "a#b")
        for foreign in [
            "belfry.a", "belfry.#1", "belfry.a#", "a#b", "", "belfry", "belfry#open-app", "#", "belfry.#",
        ] {
            #expect(RequestIdentifier.key(of: foreign) == nil, "\(foreign)")
        }
        #expect(RequestIdentifier.isOurs("belfry#open-app") && !RequestIdentifier.isOurs("belfry#other"))
    }

    @Test func `the memory of a plan survives and cannot be broken`() throws {
        var memory = PlanMemory(zone: "Europe/London", plannedThrough: ["a": 10, "b": 20], shownThrough: [:])
        let read = try JSONDecoder().decode(PlanMemory.self, from: JSONEncoder().encode(memory))
        #expect(read == memory)
        memory.zone = "No/Where"
        memory.enter(zone, at: now, floating: { _ in true })
        #expect(memory.shownThrough.isEmpty && memory.zone == "Europe/Berlin")
        #expect(Zone(stored: "+05:30")?.offsetSeconds(at: now) == 19_800)
        #expect(Zone(stored: "-03:00")?.offsetSeconds(at: now) == -10_800)
        for text in ["", "+", "+0530x9", "+99:99", "05:30"] { #expect(Zone(stored: text) == nil) }
    }
}
