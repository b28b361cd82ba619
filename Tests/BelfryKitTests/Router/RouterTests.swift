import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

/// The router between a notification centre and an app.
@Suite(.timeLimit(.minutes(5))) struct RouterTests {
    private static let payload = #"{"aps":{"alert":"Ann: hello","badge":2},"url":"app:chat/7"}"#

    private func authorized(_ app: TestApp) async throws {
        _ = try await app.belfry.permission.request()
    }

    // Reports: the tap that started the app was lost, since nobody listened yet.
    @Test func `a tap on a killed app waits for the handler and comes once`() async throws {
        let app = TestApp()
        try await authorized(app)
        try await app.push(Self.payload)
        app.host.link?.tap("AAAAbbbbCCCC0001")
        await app.launch(cause: .plain)
        #expect(app.events.entries.isEmpty)
        app.listen()
        await app.settle()
        #expect(app.events.entries.count == 1)
        guard case .opened(let notification, _)? = app.events.entries.first else {
            Issue.record("a tap is an opening")
            return
        }
        #expect(notification.link?.absoluteString == "app:chat/7")
        #expect(notification.chatMessage == ChatMessage(sender: "Ann", text: "hello"))
        #expect(notification.pushID == "AAAAbbbbCCCC0001")
        app.listen()
        await app.settle()
        #expect(app.events.entries.count == 1, "a second handler does not get it again")
    }

    /// Another library that has made itself the centre's delegate, and tells the app's router.
    ///
    /// Sendable: the router never changes.
    private final class OtherDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
        let router: NotificationRouter
        init(_ router: NotificationRouter) { self.router = router }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            // By both ways, as libraries do that call the former delegate too.
            router.receive(ReceivedResponse(response))
            router.userNotificationCenter(
                center, didReceive: response, withCompletionHandler: completionHandler)
        }
    }

    // Reports: opens were not counted while another library was the delegate, or counted twice.
    @Test func `a delegate of another library hands its responses over, and each counts once`() async throws {
        let app = TestApp()
        try await authorized(app)
        await app.launch()
        app.listen()
        let other = OtherDelegate(app.belfry.router)
        app.center.delegate = other
        try await app.push(Self.payload)
        app.host.link?.tap("AAAAbbbbCCCC0001")
        await app.settle()
        #expect(app.events.entries.count == 1)
        #expect(app.service.calls.filter { $0.path.hasSuffix("/stats/open/collect") }.count == 1)
        #expect(app.center.delegate === other)
    }

    // Reports: actions without the foreground were never handled on a killed app.
    @Test func `an action in the background and a text reply reach the app`() async throws {
        let app = TestApp()
        try await authorized(app)
        try app.belfry.categories.register([
            UNNotificationCategory(
                identifier: "chat",
                actions: [
                    UNNotificationAction(identifier: "read", title: "Read"),
                    UNTextInputNotificationAction(
                        identifier: "reply", title: "Reply", textInputButtonTitle: "Send",
                        textInputPlaceholder: ""),
                ], intentIdentifiers: [], options: .customDismissAction)
        ])
        await app.settle()
        app.device.set { $0.phase = .background }
        await app.launch()
        app.listen()
        for (number, action) in ["read", "reply", "dismiss"].enumerated() {
            try await app.push(
                #"{"aps":{"alert":"x","category":"chat"}}"#, identifier: "AAAAbbbbCCCC000\(number)")
            if action == "dismiss" {
                app.host.link?.dismiss("AAAAbbbbCCCC000\(number)")
            } else {
                app.host.link?.act("AAAAbbbbCCCC000\(number)", action: action, userText: "on my way")
            }
            await app.settle()
        }
        #expect(app.events.entries.count == 3)
        guard case .action("read", _, nil, .background) = app.events.entries[0],
            case .action("reply", _, "on my way", .background) = app.events.entries[1],
            case .dismissed(_, .background) = app.events.entries[2]
        else {
            Issue.record("found \(app.events.entries)")
            return
        }
    }

    // Reports: nothing was shown in the foreground, or authorization options were given as presentation options.
    @Test(arguments: [
        (ForegroundPresentation.full, true, true, true), (.quiet, false, true, false),
        (.none, false, false, false),
    ])
    func `the app decides what is shown while it is in front`(
        presentation: ForegroundPresentation, banner: Bool, list: Bool, sound: Bool
    ) async throws {
        let app = TestApp()
        try await authorized(app)
        app.listen()
        app.belfry.onPresent { _ in presentation }
        app.host.surroundings.isForeground = true
        try await app.push(#"{"aps":{"alert":"x","sound":"default"}}"#)
        #expect((app.host.shown.last?.presentation.showsBanner ?? false) == banner)
        #expect((app.host.shown.last?.presentation.isListed ?? false) == list)
        #expect((app.host.shown.last?.presentation.playsSound ?? false) == sound)
        guard case .arrived? = app.events.entries.first else {
            Issue.record("it arrived, shown or not")
            return
        }
    }

    @Test func `without a decision a notification in the foreground is shown`() async throws {
        let app = TestApp()
        try await authorized(app)
        app.host.surroundings.isForeground = true
        try await app.push(Self.payload)
        #expect(app.host.shown.last?.presentation.showsBanner == true)
    }

    // Reports: an app that was opened by its icon was told of a tap.
    @Test func `opening by the icon is no tap, and tells of a waiting badge`() async throws {
        let app = TestApp()
        try await authorized(app)
        try await app.push(Self.payload)
        app.device.set { $0.badgeCount = 2 }
        app.listen()
        await app.launch()
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.events.entries == [.openedByIcon(badge: 2)])
        #expect(app.belfry.opens.pendingCount == 0)
        #expect(!app.service.calls.contains { $0.path.contains("stats") })
    }

    @MainActor @Test func `a push in the background is worked on, and nothing comes of it without a handler`()
        async
    {
        let app = TestApp()
        let payload: [AnyHashable: Any] = ["aps": ["content-available": 1], "item": 7, "none": NSNull()]
        #expect(await app.belfry.didReceiveRemoteNotification(payload) == .noData)
        app.belfry.onBackgroundPush { notification in
            notification.payload["item"] == 7 && notification.payload["none"] == .some(.null)
                ? .newData : .failed
        }
        #expect(await app.belfry.didReceiveRemoteNotification(payload) == .newData)
    }

    @Test func `a silent push is shown as one of the app's own, and its tap counts for the push`()
        async throws
    {
        let app = TestApp()
        try await authorized(app)
        await app.launch()
        app.listen()
        let push = ReceivedNotification(
            payload: ["aps": ["content-available": 1], "notificationId": "abc123", "url": "app:x"],
            date: app.device.now)
        await #expect(throws: BelfryKitError.self) { try await app.belfry.router.showLocally(push) }
        try await app.belfry.router.showLocally(push, title: "News", body: "Something happened")
        try await app.belfry.router.showLocally(push, title: "News", body: "Something happened")
        await app.settle()
        #expect(app.center.service.state.delivered.count == 1)
        app.host.link?.tap("belfry.shown.abc123")
        await app.settle()
        #expect(app.events.entries.first?.notification?.link?.absoluteString == "app:x")
        let opens = app.service.calls.filter { $0.path == "/1.1/stats/open/collect" }
        #expect(opens.count == 1)
    }

    // Reports: an answer after midnight counted for the new day.
    @Test func `a response carries the moment its reminder stands for`() async throws {
        let app = TestApp()
        try await authorized(app)
        app.listen()
        let content = UNMutableNotificationContent()
        content.body = "Wash your hands"
        content.userInfo = ["belfry": ["reminder": "hands", "instant": "2023-11-14T22:13:20.000Z"]]
        try await app.center.add(UNNotificationRequest(identifier: "r", content: content, trigger: nil))
        await app.settle()
        app.device.advance(bySeconds: 86_400)
        app.host.link?.tap("r")
        await app.settle()
        #expect(
            app.events.entries.first?.notification?.occurrence
                == Instant(millisecondsSince1970: 1_700_000_000_000))
        #expect(app.events.entries.first?.notification?.reminderKey == "hands")
    }

    @Test func `a local notification without a moment of its own stands for when it was delivered`()
        async throws
    {
        let app = TestApp()
        try await authorized(app)
        app.listen()
        let content = UNMutableNotificationContent()
        content.body = "x"
        try await app.center.add(UNNotificationRequest(identifier: "r", content: content, trigger: nil))
        await app.settle()
        app.host.link?.tap("r")
        await app.settle()
        #expect(app.events.entries.first?.notification?.occurrence == app.host.now)
    }

    @Test func `a handler that is slow gets one event after another`() async throws {
        let app = TestApp()
        let running = Journal<Int>()
        app.belfry.onEvent { event in
            running.add(1)
            for _ in 0..<5 { await Task.yield() }
            running.add(-1)
        }
        for number in 0..<20 {
            let note = ReceivedNotification(identifier: "\(number)", source: .local, date: app.device.now)
            app.belfry.router.receive(ReceivedResponse(notification: note, gesture: .tap))
        }
        await app.settle()
        #expect(running.entries.count == 40)
        #expect(zip(running.entries.indices, running.entries).allSatisfy { $1 == ($0 % 2 == 0 ? 1 : -1) })
    }

    // Reports: the categories of one library wiped out those of another.
    @Test func `categories of all parts of an app stay`() async throws {
        let app = TestApp()
        let foreign = UNNotificationCategory(
            identifier: "foreign", actions: [], intentIdentifiers: [], options: [])
        app.center.setNotificationCategories([foreign])
        for name in ["a", "b", "c"] {
            try app.belfry.categories.register([
                UNNotificationCategory(identifier: name, actions: [], intentIdentifiers: [], options: [])
            ])
        }
        await app.settle()
        #expect(
            Set(await app.center.notificationCategories().map(\.identifier)) == ["foreign", "a", "b", "c"])
        app.center.setNotificationCategories([foreign])
        app.belfry.categories.restore()
        await app.settle()
        #expect(
            Set(await app.center.notificationCategories().map(\.identifier)) == ["foreign", "a", "b", "c"])
    }

    @Test func `one action with two meanings is refused, and nothing of it registered`() async throws {
        let app = TestApp()
        func category(_ name: String, _ title: String) -> UNNotificationCategory {
            UNNotificationCategory(
                identifier: name, actions: [UNNotificationAction(identifier: "ok", title: title)],
                intentIdentifiers: [], options: [])
        }
        try app.belfry.categories.register([category("a", "Done")])
        #expect(throws: BelfryKitError.self) {
            try app.belfry.categories.register([category("b", "Delete")])
        }
        try app.belfry.categories.register([category("c", "Done")])
        await app.settle()
        #expect(Set(await app.center.notificationCategories().map(\.identifier)) == ["a", "c"])
    }
}
