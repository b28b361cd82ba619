import Foundation
import Recurrence
import Testing

@testable import UserNotifications

/// Reports of what went wrong with local notifications elsewhere, one test each, with the number of the report.
@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    // MARK: Limit

    @Test
    func `1: a hundred requests leave 64, the last added or the soonest by policy, and the loss is told`()
        async throws
    {
        for (overflow, expected) in [
            (OverflowPolicy.keepLastAdded, Set(0..<64)), (.keepSoonest, Set(0..<64)),
            (.reject, Set(36..<100)),
        ] {
            var policy = NotificationPolicy()
            policy.overflow = overflow
            let device = try await Device.allowed(policy: policy)
            // Added from the latest date to the soonest: the soonest are the last added.
            for number in (0..<100).reversed() {
                try await device.center.add(request("\(number)", seconds(Double(60 * (number + 1)))))
            }
            #expect(Set(await device.pendingIdentifiers().compactMap { Int($0) }) == expected, "\(overflow)")
            #expect(device.host.diagnoses.count == 36)
        }
    }

    @Test func `1: added from the soonest on, the last added are the latest ones`() async throws {
        for (overflow, expected) in [
            (OverflowPolicy.keepLastAdded, Set(36..<100)), (.keepSoonest, Set(0..<64)),
        ] {
            var policy = NotificationPolicy()
            policy.overflow = overflow
            let device = try await Device.allowed(policy: policy)
            for number in 0..<100 {
                try await device.center.add(request("\(number)", seconds(Double(60 * (number + 1)))))
            }
            #expect(Set(await device.pendingIdentifiers().compactMap { Int($0) }) == expected)
        }
    }

    @Test func `1: 64 fit and delivered ones do not count`() async throws {
        let device = try await Device.allowed()
        for number in 0..<64 { try await device.center.add(request("old \(number)", seconds(10))) }
        await device.host.advance(bySeconds: 10)
        for number in 0..<64 { try await device.center.add(request("new \(number)", seconds(10))) }
        #expect(await device.pendingIdentifiers().count == 64)
        #expect(await device.deliveredIdentifiers().count == 64)
        #expect(device.host.diagnoses == [])
    }

    @Test func `5: an add without an error is no proof, the pending list is`() async throws {
        let device = try Device()
        device.host.isPermissionGranted = false
        try await device.center.requestAuthorization(options: [.alert])
        try await device.center.add(request("a", daily(9)))
        #expect(await device.pendingIdentifiers() == [])
        #expect(device.host.diagnoses.count == 1)
    }

    // MARK: Clocks and zones

    @Test(arguments: ["2026-03-05T10:00", "2026-10-29T10:00"])
    func `6: nine o'clock stays nine o'clock through a change of the clocks`(start: String) async throws {
        let device = try await Device.allowed(start)
        try await device.center.add(request("a", daily(9)))
        await device.advance(days: 7)
        #expect(device.shownTimes.count == 7 || device.shownTimes.count == 6)
        #expect(device.shownTimes.allSatisfy { $0.hasSuffix("T09:00:00") })
    }

    @Test func `7: in the week of a change it fires exactly once a day`() async throws {
        for (zone, start) in [
            ("America/New_York", "2026-03-02T12:00"), ("America/New_York", "2026-10-26T12:00"),
            ("Europe/Berlin", "2026-03-22T12:00"), ("Europe/Berlin", "2026-10-18T12:00"),
            ("Australia/Lord_Howe", "2026-03-29T12:00"), ("Australia/Lord_Howe", "2026-09-27T12:00"),
            ("Antarctica/Troll", "2026-03-22T12:00"), ("Antarctica/Troll", "2026-10-18T12:00"),
        ] {
            for hour in [0, 1, 2, 3, 9] {
                let device = try await Device.allowed(start, zone: zone)
                try await device.center.add(request("a", daily(hour, 30)))
                await device.host.advance(bySeconds: 14 * 86_400)
                let days = device.shownTimes.map { $0.prefix(10) }
                #expect(Set(days).count == days.count, "\(zone) \(hour) \(start)")
                #expect((13...15).contains(days.count), "\(zone) \(hour) \(start)")
            }
        }
    }

    @Test func `9: a time that the clocks skip fires as much later, by default`() async throws {
        let device = try await Device.allowed("2026-03-07T12:00")
        try await device.center.add(request("a", daily(2, 30)))
        await device.advance(days: 3)
        #expect(device.shownTimes == ["2026-03-08T03:30:00", "2026-03-09T02:30:00", "2026-03-10T02:30:00"])
    }

    @Test func `10: the day after a change is not an hour off`() async throws {
        let device = try await Device.allowed("2026-10-30T12:00", zone: "Europe/London")
        let trigger = UNCalendarNotificationTrigger(
            dateMatching: components(weekday: 2, hour: 7), repeats: true)
        try await device.center.add(request("a", trigger))
        await device.advance(days: 15)
        #expect(device.shownTimes == ["2026-11-02T07:00:00", "2026-11-09T07:00:00"])
    }

    @Test func `11: eight o'clock travels from London to New York`() async throws {
        let device = try await Device.allowed("2026-06-01T12:00", zone: "Europe/London")
        try await device.center.add(request("a", daily(8)))
        device.host.zone = try Zone("America/New_York")
        await device.settle()
        await device.advance(days: 2)
        // It was noon in London, which is seven in New York.
        #expect(device.shownTimes == ["2026-06-01T08:00:00", "2026-06-02T08:00:00"])
    }

    @Test func `12: a time with a zone of its own does not move with the device`() async throws {
        let device = try await Device.allowed("2026-06-01T12:00", zone: "Europe/London")
        var parts = components(hour: 8)
        parts.timeZone = TimeZone(identifier: "Europe/London")
        try await device.center.add(
            request("a", UNCalendarNotificationTrigger(dateMatching: parts, repeats: true)))
        device.host.zone = try Zone("America/New_York")
        await device.settle()
        await device.advance(days: 1)
        #expect(device.shownTimes == ["2026-06-02T03:00:00"])
    }

    // MARK: Shapes of dates

    @Test func `15: the 29th of February comes every year, by policy`() async throws {
        for (missing, expected) in [
            (MissingDayPolicy.nextDay, "2026-03-01T09:00:00"), (.lastDay, "2026-02-28T09:00:00"),
            (.skip, "2028-02-29T09:00:00"),
        ] {
            var policy = NotificationPolicy()
            policy.missingDay = missing
            let device = try await Device.allowed(policy: policy)
            let parts = components(month: 2, day: 29, hour: 9)
            try await device.center.add(
                request("a", UNCalendarNotificationTrigger(dateMatching: parts, repeats: true)))
            await device.advance(days: 800)
            #expect(device.shownTimes.first == expected)
        }
    }

    @Test(arguments: [0, 8, -1])
    func `16: a weekday that is none never fires, and that is told`(weekday: Int) async throws {
        let device = try await Device.allowed()
        let trigger = UNCalendarNotificationTrigger(
            dateMatching: components(weekday: weekday, hour: 9), repeats: true)
        UNUserNotificationCenter.withCurrent(device.center) { #expect(trigger.nextTriggerDate() == nil) }
        try await device.center.add(request("a", trigger))
        #expect(await device.pendingIdentifiers() == [])
        #expect(device.host.diagnoses.first?.contains("weekday: found \(weekday)") == true)
    }

    @Test func `16: weekday 1 is Sunday`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        try await device.center.add(
            request(
                "a",
                UNCalendarNotificationTrigger(dateMatching: components(weekday: 1, hour: 9), repeats: false)))
        await device.advance(days: 10)
        #expect(device.shownTimes == ["2026-01-04T09:00:00"])
    }

    @Test func `17: a weekday is honoured, not ignored`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        for weekday in [2, 4] {
            let trigger = UNCalendarNotificationTrigger(
                dateMatching: components(weekday: weekday, hour: 9), repeats: true)
            try await device.center.add(request("\(weekday)", trigger))
        }
        await device.advance(days: 14)
        #expect(device.shownIdentifiers == ["2", "4", "2", "4"])
    }

    @Test func `19: on a device with the Buddhist calendar a year without calendar is a Buddhist one`()
        async throws
    {
        let device = try await Device.allowed("2026-01-01T08:00", zone: "Asia/Bangkok")
        device.host.calendarIdentifier = .buddhist
        let foreign = components(year: 2026, month: 2, day: 1, hour: 9)
        try await device.center.add(
            request("lost", UNCalendarNotificationTrigger(dateMatching: foreign, repeats: false)))
        let local = components(year: 2569, month: 2, day: 1, hour: 9)
        try await device.center.add(
            request("buddhist", UNCalendarNotificationTrigger(dateMatching: local, repeats: false)))
        var explicit = foreign
        explicit.calendar = Calendar(identifier: .gregorian)
        try await device.center.add(
            request("gregorian", UNCalendarNotificationTrigger(dateMatching: explicit, repeats: false)))
        #expect(await device.pendingIdentifiers() == ["buddhist", "gregorian"])
        await device.advance(days: 40)
        #expect(device.shownTimes == ["2026-02-01T09:00:00", "2026-02-01T09:00:00"])
    }

    @Test func `20: a quarter of 0 gives no date, and the reason is told`() async throws {
        let device = try await Device.allowed()
        var parts = components(month: 2, day: 1, hour: 9)
        parts.quarter = 0
        let trigger = UNCalendarNotificationTrigger(dateMatching: parts, repeats: false)
        UNUserNotificationCenter.withCurrent(device.center) { #expect(trigger.nextTriggerDate() == nil) }
        try await device.center.add(request("a", trigger))
        #expect(await device.pendingIdentifiers() == [])
        #expect(device.host.diagnoses.first?.contains("quarter") == true)
    }

    @Test func `26: monthly stays on the day and does not drift`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        let trigger = UNCalendarNotificationTrigger(dateMatching: components(day: 15, hour: 9), repeats: true)
        try await device.center.add(request("a", trigger))
        await device.advance(days: 364)
        #expect(device.shownTimes.count == 12)
        #expect(device.shownTimes.allSatisfy { $0.hasSuffix("-15T09:00:00") })
    }

    // MARK: Past and intervals

    @Test func `29: a date in the past never fires and gives no error`() async throws {
        let device = try await Device.allowed("2026-06-01T12:00")
        let trigger = UNCalendarNotificationTrigger(
            dateMatching: components(year: 2026, month: 6, day: 1, hour: 9), repeats: false)
        UNUserNotificationCenter.withCurrent(device.center) { #expect(trigger.nextTriggerDate() == nil) }
        try await device.center.add(request("a", trigger))
        #expect(await device.pendingIdentifiers() == [])
        await device.advance(days: 400)
        #expect(device.host.shown.isEmpty)
    }

    @Test(arguments: [2_100_000_000.0, 3_000_000_000, 9_000_000_000])
    func `30: a date beyond 2038 does not fire at once`(interval: Double) async throws {
        let device = try await Device.allowed()
        try await device.center.add(request("a", seconds(interval)))
        await device.advance(days: 365)
        #expect(device.host.shown.isEmpty)
        await device.host.advance(bySeconds: Int64(interval))
        #expect(device.shownIdentifiers == ["a"])
    }

    @Test(
        arguments: [(0, false), (-5, false), (59.9, true), (.infinity, false), (.nan, false)]
            as [(Double, Bool)])
    func `31: an interval that iOS crashes on is told where a test asks for it`(
        interval: Double, repeats: Bool
    ) async throws {
        let device = try await Device.allowed()
        let trigger = UNUserNotificationCenter.withCurrent(device.center) {
            seconds(interval, repeats: repeats)
        }
        #expect(device.host.diagnoses.count == 1 || interval == .infinity)
        try await device.center.add(request("a", trigger))
        #expect(await device.pendingIdentifiers() == [])
    }

    @Test func `31: an interval that iOS crashes on stops the process by default`() async {
        await #expect(processExitsWith: .failure) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 30, repeats: true)
        }
    }

    @Test func `32: a repeating interval begins with its interval and keeps its rhythm`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        try await device.center.add(request("a", seconds(5400, repeats: true)))
        await device.host.advance(bySeconds: 3 * 5400)
        #expect(device.shownTimes == ["2026-01-01T09:30:00", "2026-01-01T11:00:00", "2026-01-01T12:30:00"])
    }

    @Test func `33: the next date of an interval counts from the call, unless the policy says from adding`()
        async throws
    {
        for (policy, expected) in [(IntervalDatePolicy.fromNow, 1800.0), (.fromAdding, 0)] {
            let device = try await Device.allowed()
            device.host.policy.intervalDate = policy
            let due = device.host.now.advanced(bySeconds: 3600)
            try await device.center.add(request("a", seconds(3600)))
            await device.host.advance(bySeconds: 1800)
            let pending = try #require(await device.center.pendingNotificationRequests().first)
            let trigger = try #require(pending.trigger as? UNTimeIntervalNotificationTrigger)
            let date = UNUserNotificationCenter.withCurrent(device.center) { trigger.nextTriggerDate() }
            #expect(date?.timeIntervalSince(due.date) == expected)
        }
    }

    // MARK: Identity

    @Test func `34: added twice is there once`() async throws {
        let device = try await Device.allowed()
        for _ in 0..<3 { try await device.center.add(request("a", daily(9))) }
        #expect(await device.pendingIdentifiers() == ["a"])
        await device.advance(days: 1)
        #expect(device.host.shown.count == 1)
    }

    @Test func `36: a repeating request stays pending after it was shown, until it is removed`() async throws
    {
        let device = try await Device.allowed()
        try await device.center.add(request("a", daily(9)))
        try await device.center.add(request("b", daily(9)))
        await device.advance(days: 2)
        #expect(await device.pendingIdentifiers() == ["a", "b"])
        device.center.removePendingNotificationRequests(withIdentifiers: ["a"])
        await device.advance(days: 1)
        #expect(device.shownIdentifiers == ["a", "b", "a", "b", "b"])
        #expect(await device.deliveredIdentifiers() == ["a", "b"])
    }

    @Test func `38: taking back what is pending leaves what was delivered, and the other way round`()
        async throws
    {
        let device = try await Device.allowed()
        device.center.service.receive(
            try RequestRecord(remote: Array(#"{"aps":{"alert":"push"}}"#.utf8), identifier: "push"))
        try await device.center.add(request("a", daily(9)))
        device.center.removeAllPendingNotificationRequests()
        #expect(await device.deliveredIdentifiers() == ["push"])
        try await device.center.add(request("a", daily(9)))
        device.center.removeAllDeliveredNotifications()
        #expect(await device.pendingIdentifiers() == ["a"])
        #expect(device.host.withdrawn == ["push"])
    }

    @Test func `39: an answer after midnight carries the day that it is for`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        try await device.center.add(request("a", daily(23, 50)))
        await device.host.advance(bySeconds: 17 * 3600)
        let response = try #require(await device.center.service.takeResponse(to: "a", with: .tap))
        #expect(device.host.zone.civil(at: response.notification.date).iso8601 == "2026-01-01T23:50:00")
    }

    // MARK: Badge, foreground, categories

    @Test func `40: a badge of 0 clears the delivered ones or not, by policy; the old property does`()
        async throws
    {
        for (policy, expected) in [(ZeroBadgePolicy.keepsDelivered, ["a"]), (.clearsDelivered, [])] {
            let device = try await Device.allowed()
            device.host.policy.zeroBadge = policy
            try await device.center.add(request("a", nil))
            try await device.center.setBadgeCount(0)
            #expect(await device.deliveredIdentifiers() == expected)
        }
        for (number, expected) in [(-1, ["a"]), (5, ["a"]), (0, [])] {
            let device = try await Device.allowed()
            try await device.center.add(request("a", nil))
            device.center.service.submit { [service = device.center.service] in
                service.apply { ((), $0.setApplicationIconBadgeNumber(number)) }
            }
            #expect(await device.deliveredIdentifiers() == expected)
            #expect(device.host.badge == max(0, number))
        }
    }

    @Test func `41: options for permission are no options for presentation`() {
        // The types differ, so that one cannot be passed for the other; the bits alone would mean something else.
        #expect(UNAuthorizationOptions.carPlay.rawValue == UNNotificationPresentationOptions.list.rawValue)
        #expect(type(of: UNAuthorizationOptions.alert) != type(of: UNNotificationPresentationOptions.alert))
    }

    @Test func `42: setting categories replaces all that were there`() async throws {
        let device = try Device()
        let one = UNNotificationCategory(identifier: "one", actions: [], intentIdentifiers: [])
        let two = UNNotificationCategory(identifier: "two", actions: [], intentIdentifiers: [])
        device.center.setNotificationCategories([one])
        device.center.setNotificationCategories([two])
        #expect(await device.center.notificationCategories() == [two])
    }

    @Test func `43: a response without a delegate is lost, and that is told`() async throws {
        let device = try await Device.allowed()
        try await device.center.add(request("a", nil))
        await device.settle()
        device.host.link?.tap("a")
        await device.settle()
        #expect(device.host.diagnoses.contains { $0.contains("no delegate") })
    }

    @Test func `49: a permission that is changed in Settings is seen at the next question`() async throws {
        let device = try Device()
        device.host.isPermissionGranted = false
        try await device.center.requestAuthorization(options: [.alert])
        device.center.service.change { $0.changeSettings { $0.authorizationStatus = 2 } }
        #expect(await device.center.notificationSettings().authorizationStatus == .authorized)
        #expect(try await device.center.requestAuthorization(options: [.alert]))
    }

    @Test func `50: asking for more after a provisional permission shows the question, by default`()
        async throws
    {
        for (policy, count) in [(ProvisionalUpgradePolicy.prompts, 1), (.keepsProvisional, 0)] {
            let device = try Device()
            device.host.policy.provisionalUpgrade = policy
            try await device.center.requestAuthorization(options: [.alert, .provisional])
            #expect(try await device.center.requestAuthorization(options: [.alert]))
            #expect(device.host.questionCount == count)
            let status = await device.center.notificationSettings().authorizationStatus
            #expect(status == (count == 1 ? .authorized : .provisional))
        }
    }

    @Test func `57: asking for the centre outside an app does not stop the process`() async {
        await #expect(processExitsWith: .success) {
            setenv(
                "XDG_DATA_HOME", FileManager.default.temporaryDirectory.path + "/belfry-" + UUID().uuidString,
                1)
            let center = UNUserNotificationCenter.current()
            try await center.requestAuthorization(options: [.alert])
            try await center.add(request("a", daily(9)))
            precondition(UNUserNotificationCenter.current() === center)
            let pending = await center.pendingNotificationRequests()
            precondition(pending.count == 1)
        }
    }
}
