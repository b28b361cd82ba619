import Foundation
import Synchronization
import Testing

@testable import UserNotifications

/// The presenter against a bus that the test plays, down to the bytes.
@Suite(.timeLimit(.minutes(5))) struct DesktopBusTests {
    /// A centre on a presenter on a bus, with what comes out at both ends.
    private final class Desktop: Sendable {
        let bus: FakeBus
        let center: UNUserNotificationCenter
        let lines = Lines()
        private let responses = Responses()
        private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "belfry-" + UUID().uuidString)

        init(owner: String? = ":1.7") async throws {
            bus = try FakeBus(owner: owner)
            let found = DesktopPresenter(
                appName: "App", desktopEntry: "com.example.app", address: bus.address,
                retry: .milliseconds(1) ... .milliseconds(5), log: { [lines] in lines.append($0) })
            let presenter = try #require(found)
            center = UNUserNotificationCenter(
                host: SystemHost(
                    directory: directory, presenter: presenter, log: { [lines] in lines.append($0) }))
            center.delegate = responses
            try await center.requestAuthorization(options: [.alert, .sound, .badge])
            guard case .connected = await bus.events.next() else { throw CocoaError(.fileReadUnknown) }
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        func next() async -> FakeBus.Event { await bus.events.next() }

        func nextNotify() async -> BusMessage {
            while true {
                if case .notify(let message) = await next() { return message }
            }
        }

        func nextResponse() async -> String { await responses.lines.next() }
    }

    @Test func `a notification goes over the bus as the specification has it`() async throws {
        let desktop = try await Desktop()
        let reply = UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: "")
        desktop.center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "im.received",
                actions: [reply, UNNotificationAction(identifier: "no", title: "No")],
                intentIdentifiers: [])
        ])
        let made = content("Ann")
        made.body = "a < b"
        made.categoryIdentifier = "im.received"
        made.interruptionLevel = .timeSensitive
        try await desktop.center.add(request("a", nil, content: made))
        let sent = await desktop.nextNotify()
        #expect(sent.signature == "susssasa{sv}i")
        #expect(sent.body[0] == .text("App") && sent.body[1] == .unsigned(0))
        #expect(sent.body[3] == .text("Ann") && sent.body[4] == .text("a &lt; b"))
        #expect(
            sent.body[5]
                == .array(["default", "Open", "inline-reply", "Reply", "no", "No"].map { .text($0) }))
        #expect(
            sent.body[6].members == [
                "urgency": .byte(1), "desktop-entry": .text("com.example.app"),
                "sound-name": .text("message-new-instant"), "category": .text("im.received"),
            ])
        #expect(sent.body[7] == .signed(-1))
        // The same identifier takes its place, and a reply comes back with its text.
        try await desktop.center.add(request("a", nil, content: made))
        #expect(await desktop.nextNotify().body[1] == .unsigned(1))
        desktop.bus.emit("NotificationReplied", "us", [.unsigned(1), .text("hello")])
        #expect(await desktop.nextResponse() == "a reply hello")
        // What expires stays in the list; what the app takes back is closed.
        try await desktop.center.add(request("b", nil, content: made))
        _ = await desktop.nextNotify()
        desktop.bus.emit("NotificationClosed", "uu", [.unsigned(2), .unsigned(1)])
        desktop.center.removeDeliveredNotifications(withIdentifiers: ["b"])
        guard case .close(2) = await desktop.next() else {
            Issue.record("not closed")
            return
        }
    }

    @Test func `a service that restarts has new numbers, and old ones mean nothing`() async throws {
        let desktop = try await Desktop()
        try await desktop.center.add(request("old", nil))
        _ = await desktop.nextNotify()
        desktop.bus.setOwner(nil)
        desktop.bus.setOwner(":1.9", capabilities: ["body"])
        // The service gives out number 1 again, for another notification; an action on it is that one's.
        try await desktop.center.add(request("new", nil))
        let sent = await desktop.nextNotify()
        #expect(sent.body[1] == .unsigned(0))
        #expect(sent.body[5] == .array([]), "the capabilities are asked for again")
        desktop.bus.emit("ActionInvoked", "us", [.unsigned(1), .text("default")])
        #expect(await desktop.nextResponse() == "new \(UNNotificationDefaultActionIdentifier) ")
        #expect(await desktop.center.deliveredNotifications().map(\.request.identifier) == ["old"])
        // Replacing what the old service showed begins anew.
        try await desktop.center.add(request("old", nil))
        #expect(await desktop.nextNotify().body[1] == .unsigned(0))
    }

    @Test func `a service that a call has started keeps its numbers when the bus tells of it later`()
        async throws
    {
        let desktop = try await Desktop()
        try await desktop.center.add(request("a", nil))
        _ = await desktop.nextNotify()
        desktop.bus.setOwner(":1.7")
        desktop.bus.emit("ActionInvoked", "us", [.unsigned(1), .text("default")])
        #expect(await desktop.nextResponse() == "a \(UNNotificationDefaultActionIdentifier) ")
    }

    @Test func `without a service notifications wait, one of each identifier, until one appears`()
        async throws
    {
        let desktop = try await Desktop(owner: nil)
        for title in ["first", "second"] {
            try await desktop.center.add(request("a", nil, content: content(title)))
            guard case .asked = await desktop.next() else {
                Issue.record("the bus is not asked")
                return
            }
        }
        try await desktop.center.add(request("b", nil))
        try await desktop.center.add(request("c", nil))
        desktop.center.removeDeliveredNotifications(withIdentifiers: ["c"])
        for _ in 0..<2 { _ = await desktop.next() }
        // Not before the command that takes c back has gone its way: badge signals come after it.
        try await desktop.center.setBadgeCount(1)
        _ = await desktop.next()
        desktop.bus.setOwner(":1.8")
        #expect(await desktop.nextNotify().body[3] == .text("second"))
        #expect(await desktop.nextNotify().body[3] == .text("Title"))
        #expect(desktop.lines.all.filter { $0.contains("no notification service answers") }.count == 1)
        desktop.bus.emit("ActionInvoked", "us", [.unsigned(2), .text("default")])
        #expect(await desktop.nextResponse() == "b \(UNNotificationDefaultActionIdentifier) ")
    }

    @Test func `a bus that restarts is found again, with the badge and what waited`() async throws {
        let desktop = try await Desktop()
        try await desktop.center.setBadgeCount(4)
        guard case .signal = await desktop.next() else {
            Issue.record("no badge")
            return
        }
        desktop.bus.stop()
        try await desktop.center.add(request("while away", nil))
        try desktop.bus.start()
        guard case .connected = await desktop.next(), case .signal(let badge) = await desktop.next() else {
            Issue.record("not connected again")
            return
        }
        #expect(badge.body[1].members["count"] == .long(4))
        #expect(await desktop.nextNotify().body[3] == .text("Title"))
        desktop.bus.emit("ActionInvoked", "us", [.unsigned(1), .text("default")])
        #expect(await desktop.nextResponse() == "while away \(UNNotificationDefaultActionIdentifier) ")
        #expect(desktop.lines.all.contains { $0.hasPrefix("the session bus is lost") })
    }

    @Test func `a badge is the signal that docks listen to`() async throws {
        let desktop = try await Desktop()
        for count in [3, 0] {
            try await desktop.center.setBadgeCount(count)
            guard case .signal(let sent) = await desktop.next() else {
                Issue.record("no signal")
                return
            }
            #expect(sent.interface == "com.canonical.Unity.LauncherEntry" && sent.member == "Update")
            #expect(sent.path?.hasPrefix("/com/canonical/unity/launcherentry/") == true)
            #expect(sent.signature == "sa{sv}")
            #expect(sent.body[0] == .text("application://com.example.app.desktop"))
            #expect(
                sent.body[1].members == ["count": .long(Int64(count)), "count-visible": .boolean(count > 0)])
        }
    }

    @Test func `a message's styles are marked up`() async throws {
        let desktop = try await Desktop()
        let text = NSMutableAttributedString(string: "Hi <you>, see this ü")
        let intent = NSAttributedString.Key(rawValue: "NSInlinePresentationIntent")
        text.addAttribute(intent, value: NSNumber(value: 2), range: NSRange(location: 3, length: 5))
        text.addAttribute(intent, value: NSNumber(value: 1), range: NSRange(location: 10, length: 3))
        let link = NSAttributedString.Key(rawValue: "NSLink")
        let url = try #require(URL(string: "https://example.com/?a=1&b=2"))
        text.addAttribute(link, value: url, range: NSRange(location: 14, length: 4))
        text.addAttribute(
            NSAttributedString.Key(rawValue: "NSUnderline"), value: NSNumber(value: 1),
            range: NSRange(location: 19, length: 1))
        let made = content("Ann")
        made.subtitle = "a & b"
        let styled = try made.updating(
            from: UNNotificationAttributedMessageContext(
                sendMessageIntent: NSObject(), attributedContent: text))
        #expect(styled.body == "Hi <you>, see this ü")
        try await desktop.center.add(request("a", nil, content: styled))
        #expect(
            await desktop.nextNotify().body[4]
                == .text(
                    "a &amp; b\nHi <b>&lt;you&gt;</b>, <i>see</i> "
                        + "<a href=\"https://example.com/?a=1&amp;b=2\">this</a> <u>ü</u>"))
        // A body that is set afterwards has no styles of the one before.
        let changed = try #require(styled.mutableCopy() as? UNMutableNotificationContent)
        changed.body = "plain <text>"
        try await desktop.center.add(request("b", nil, content: changed))
        #expect(await desktop.nextNotify().body[4] == .text("a &amp; b\nplain &lt;text&gt;"))
    }
}

/// Lines for the developer, from any thread.
private final class Lines: Sendable {
    private let contents = Mutex<[String]>([])

    func append(_ line: String) { contents.withLock { $0.append(line) } }

    var all: [String] { contents.withLock { $0 } }
}

/// Hands over each response as a line.
private final class Responses: NSObject, UNUserNotificationCenterDelegate, Sendable {
    let lines = Inbox<String>()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list, .sound, .badge] }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let text = (response as? UNTextInputNotificationResponse)?.userText ?? ""
        lines.append(
            "\(response.notification.request.identifier) \(response.actionIdentifier) \(text)")
    }
}
