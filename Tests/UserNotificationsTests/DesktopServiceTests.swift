import Foundation
import Testing

@testable import UserNotifications

/// Hands over each response, and says yes to banner and list.
private final class Responses: NSObject, UNUserNotificationCenterDelegate, Sendable {
    let lines = Inbox<String>()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list] }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        lines.append(response.notification.request.identifier + " " + response.actionIdentifier)
    }
}

@Suite(.timeLimit(.minutes(5)), .serialized, .enabled(if: PrivateDesktop.isInstalled))
struct DesktopServiceTests {
    /// A centre on the private desktop.
    private final class App {
        let desktop: PrivateDesktop
        let center: UNUserNotificationCenter
        let responses = Responses()
        private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "belfry-" + UUID().uuidString)

        init() async throws {
            desktop = try PrivateDesktop()
            let found = DesktopPresenter(
                appName: "Wash Hands", desktopEntry: "com.example.wash-hands", address: desktop.address)
            let presenter = try #require(found)
            center = UNUserNotificationCenter(host: SystemHost(directory: directory, presenter: presenter))
            center.delegate = responses
            try await center.requestAuthorization(options: [.alert, .sound])
            center.setNotificationCategories([
                UNNotificationCategory(
                    identifier: "c", actions: [UNNotificationAction(identifier: "go", title: "Done")],
                    intentIdentifiers: [], options: [.customDismissAction])
            ])
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        func add(_ identifier: String, _ title: String, after interval: Double? = nil) async throws {
            let made = UserNotificationsTests.content(title)
            made.body = "For twenty seconds, with <soap> & water"
            made.categoryIdentifier = "c"
            try await center.add(request(identifier, interval.map { seconds($0) }, content: made))
        }
    }

    @Test func `a scheduled notification is drawn on a screen, and a tap comes back`() async throws {
        let app = try await App()
        try await app.add("tapped", "Wash your hands", after: 0.1)
        try app.desktop.waitFor(displayed: 1)
        let picture = try app.desktop.waitForPicture()
        // For the picture of the documentation.
        if let path = ProcessInfo.processInfo.environment["BELFRY_SCREENSHOT"] {
            let header = "P6 \(picture.width) \(picture.height) 255\n"
            try Data(Array(header.utf8) + picture.points).write(to: URL(fileURLWithPath: path))
        }
        #expect(await app.center.deliveredNotifications().map(\.request.identifier) == ["tapped"])
        try app.desktop.run("dunstctl", "action", "0")
        #expect(await app.responses.lines.next() == "tapped " + UNNotificationDefaultActionIdentifier)
        #expect(await app.center.deliveredNotifications() == [])
        try app.desktop.waitFor(displayed: 0)
    }

    @Test func `a button and a dismissal come back, a replacement and a withdrawal do not`() async throws {
        let app = try await App()
        try await app.add("pressed", "Answer me")
        try app.desktop.waitFor(displayed: 1)
        try app.desktop.run("dunstctl", "action", "0")
        #expect(await app.responses.lines.next() == "pressed go")
        try app.desktop.waitFor(displayed: 0)

        try await app.add("replaced", "First")
        try app.desktop.waitFor(displayed: 1)
        try await app.add("replaced", "Second")
        await app.center.service.settle()
        try await app.add("other", "Third")
        try app.desktop.waitFor(displayed: 2)
        app.center.removeAllDeliveredNotifications()
        try app.desktop.waitFor(displayed: 0)

        try await app.add("cleared", "Clear me")
        try app.desktop.waitFor(displayed: 1)
        try app.desktop.run("dunstctl", "close")
        #expect(await app.responses.lines.next() == "cleared " + UNNotificationDismissActionIdentifier)
        let history = try app.desktop.run("dunstctl", "history")
        #expect(history.contains("Second") && history.contains("Clear me"))
    }

    @Test func `a service that is restarted shows what comes next, and its answers count`() async throws {
        let app = try await App()
        try await app.add("old", "Before")
        try app.desktop.waitFor(displayed: 1)
        app.desktop.stopService()
        // Nobody answers now; it waits.
        try await app.add("waiting", "Answer later")
        await app.center.service.settle()
        try app.desktop.startService()
        try app.desktop.waitFor(displayed: 1)
        try app.desktop.run("dunstctl", "action", "0")
        #expect(await app.responses.lines.next() == "waiting go")
        #expect(await app.center.deliveredNotifications().map(\.request.identifier) == ["old"])
    }

    @Test func `another program on the bus cannot press a button`() async throws {
        let app = try await App()
        for (identifier, title) in [("first", "Forged"), ("second", "Answer truly")] {
            try await app.add(identifier, title)
        }
        try app.desktop.waitFor(displayed: 2)
        for number in 1...9 {
            try app.desktop.run(
                "dbus-send", "--session", "--type=signal", "/org/freedesktop/Notifications",
                "org.freedesktop.Notifications.ActionInvoked", "uint32:\(number)", "string:default")
        }
        try app.desktop.run("dunstctl", "action", "0")
        let first = await app.responses.lines.next()
        try app.desktop.waitFor(displayed: 1)
        try app.desktop.run("dunstctl", "action", "0")
        let second = await app.responses.lines.next()
        #expect([first, second].sorted() == ["first " + UNNotificationDefaultActionIdentifier, "second go"])
    }

    @Test func `without a bus there is no screen`() {
        #expect(
            DesktopPresenter(appName: "a", desktopEntry: "a", address: "unix:path=/nonexistent/bus") == nil)
    }
}
