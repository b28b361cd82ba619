import Foundation
import Recurrence
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct CenterTests {
    @Test func `a request fires at its time, leaves the pending and is delivered`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        try await device.center.add(request("a", seconds(3600)))
        #expect(await device.pendingIdentifiers() == ["a"])
        await device.host.advance(bySeconds: 3599)
        #expect(device.host.shown.isEmpty)
        await device.host.advance(bySeconds: 1)
        #expect(device.shownTimes == ["2026-01-01T09:00:00"])
        #expect(await device.pendingIdentifiers() == [])
        #expect(await device.deliveredIdentifiers() == ["a"])
    }

    @Test func `what is removed before a question is asked is not in its answer`() async throws {
        let device = try await Device.allowed()
        for name in ["a", "b", "c"] { device.center.add(request(name, daily(9)), withCompletionHandler: nil) }
        device.center.removePendingNotificationRequests(withIdentifiers: ["b", "unknown"])
        #expect(await device.pendingIdentifiers() == ["a", "c"])
        device.center.removeAllPendingNotificationRequests()
        device.center.add(request("d", daily(9)), withCompletionHandler: nil)
        #expect(await device.pendingIdentifiers() == ["d"])
    }

    @Test func `completion handlers are called in the order of the calls`() async throws {
        let device = try await Device.allowed()
        let order = OrderJournal()
        for number in 0..<50 {
            device.center.add(request("\(number)", daily(9))) { _ in order.append(number) }
        }
        await device.settle()
        #expect(order.numbers == Array(0..<50))
    }

    @Test func `the same identifier takes the place of the pending and of the delivered`() async throws {
        let device = try await Device.allowed()
        try await device.center.add(request("a", daily(9), content: content("old")))
        try await device.center.add(request("a", daily(10), content: content("new")))
        let pending = await device.center.pendingNotificationRequests()
        #expect(pending.map(\.content.title) == ["new"])
        await device.advance(days: 1)
        #expect(device.shownTimes == ["2026-01-01T10:00:00"])
        await device.advance(days: 1)
        #expect(await device.deliveredIdentifiers() == ["a"])
    }

    @Test func `a content that changes after the request was made changes nothing`() async throws {
        let device = try await Device.allowed()
        let mutable = content("before")
        let made = request("a", daily(9), content: mutable)
        mutable.title = "after"
        try await device.center.add(made)
        #expect(await device.center.pendingNotificationRequests().first?.content.title == "before")
    }

    @Test func `requests of an app that may not notify are dropped, and the policy says whether silently`()
        async throws
    {
        let device = try Device()
        device.host.isPermissionGranted = false
        try await device.center.requestAuthorization(options: [.alert])
        try await device.center.add(request("a", daily(9)))
        #expect(await device.pendingIdentifiers() == [])
        device.host.policy.unauthorizedAdd = .report
        await #expect(throws: UNError(.notificationsNotAllowed)) {
            try await device.center.add(request("a", daily(9)))
        }
    }

    @Test func `an empty content is an error, unless the policy takes it`() async throws {
        let device = try await Device.allowed()
        let empty = UNMutableNotificationContent()
        await #expect(throws: UNError(.notificationInvalidNoContent)) {
            try await device.center.add(request("a", daily(9), content: empty))
        }
        device.host.policy.emptyContent = .accept
        try await device.center.add(request("a", daily(9), content: empty))
        await device.advance(days: 1)
        #expect(device.host.shown.isEmpty)
    }

    @Test func `badges are absolute: nil leaves, 0 removes, a number sets`() async throws {
        let device = try await Device.allowed()
        for (badge, expected) in [(3, 3), (nil, 3), (0, 0), (7, 7)] as [(Int?, Int)] {
            let made = content()
            made.badge = badge.map { NSNumber(value: $0) }
            try await device.center.add(request("a", nil, content: made))
            await device.settle()
            #expect(device.host.badge == expected)
        }
        await #expect(throws: UNError(.badgeInputInvalid)) { try await device.center.setBadgeCount(-1) }
        try await device.center.setBadgeCount(2)
        #expect(device.host.badge == 2)
    }

    @Test func `a response brings its action, and its text if it has one`() async throws {
        let device = try await Device.allowed()
        let reply = UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", options: [.authenticationRequired],
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Text")
        let open = UNNotificationAction(identifier: "open", title: "Open", options: [.foreground])
        device.center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "chat", actions: [reply, open], intentIdentifiers: [],
                options: [.customDismissAction]),
            UNNotificationCategory(identifier: "plain", actions: [], intentIdentifiers: []),
        ])
        let chat = content()
        chat.categoryIdentifier = "chat"
        let service = device.center.service
        func deliver(_ made: UNNotificationContent) async throws {
            try await device.center.add(request("a", nil, content: made))
        }
        try await deliver(chat)
        let text = try #require(await service.takeResponse(to: "a", with: .action("reply", userText: "yes")))
        let response = UNNotificationResponse.make(text)
        #expect((response as? UNTextInputNotificationResponse)?.userText == "yes")
        #expect(text.needsUnlock && !text.opensApp)
        #expect(await device.deliveredIdentifiers() == [])

        try await deliver(chat)
        let opened = try #require(await service.takeResponse(to: "a", with: .action("open")))
        #expect(opened.opensApp && opened.userText == nil)

        try await deliver(chat)
        let dismissed = try #require(await service.takeResponse(to: "a", with: .dismiss))
        #expect(dismissed.actionIdentifier == UNNotificationDismissActionIdentifier)

        let plain = content()
        plain.categoryIdentifier = "plain"
        try await deliver(plain)
        #expect(await service.takeResponse(to: "a", with: .action("reply")) == nil)
        #expect(await device.deliveredIdentifiers() == ["a"])
        #expect(await service.takeResponse(to: "a", with: .dismiss) == nil)
        #expect(await device.deliveredIdentifiers() == [])
        #expect(await service.takeResponse(to: "a", with: .tap) == nil)
    }

    @Test func `a localized text is looked up when it is shown`() async throws {
        let device = try await Device.allowed()
        let made = content()
        made.body = NSString.localizedUserNotificationString(forKey: "GREETING", arguments: ["Ann", 3])
        try await device.center.add(request("a", daily(9), content: made))
        device.host.strings = ["GREETING": "%2$@ pictures from %1$@, 100 %%"]
        await device.advance(days: 1)
        let shown = try #require(device.host.shown.first?.notification)
        UNUserNotificationCenter.withCurrent(device.center) {
            #expect(shown.request.content.body == "3 pictures from Ann, 100 %")
            device.host.strings = ["GREETING": "%@ %@ %@"]
            #expect(shown.request.content.body == "Ann 3 ")
        }
    }

    @Test func `a region fires on the crossings that it asks for`() async throws {
        let device = try await Device.allowed()
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 0, longitude: 0), radius: 100, identifier: "home")
        region.notifyOnExit = false
        try await device.center.add(
            request("a", UNLocationNotificationTrigger(region: region, repeats: true)))
        device.center.service.cross(region: "home", isEntry: false)
        await device.settle()
        #expect(device.shownIdentifiers == [])
        device.center.service.cross(region: "home", isEntry: true)
        device.center.service.cross(region: "home", isEntry: true)
        await device.settle()
        #expect(device.shownIdentifiers == ["a", "a"])
        #expect(await device.pendingIdentifiers() == ["a"])
        #expect(region.contains(CLLocationCoordinate2D(latitude: 0, longitude: 0.0008)))
        #expect(!region.contains(CLLocationCoordinate2D(latitude: 0, longitude: 0.001)))
    }

    @Test func `what is pending goes on after a restart, and what was missed is made up for`() async throws {
        for (missed, expected) in [
            (MissedRepeatPolicy.latest, ["2026-01-01T12:00:00", "2026-01-03T09:00:00"]),
            (
                .all,
                ["2026-01-01T12:00:00", "2026-01-01T09:00:00", "2026-01-02T09:00:00", "2026-01-03T09:00:00"]
            ),
            (.none, ["2026-01-01T12:00:00"]),
        ] {
            let device = try await Device.allowed("2026-01-01T08:00")
            try await device.center.add(request("once", seconds(4 * 3600)))
            try await device.center.add(request("daily", daily(9)))
            var policy = NotificationPolicy()
            policy.missedRepeats = missed
            let restarted = try Device("2026-01-03T20:00", policy: policy, state: device.host.state)
            await restarted.settle()
            #expect(restarted.shownTimes.sorted() == expected.sorted())
            #expect(await restarted.pendingIdentifiers() == ["daily"])
            await restarted.advance(days: 1)
            #expect(restarted.shownTimes.last == "2026-01-04T09:00:00")
        }
    }

    @Test func `a repeat that is a little late is no missed one, one that is much later is`() async throws {
        for (clock, expected) in [("2026-01-02T09:01:59", 1), ("2026-01-02T09:02:01", 0)] {
            let device = try await Device.allowed("2026-01-01T10:00")
            try await device.center.add(request("daily", daily(9)))
            var policy = NotificationPolicy()
            policy.missedRepeats = .none
            let restarted = try Device(clock, policy: policy, state: device.host.state)
            await restarted.settle()
            #expect(restarted.host.shown.count == expected)
            #expect(await restarted.pendingIdentifiers() == ["daily"])
        }
    }

    @Test func `after a restart the icon has its number again`() async throws {
        let device = try await Device.allowed()
        try await device.center.setBadgeCount(5)
        let restarted = try Device(state: device.host.state)
        await restarted.settle()
        #expect(restarted.host.badge == 5)
    }

    @Test func `ten days of a hundred daily reminders show each of them once a day`() async throws {
        var policy = NotificationPolicy()
        policy.pendingCountMax = 100
        let device = try await Device.allowed(zone: "Asia/Kathmandu", policy: policy)
        for number in 0..<100 {
            device.center.add(
                request("\(number)", daily(number % 24, number / 24 * 10)), withCompletionHandler: nil)
        }
        await device.advance(days: 10)
        #expect(device.host.shown.count == 1000)
    }
}

/// Numbers in the order in which they came, from any thread.
private final class OrderJournal: @unchecked Sendable {
    // Guarded by the lock.
    private var contents: [Int] = []
    private let lock = NSLock()

    func append(_ number: Int) { lock.withLock { contents.append(number) } }

    var numbers: [Int] { lock.withLock { contents } }
}
