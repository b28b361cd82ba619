import BelfryKit
import Foundation
import Recurrence
import Testing
@testable import UserNotifications

/// What users of other libraries reported, one test each; each is named by what went wrong there.
struct ReportTests {
    // MARK: Limit and planning

    /// openradar 38065340
    @Test(arguments: OverflowPolicy.allCases)
    func `a hundred reminders overran the limit and some were lost without a word`(
        _ overflow: OverflowPolicy
    ) async throws {
        var policy = NotificationPolicy()
        policy.overflow = overflow
        let device = try await ReminderDevice(policy: policy)
        let start = device.host.now
        var reminders: [Reminder] = []
        for number in 0..<100 {
            let instant = start.advanced(bySeconds: Int64(100 - number) * 3600)
            reminders.append(Reminder("r\(number)", .once(at: instant), note))
        }
        let report = try await device.reminders.set(reminders)
        #expect(await device.pendingIdentifiers().count == 60)
        #expect(report.entries.count == 60)
        #expect(report.leftOut.count == 40 && report.leftOut.allSatisfy { $0.reason == .noSlot })
        // The soonest ones have the slots.
        #expect(report["r99"] != nil && report.reason(for: "r0") == .noSlot)
        #expect(!device.host.diagnoses.contains { $0.contains("is dropped") })
        await device.advance(hours: 50)
        await device.reminders.replan()
        await device.advance(hours: 60)
        #expect(Set(device.shownKeys).count == 100 && device.host.shown.count == 100)
    }

    /// notify-kit 10.2.0, Habit-Calendar#133
    @Test func `the first series took all slots and the others got none`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("often", .every(5, .minutes).limited(to: 500), note)
        let report = try await device.reminders.set("seldom", .every(3, .weeks, at: "09:00"), note)
        #expect(report["seldom"]?.requestCount == 1)
        #expect(report["often"]?.requestCount == 59)
        let last = device.host.now.advanced(bySeconds: 59 * 300)
        #expect(report["often"]?.horizon == .until(last))
    }

    @Test func `more series than slots were accepted in silence`() async throws {
        let device = try await ReminderDevice(whenFull: .refuse)
        var reminders: [Reminder] = []
        for number in 0..<60 {
            reminders.append(
                Reminder("r\(number)", try .daily(at: .init(hour: number % 24, minute: number / 24)), note))
        }
        try await device.reminders.set(reminders)
        let error = await #expect(throws: BelfryKitError.self) {
            try await device.reminders.set("one more", .daily(at: "23:59"), note)
        }
        #expect(error?.code == .tooManyReminders)
        #expect(error?.message.contains("60") == true)
        #expect(await device.reminders.list().count == 60)
        #expect(await device.pendingIdentifiers().count == 60)
    }

    /// katzer#1185
    @Test func `a user who never opened the app ran dry without a word`() async throws {
        let device = try await ReminderDevice(openApp: ReminderContent(title: "Open me"))
        let report = try await device.reminders.set("walk", .every(2, .days, at: "10:00"), note)
        #expect(report["walk"]?.requestCount == 59)
        #expect(report.openApp == report.firstMissing && report.openApp != nil)
        await device.advance(days: 300)
        #expect(device.host.shown.count == 60)
        #expect(device.host.shown.last?.notification.request.content.title == "Open me")
        // What it stands for is the first occurrence that was not scheduled.
        #expect(device.shown.last == "2026-05-03T10:00")
        // A rule that the system repeats needs no opening.
        let endless = try await device.reminders.set("walk", .daily(at: "10:00"), note)
        #expect(endless["walk"]?.horizon == .endless)
        #expect(endless.openApp == nil && endless.firstMissing == nil)
        await device.advance(days: 200)
        #expect(device.host.shown.count == 260)
    }

    /// notify-kit docs
    @Test func `requests of other code shared the limit and were thrown out`() async throws {
        let device = try await ReminderDevice()
        for number in 0..<20 { try await device.addForeign("theirs-\(number)") }
        let report = try await device.reminders.set("r", .every(2, .days, at: "09:00"), note)
        #expect(report.foreignRequestCount == 20)
        #expect(report["r"]?.requestCount == 40)
        try await device.reminders.cancelAll()
        let left = await device.pendingIdentifiers()
        #expect(left.count == 20 && left.allSatisfy { $0.hasPrefix("theirs-") })
    }

    /// radar-sdk-ios PR#552
    @Test func `a reminder counted as scheduled though it was not kept`() async throws {
        let device = try await ReminderDevice(isAllowed: false)
        let report = try await device.reminders.set("r", .every(2, .days, at: "09:00"), note)
        #expect(report.entries.isEmpty)
        #expect(report.reason(for: "r") == .notAllowed)
        #expect(report.firstMissing != nil)
        #expect(await device.reminders.list().map(\.key) == ["r"])
    }

    @Test func `a request that the system dropped counted as scheduled`() async throws {
        var policy = NotificationPolicy()
        // Smaller than the planner believes: adding reports no error, and the request is not kept.
        policy.pendingCountMax = 10
        policy.overflow = .reject
        let device = try await ReminderDevice(policy: policy)
        let report = try await device.reminders.set("r", .every(2, .days, at: "09:00"), note)
        #expect(await device.pendingIdentifiers().count == 10)
        #expect(report["r"]?.requestCount == 10)
        let tenth = try #require(try await device.reminders.preview("r", 10).last)
        #expect(report["r"]?.horizon == .until(tenth.instant))
        policy.overflow = .keepLastAdded
        device.host.policy = policy
        let kept = try await device.reminders.set("s", .daily(at: "10:00"), note)
        // The soonest of the first one are gone, so nothing of it counts.
        #expect(kept.reason(for: "r") == .notKept)
    }

    // MARK: Changes of the clocks, and zones

    /// MaikuB#118
    @Test(arguments: ["2026-03-01T08:00", "2026-10-25T08:00"])
    func `daily at nine became eight or ten after the clocks changed`(_ start: String) async throws {
        for schedule in [
            try ReminderSchedule.daily(at: "09:00"), try .every(1, .days, at: "09:00").limited(to: 30),
            // +24 h steps instead of days: MaikuB#1100
            try .weekly(on: .everyDay, at: "09:00"),
        ] {
            let device = try await ReminderDevice(start)
            try await device.reminders.set("r", schedule, note)
            await device.advance(hours: 14 * 24 - 2)
            #expect(device.shown.count == 14)
            #expect(device.shown.allSatisfy { $0.hasSuffix("T09:00") })
            // Not at the old and at the new hour: LAMP-platform#439
            #expect(Set(device.shown.map { $0.prefix(10) }).count == 14)
        }
    }

    @Test func `a time in the skipped hour did not fire that day`() async throws {
        for (policy, expected) in [
            (GapPolicy.shiftForward, ["03-07T02:30", "03-08T03:30", "03-09T02:30"]),
            (.endOfGap, ["03-07T02:30", "03-08T03:00", "03-09T02:30"]),
            (.skip, ["03-07T02:30", "03-09T02:30"]),
        ] {
            let device = try await ReminderDevice("2026-03-07T00:00")
            try await device.reminders.set("r", .daily(at: "02:30").gap(policy), note)
            await device.advance(days: 3)
            #expect(device.shown == expected.map { "2026-" + $0 })
        }
    }

    @Test func `a time in the repeated hour fired twice`() async throws {
        for (policy, count) in [(FoldPolicy.first, 1), (.second, 1), (.both, 2)] {
            let device = try await ReminderDevice("2026-11-01T00:30")
            try await device.reminders.set("r", .daily(at: "01:30").fold(policy), note)
            await device.advance(hours: 12)
            #expect(device.shown == Array(repeating: "2026-11-01T01:30", count: count))
            let offset = try #require(device.host.shown.first?.notification.date.timeIntervalSince1970)
            #expect(Int(offset) % 86_400 / 3600 == (policy == .second ? 6 : 5))
        }
    }

    /// RNpush-ios#188
    @Test func `after a flight to New York the reminder of eight came at three`() async throws {
        for schedule in [try ReminderSchedule.daily(at: "08:00"), try .every(2, .days, at: "08:00")] {
            let device = try await ReminderDevice("2026-01-05T20:00", zone: "Europe/London")
            try await device.reminders.set("r", schedule.starting(.date(date("2026-01-06"))), note)
            device.host.zone = try Zone("America/New_York")
            await device.reminders.replan()
            await device.advance(days: 1)
            #expect(device.shown == ["2026-01-06T08:00"])
        }
    }

    /// notifee#1033
    @Test func `a moment moved with the device`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:00", zone: "Europe/London")
        let flight = try #require(Instant(iso8601: "2026-01-06T13:00:00Z"))
        let berlin = try Zone("Europe/Berlin")
        try await device.reminders.set("boarding", .once(at: flight), note)
        try await device.reminders.set("market", .daily(at: "09:00").inZone(.fixed(berlin)), note)
        try await device.reminders.set("meeting", .weekly(on: [.tuesday], at: "14:00").inZone(.instant), note)
        let before = await device.pendingIdentifiers()
        device.host.zone = try Zone("America/New_York")
        let report = await device.reminders.replan()
        // Nothing of it depends on the device's zone, so nothing is changed.
        #expect(report.addedCount == 0 && report.removedCount == 0)
        #expect(await device.pendingIdentifiers() == before)
        await device.advance(days: 1)
        #expect(device.shownKeys == ["market", "boarding", "meeting"])
        #expect(device.shown == ["2026-01-06T03:00", "2026-01-06T08:00", "2026-01-06T09:00"])
    }

    @Test func `what had been shown was shown again after a flight west`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:00", zone: "Europe/London")
        let breakfast = try civil("2026-01-06T08:00")
        try await device.reminders.set("once", .once(at: breakfast), note)
        try await device.reminders.set(
            "series", .every(2, .days, at: "08:00").starting(.date(breakfast.date)), note)
        // At noon in London the app was not opened, and New York shows seven.
        await device.advance(hours: 16)
        #expect(device.shownKeys.sorted() == ["once", "series"])
        device.host.zone = try Zone("America/New_York")
        await device.reminders.replan()
        await device.advance(hours: 1)
        await device.relaunched().replan()
        await device.advance(days: 3)
        #expect(device.shownKeys.sorted() == ["once", "series", "series"])
        #expect(device.shown.last == "2026-01-08T08:00")
    }

    @Test func `what was still to come after a flight west was taken for shown`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:00", zone: "Europe/London")
        try await device.reminders.set("lunch", .once(at: try civil("2026-01-06T10:00")), note)
        // The flight lands before ten, and the app is opened when London is past ten.
        await device.advance(hours: 13)
        device.host.zone = try Zone("America/New_York")
        await device.advance(hours: 2)
        await device.reminders.replan()
        #expect(device.shown.isEmpty)
        await device.advance(hours: 10)
        #expect(device.shown == ["2026-01-06T10:00"])
    }

    // MARK: Calendar

    @Test func `the 31st vanished in short months`() async throws {
        let device = try await ReminderDevice("2026-01-20T08:00")
        try await device.reminders.set("r", .monthly(on: .day(31), at: "09:00"), note)
        await device.advance(days: 110)
        #expect(device.shown == ["01-31", "02-28", "03-31", "04-30"].map { "2026-\($0)T09:00" })
        let skipping = try await ReminderDevice("2026-01-20T08:00")
        try await skipping.reminders.set("r", .monthly(on: .day(31), at: "09:00").monthEnd(.skip), note)
        await skipping.advance(days: 110)
        #expect(skipping.shown == ["01-31", "03-31"].map { "2026-\($0)T09:00" })
    }

    @Test func `29 February came once in four years or on 1 March`() async throws {
        let device = try await ReminderDevice("2026-01-20T08:00")
        try await device.reminders.set("r", .yearly(month: 2, day: 29, at: "09:00"), note)
        let days = try await device.reminders.preview("r", 3).map { "\($0.local.date)" }
        #expect(days == ["2026-02-28", "2027-02-28", "2028-02-29"])
        await device.advance(days: 60)
        #expect(device.shown == ["2026-02-28T09:00"])
    }

    /// katzer#1735, AN#790
    @Test func `a weekday number was counted from another day`() async throws {
        #expect(Weekday(appleNumber: 0) == nil && Weekday(appleNumber: 8) == nil)
        for weekday in Weekday.allCases {
            let device = try await ReminderDevice()
            try await device.reminders.set("r", .weekly(on: [weekday], at: "09:00"), note)
            let pending = await device.center.pendingNotificationRequests()
            let trigger = try #require(pending.first?.trigger as? UNCalendarNotificationTrigger)
            #expect(trigger.dateComponents.weekday == weekday.appleNumber && trigger.repeats)
            await device.advance(days: 14)
            let days = device.host.shown.map {
                Zone.utc.civil(
                    at: Instant(secondsSince1970: Int64($0.notification.date.timeIntervalSince1970))
                )
                .date.weekday
            }
            #expect(days == [weekday, weekday])
        }
    }

    /// Timety#55
    @Test func `the chosen weekdays were ignored and it fired daily`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("r", .weekly(on: [.monday, .friday], at: "09:00"), note)
        await device.advance(days: 14)
        #expect(device.shown == ["05", "09", "12", "16"].map { "2026-01-\($0)T09:00" })
        #expect(throws: BelfryKitError.self) { try ReminderSchedule.weekly(on: [], at: "09:00") }
        #expect(throws: BelfryKitError.self) { try ReminderSchedule.every(2, .hours, on: []) }
        #expect(throws: BelfryKitError.self) { try ReminderSchedule.daily(at: "09:00").on([]) }
    }

    /// uhabits#274
    @Test func `editing the time reset the weekdays`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("r", .weekly(on: [.monday, .friday], at: "09:00"), note)
        try await device.reminders.update("r") { reminder throws(BelfryKitError) in
            reminder.schedule = try reminder.schedule.at("10:30")
        }
        try await device.reminders.update("r") { $0.content.body = "Body" }
        await device.advance(days: 7)
        #expect(device.shown == ["05", "09"].map { "2026-01-\($0)T10:30" })
        #expect(device.host.shown.allSatisfy { $0.notification.request.content.body == "Body" })
        #expect(device.host.shown.allSatisfy { $0.notification.request.content.title == "Title" })
    }

    /// NativeScript/plugins#87
    @Test(arguments: [Calendar.Identifier.buddhist, .japanese])
    func `a device with another calendar took the year for one of its own`(
        _ calendar: Calendar.Identifier
    ) async throws {
        let device = try await ReminderDevice()
        device.host.calendarIdentifier = calendar
        try await device.reminders.set("once", .once(at: try civil("2026-01-07T09:00")), note)
        try await device.reminders.set("daily", .daily(at: "10:00"), note)
        await device.advance(days: 3)
        #expect(device.shown.contains("2026-01-07T09:00") && device.shown.count == 4)
    }

    /// jakehao.com
    @Test func `a quarter of zero kept the trigger from ever firing`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("once", .once(at: try civil("2026-01-07T09:00")), note)
        try await device.reminders.set("yearly", .yearly(month: 3, day: 1, at: "10:00"), note)
        for request in await device.center.pendingNotificationRequests() {
            let trigger = try #require(request.trigger as? UNCalendarNotificationTrigger)
            #expect(trigger.dateComponents.quarter == nil && trigger.dateComponents.era == nil)
            #expect(trigger.dateComponents.weekOfYear == nil && trigger.dateComponents.nanosecond == nil)
            let next = UNUserNotificationCenter.withCurrent(device.center) { trigger.nextTriggerDate() }
            #expect(next != nil)
        }
        #expect(device.host.diagnoses.isEmpty)
    }

    /// AN#855, FLN#799
    @Test func `every two hours at night on weekdays could not be said`() async throws {
        let device = try await ReminderDevice("2026-01-02T12:00")  // a Friday
        try await device.reminders.set(
            "guard", .every(2, .hours, from: "22:00", to: "06:00", on: .mondayToFriday), note)
        await device.advance(days: 4)
        // Friday's night goes on into Saturday; Sunday has none.
        let expected = [
            "02T22:00", "03T00:00", "03T02:00", "03T04:00", "03T06:00", "05T22:00", "06T00:00", "06T02:00",
            "06T04:00", "06T06:00",
        ]
        #expect(device.shown == expected.map { "2026-01-\($0)" })
    }

    /// OpenCircuit#137
    @Test func `a reminder at night was swallowed by quiet hours that nobody chose`() async throws {
        let device = try await ReminderDevice()
        var loud = note
        loud.interruption = .timeSensitive
        try await device.reminders.set("pill", .daily(at: "03:00"), loud)
        await device.advance(days: 2)
        #expect(device.shown == ["2026-01-06T03:00", "2026-01-07T03:00"])
        #expect(device.host.shown[0].notification.request.content.interruptionLevel == .timeSensitive)
    }

    /// capacitor `every: month`
    @Test func `a month was a fixed number of seconds and drifted`() async throws {
        let device = try await ReminderDevice("2026-01-10T08:00")
        try await device.reminders.set("rent", .monthly(on: .day(1), at: "09:00"), note)
        await device.advance(days: 365)
        #expect(device.shown.count == 12)
        #expect(device.shown.allSatisfy { $0.hasSuffix("-01T09:00") })
    }

    // MARK: Start, past dates, intervals

    /// notifee#264
    @Test func `what was to start next week fired today`() async throws {
        for schedule in [
            try ReminderSchedule.daily(at: "09:00"), try .weekly(on: .everyDay, at: "09:00"),
            try .every(2, .hours, from: "09:00", to: "11:00"), try .every(1, .hours),
        ] {
            let device = try await ReminderDevice()
            try await device.reminders.set("r", schedule.starting(.date(date("2026-01-12"))), note)
            await device.advance(days: 6)
            #expect(device.shown.isEmpty)
            await device.reminders.replan()
            await device.advance(days: 3)
            #expect(!device.shown.isEmpty && device.shown.allSatisfy { $0 >= "2026-01-12" })
        }
    }

    /// katzer README
    @Test func `a past date fired now, or next month, or never`() async throws {
        let device = try await ReminderDevice()
        let past = try civil("2026-01-04T07:00")
        let error = await #expect(throws: BelfryKitError.self) {
            try await device.reminders.set("r", .once(at: past), note)
        }
        #expect(error?.code == .pastDate)
        #expect(await device.reminders.list().isEmpty)
        try await device.reminders.set("now", .once(at: past).ifPast(.fireNow), note)
        try await device.reminders.set("next", .once(at: past).ifPast(.nextOccurrence), note)
        let instant = device.host.now.advanced(bySeconds: -1800)
        try await device.reminders.set("tomorrow", .once(at: instant).ifPast(.nextOccurrence), note)
        let ended = try ReminderSchedule.daily(at: "09:00").ending(.date(date("2026-01-04")))
        for policy in [PastDatePolicy.error, .nextOccurrence] {
            await #expect(throws: BelfryKitError.self) {
                try await device.reminders.set("ended", ended.ifPast(policy), note)
            }
        }
        await device.advance(days: 5)
        #expect(device.shownKeys == ["now", "next", "tomorrow"])
        #expect(device.shown == ["2026-01-05T08:00", "2026-01-06T07:00", "2026-01-06T07:30"])
    }

    /// RNpush-ios#254, FLN#140
    @Test func `a date after 2038 fired at once`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("far", .once(at: try civil("2041-05-06T07:08")), note)
        try await device.reminders.set("seconds", in: 3_000_000_000, note)
        await device.advance(days: 60)
        #expect(device.shown.isEmpty && device.host.diagnoses.isEmpty)
        let pending = await device.center.pendingNotificationRequests()
        let years = pending.compactMap { ($0.trigger as? UNCalendarNotificationTrigger)?.dateComponents.year }
        #expect(years.sorted() == [2041, 2121])
        await device.host.advance(to: try #require(Instant(iso8601: "2041-05-07T00:00:00Z")))
        #expect(device.shownKeys == ["far"])
    }

    /// AN#316
    @Test(arguments: [0, -5, .nan, .infinity, 1e300])
    func `an interval that is no interval ended the app`(_ seconds: Double) async throws {
        let device = try await ReminderDevice()
        await #expect(throws: BelfryKitError.self) {
            try await device.reminders.set("r", in: seconds, note)
        }
        try await device.reminders.set("r", in: 60, note)
        await #expect(throws: BelfryKitError.self) { try await device.reminders.snooze("r", for: seconds) }
        #expect(device.host.diagnoses.isEmpty)
        for interval in [0, -1, Int.max, 1_000_001] {
            #expect(throws: BelfryKitError.self) { try ReminderSchedule.every(interval, .minutes) }
            #expect(throws: BelfryKitError.self) {
                try ReminderSchedule.every(interval, .hours, from: "08:00", to: "20:00")
            }
        }
    }

    /// openradar 26855019
    @Test func `a repeating interval could not have another first time`() async throws {
        let device = try await ReminderDevice("2026-01-05T08:07")
        let first = try civil("2026-01-05T10:25")
        try await device.reminders.set("r", .every(45, .minutes).starting(.civil(first)), note)
        await device.advance(hours: 5)
        #expect(device.shown == ["10:25", "11:10", "11:55", "12:40"].map { "2026-01-05T\($0)" })
    }

    /// openradar 41949525
    @Test func `the next date of an interval moved on with each question`() async throws {
        let device = try await ReminderDevice()
        let expected = device.host.now.advanced(bySeconds: 600)
        let report = try await device.reminders.set("r", in: 600, note)
        #expect(report["r"]?.next == expected)
        await device.host.advance(bySeconds: 300)
        #expect(await device.reminders.replan()["r"]?.next == expected)
        #expect(try await device.reminders.preview("r").map(\.instant) == [expected])
        await device.host.advance(bySeconds: 301)
        #expect(device.host.shown.count == 1)
    }

    // MARK: Identity

    /// Mindwtr#1020, medTimer#1487
    @Test func `duplicates grew with each edit and each start`() async throws {
        let device = try await ReminderDevice()
        let schedule = try ReminderSchedule.every(2, .days, at: "09:00")
        try await device.reminders.set("r", schedule, note)
        let first = await device.pendingIdentifiers()
        #expect(first.contains("belfry.r#20260105T090000"))
        let again = try await device.reminders.set("r", schedule, note)
        #expect(again.addedCount == 0 && again.removedCount == 0)
        let relaunched = device.relaunched()
        #expect(await relaunched.replan().addedCount == 0)
        #expect(await device.pendingIdentifiers() == first)
        try await relaunched.update("r") { $0.content.title = "Other" }
        #expect(Set(await device.pendingIdentifiers()) == Set(first))
        // The old object sees what the new one wrote.
        #expect(await device.reminders.reminder("r")?.content.title == "Other")
        await device.advance(days: 10)
        #expect(device.host.shown.count == 5)
        #expect(device.host.shown.allSatisfy { $0.notification.request.content.title == "Other" })
    }

    /// zo0r#1749, rnfirebase#681
    @Test func `cancelling a series took the wrong one or left some of it`() async throws {
        let device = try await ReminderDevice()
        for key in ["a", "a.b", "a#b", "b", "a#20260105T090000"] {
            try await device.reminders.set(key, .every(2, .days, at: "09:00"), note)
        }
        try await device.reminders.snooze("a", for: 3600)
        await device.advance(hours: 2)
        try await device.reminders.cancel("a")
        #expect(await device.reminders.list().map(\.key) == ["a#20260105T090000", "a#b", "a.b", "b"])
        let pending = await device.pendingIdentifiers()
        #expect(!pending.contains { $0.hasPrefix("belfry.a#2026") && $0.filter { $0 == "#" }.count == 1 })
        await device.advance(days: 3)
        #expect(device.shownKeys.filter { $0 == "a" }.count == 2)
        #expect(device.shownKeys.filter { $0 == "b" }.count == 2)
        // Delivered ones stay unless asked for.
        #expect(await device.center.deliveredNotifications().count == device.host.shown.count)
        try await device.reminders.cancel("a#b", removingDelivered: true)
        let left = await device.center.deliveredNotifications().compactMap { ReminderFiring($0)?.key }
        #expect(!left.contains("a#b") && left.contains("a"))
    }

    /// FLN#2567
    @Test func `cancelling all also wiped what was delivered and what was not ours`() async throws {
        let device = try await ReminderDevice()
        try await device.addForeign("theirs", hour: 9)
        try await device.reminders.set("r", .daily(at: "09:00"), note)
        await device.advance(days: 1)
        try await device.reminders.cancelAll()
        #expect(await device.center.deliveredNotifications().count == 2)
        #expect(await device.pendingIdentifiers() == ["theirs"])
        try await device.reminders.set("r", .daily(at: "09:00"), note)
        try await device.reminders.cancelAll(removingDelivered: true)
        #expect(await device.center.deliveredNotifications().map(\.request.identifier) == ["theirs"])
    }

    /// uhabits#1174
    @Test func `an answer after midnight was counted for the new day`() async throws {
        let device = try await ReminderDevice("2026-01-05T20:00")
        try await device.reminders.set("late", .every(2, .days, at: "23:58"), note)
        try await device.reminders.set("native", .daily(at: "23:59"), note)
        await device.advance(hours: 12)
        for shown in device.host.shown {
            let firing = try #require(ReminderFiring(shown.notification))
            #expect(try firing.day(in: device.host.zone) == date("2026-01-05"))
            #expect(!firing.isSnooze)
        }
        let firing = try #require(device.host.shown.first.flatMap { ReminderFiring($0.notification) })
        #expect(try firing.key == "late" && firing.civil == civil("2026-01-05T23:58"))
        #expect(device.shownKeys == ["late", "native"])
    }

    // MARK: Permission and others

    /// thudugala#112
    @Test func `permission given in Settings did not bring the reminders back`() async throws {
        let device = try await ReminderDevice(isAllowed: false)
        try await device.reminders.set("r", .daily(at: "09:00"), note)
        #expect(await device.pendingIdentifiers().isEmpty)
        device.center.service.change { machine in
            machine.changeSettings {
                $0.authorizationStatus = UNAuthorizationStatus.authorized.rawValue
                $0.alert = UNNotificationSetting.enabled.rawValue
                $0.alertStyle = UNAlertStyle.banner.rawValue
                $0.lockScreen = UNNotificationSetting.enabled.rawValue
            }
        }
        let report = await device.reminders.replan()
        #expect(report["r"]?.horizon == .endless)
        await device.advance(days: 1)
        #expect(device.shown == ["2026-01-05T09:00"])
    }

    /// element-x-ios PR#2072
    @Test func `after signing out old reminders lived on`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("r", .every(2, .days, at: "09:00"), note)
        try await device.reminders.cancelAll(removingDelivered: true)
        #expect(await device.pendingIdentifiers().isEmpty)
        #expect(await device.relaunched().list().isEmpty)
    }

    /// FLN#910
    @Test func `the file of an attachment was moved away by the first notification`() async throws {
        let device = try await ReminderDevice()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png")
        let bytes = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
            ))
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var content = note
        content.attachments = [file]
        let report = try await device.reminders.set(
            "r", .every(2, .days, at: "09:00").limited(to: 5), content)
        #expect(report.problems.isEmpty && report["r"]?.requestCount == 5)
        #expect(FileManager.default.fileExists(atPath: file.path))
        content.attachments = [file.appendingPathExtension("missing")]
        let failed = try await device.reminders.set(
            "r", .every(2, .days, at: "09:00").limited(to: 5), content)
        #expect(failed.reason(for: "r") == .notKept && failed.problems.count == 5)
    }

    /// swift-json-gen PR#27, SwifterSwift#1150
    @Test(arguments: [("09:00", 9, 0), ("21:05:30", 21, 5), ("00:00", 0, 0)])
    func `a time was read as nil on a device with twelve hours`(
        _ text: String, _ hour: Int, _ minute: Int
    ) throws {
        let time = try ReminderTime(text).timeOfDay()
        #expect(time.hour == hour && time.minute == minute)
    }

    @Test(arguments: ["9:00", "09:00 AM", "24:00", "09:60", "", "９:00", "0900"])
    func `a time that is none was taken for some time`(_ text: String) {
        #expect(throws: BelfryKitError.self) { try ReminderTime(text).timeOfDay() }
        #expect(throws: BelfryKitError.self) { try ReminderSchedule.daily(at: ReminderTime(text)) }
    }

    /// home-assistant/iOS PR#5200
    @Test func `a snooze moved or ended the series`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("r", .daily(at: "09:00"), note)
        await device.advance(hours: 1)
        let before = await device.pendingIdentifiers()
        let instant = try await device.reminders.snooze("r", for: 540)
        #expect(instant == device.host.now.advanced(bySeconds: 540))
        #expect(Set(await device.pendingIdentifiers()).isSuperset(of: before))
        await device.advance(days: 1)
        #expect(device.shown == ["2026-01-05T09:00", "2026-01-05T09:09", "2026-01-06T09:00"])
        let firing = try #require(ReminderFiring(device.host.shown[1].notification))
        #expect(firing.isSnooze && firing.key == "r" && firing.scheduled == instant)
        #expect(await device.pendingIdentifiers() == before)
        // One that has ended can be put off too.
        try await device.reminders.set("once", in: 60, note)
        await device.host.advance(bySeconds: 120)
        await device.reminders.replan()
        try await device.reminders.snooze("once", for: 60)
        await device.host.advance(bySeconds: 60)
        #expect(device.shownKeys.filter { $0 == "once" }.count == 2)
    }

    /// FLN#1755, AN#901
    @Test func `a single occurrence could not be left out`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("r", .daily(at: "09:00"), note)
        let skipped = try await device.reminders.skipNext("r")
        #expect(try skipped?.civil == civil("2026-01-05T09:00"))
        await device.advance(days: 2)
        #expect(device.shown == ["2026-01-06T09:00"])
        // Once it is past, the system repeats the rule by itself again.
        #expect(await device.reminders.replan()["r"]?.horizon == .endless)
    }

    /// openradar 27768556
    @Test func `the centre of the process was touched in a test and ended it`() async throws {
        // No bundle, no host of the machine: everything goes to the centre that was given.
        let device = try await ReminderDevice()
        try await device.reminders.set("r", .daily(at: "09:00"), note)
        #expect(await device.pendingIdentifiers().count == 1)
    }
}
