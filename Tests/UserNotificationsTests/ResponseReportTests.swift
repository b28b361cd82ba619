import Foundation
import Recurrence
import Testing

@testable import UserNotifications

/// Notes every call, in words.
private final class Noting: NSObject, UNUserNotificationCenterDelegate, Sendable {
    let lines = Inbox<String>()
    let presentation: UNNotificationPresentationOptions

    init(_ presentation: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]) {
        self.presentation = presentation
        super.init()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        lines.append("present " + notification.request.identifier)
        return presentation
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        lines.append("receive " + response.notification.request.identifier + " " + response.actionIdentifier)
    }
}

/// More reports of what went wrong elsewhere, about what the user does; one test each, with the number of the report.
@Suite(.timeLimit(.minutes(5))) struct ResponseReportTests {
    private static let actions = UNNotificationCategory(
        identifier: "c",
        actions: [
            UNNotificationAction(identifier: "quiet", title: "Later"),
            UNNotificationAction(identifier: "open", title: "Open", options: [.foreground]),
        ], intentIdentifiers: [])

    /// A device whose app was shown one notification and has ended: its state starts the next process.
    private static func endedApp() async throws -> NotificationState {
        let device = try await Device.allowed()
        device.center.setNotificationCategories([actions])
        let made = content("T")
        made.categoryIdentifier = "c"
        try await device.center.add(request("a", seconds(60), content: made))
        await device.host.advance(bySeconds: 60)
        #expect(await device.deliveredIdentifiers() == ["a"])
        return try #require(device.host.state)
    }

    @Test
    func
        `27: a repeating trigger has no start of its own: it fires at the first match, today if there is one`()
        async throws
    {
        let device = try await Device.allowed("2026-01-01T08:00")
        try await device.center.add(request("a", daily(9)))
        await device.host.advance(bySeconds: 3600)
        #expect(device.shownTimes == ["2026-01-01T09:00:00"])
    }

    @Test func `41: options of a delegate are heard, and do not exceed what the user allows`() async throws {
        let device = try Device()
        try await device.center.requestAuthorization(options: [.alert])
        device.host.surroundings.isForeground = true
        let delegate = Noting()
        device.center.delegate = delegate
        let made = content()
        made.badge = 4
        try await device.center.add(request("a", nil, content: made))
        await device.settle()
        let presentation = try #require(device.host.shown.first?.presentation)
        #expect(presentation.showsBanner && presentation.isListed)
        #expect(!presentation.playsSound && presentation.badge == nil && device.host.badge == 0)
        #expect(await delegate.lines.next() == "present a")
    }

    @Test func `41: the older option alert is banner and list`() async throws {
        let device = try await Device.allowed()
        device.host.surroundings.isForeground = true
        let delegate = Noting([.alert])
        device.center.delegate = delegate
        try await device.center.add(request("a", nil))
        await device.settle()
        let presentation = try #require(device.host.shown.first?.presentation)
        #expect(presentation.showsBanner && presentation.isListed && !presentation.playsSound)
    }

    @Test func `43: a tap on a notification of an app that has ended reaches the next process, once`()
        async throws
    {
        let device = try Device("2026-01-01T08:02", state: try await Self.endedApp())
        let delegate = Noting()
        // As in an app: the delegate is set while it launches, before the tap is delivered.
        device.center.delegate = delegate
        let response = try #require(await device.center.service.takeResponse(to: "a", with: .tap))
        #expect(await device.center.service.takeResponse(to: "a", with: .tap) == nil)
        device.center.service.deliver(response)
        await device.settle()
        #expect(await delegate.lines.next() == "receive a " + UNNotificationDefaultActionIdentifier)
        #expect(await device.deliveredIdentifiers() == [])
    }

    @Test func `44: an app that is opened by its icon is told of no response`() async throws {
        let device = try Device("2026-01-01T08:02", state: try await Self.endedApp())
        let delegate = Noting()
        device.center.delegate = delegate
        #expect(await device.deliveredIdentifiers() == ["a"])
        try await device.center.add(request("b", nil))
        await device.settle()
        device.host.link?.tap("b")
        await device.settle()
        #expect(await delegate.lines.next() == "receive b " + UNNotificationDefaultActionIdentifier)
    }

    @Test
    func `48: an action that does not open the app is for the background, and reaches the next process`()
        async throws
    {
        let device = try Device("2026-01-01T08:02", state: try await Self.endedApp())
        let delegate = Noting()
        device.center.delegate = delegate
        let response = try #require(await device.center.service.takeResponse(to: "a", with: .action("quiet")))
        #expect(!response.opensApp && !response.needsUnlock)
        device.center.service.deliver(response)
        #expect(await delegate.lines.next() == "receive a quiet")
        let other = try Device("2026-01-01T08:02", state: try await Self.endedApp())
        let opening = try #require(await other.center.service.takeResponse(to: "a", with: .action("open")))
        #expect(opening.opensApp && opening.needsUnlock)
    }

    @Test func `50: an App Clip's permission is asked for once it wants to stay`() async throws {
        let device = try Device()
        let end = device.host.now.advanced(bySeconds: 3600)
        device.center.service.change { $0.grantEphemeral(until: end, policy: NotificationPolicy()) }
        try await device.center.add(request("a", nil))
        await device.settle()
        #expect(device.shownIdentifiers == ["a"])
        #expect(try await device.center.requestAuthorization(options: [.alert, .sound]))
        #expect(device.host.questionCount == 1)
        await device.host.advance(to: end)
        #expect(await device.center.notificationSettings().authorizationStatus == .authorized)
    }

    @Test func `52: taking everything back leaves nothing of the last user`() async throws {
        let device = try await Device.allowed()
        try await device.center.add(request("shown", nil))
        try await device.center.add(request("pending", daily(9)))
        try await device.center.setBadgeCount(3)
        device.center.removeAllPendingNotificationRequests()
        device.center.removeAllDeliveredNotifications()
        try await device.center.setBadgeCount(0)
        let state = try #require(device.host.state)
        #expect(state.pending.isEmpty && state.delivered.isEmpty && state.badge == 0)
        await device.advance(days: 2)
        #expect(device.shownIdentifiers == ["shown"])
    }

    @Test
    func
        `53: a picture stays although the app's temporary folder vanishes, and one without suffix is refused`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
        let (named, nameless) = (folder.appendingPathComponent("p.png"), folder.appendingPathComponent("p"))
        try bytes.write(to: named)
        try bytes.write(to: nameless)
        let device = try await Device.allowed()
        let made = content()
        made.attachments = [try UNNotificationAttachment(identifier: "p", url: named)]
        try await device.center.add(request("a", daily(9), content: made))
        #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "p", url: nameless) }
        do {
            _ = try UNNotificationAttachment(identifier: "p", url: nameless)
        } catch {
            #expect((error as? UNError)?.code.rawValue == 101)
        }
        try FileManager.default.removeItem(at: folder)
        await device.advance(days: 1)
        let shown = try #require(device.host.shown.first?.notification.request.content.attachments.first)
        #expect(FileManager.default.contents(atPath: shown.url.path) == bytes)
    }

    @Test func `56: a snoozed reminder is one of its own, and the series stays as it was`() async throws {
        let device = try await Device.allowed("2026-01-01T08:00")
        try await device.center.add(request("series", daily(9)))
        await device.host.advance(bySeconds: 3600)
        let shown = try #require(device.host.shown.first?.notification.request)
        try await device.center.add(request("series.snoozed", seconds(600), content: shown.content))
        await device.advance(days: 1)
        #expect(
            device.shownTimes == ["2026-01-01T09:00:00", "2026-01-01T09:10:00", "2026-01-02T09:00:00"])
        #expect(await device.pendingIdentifiers() == ["series"])
    }

    /// What Apple leaves open is a choice with a name, and the default is the measured or most likely one.
    @Test func `each thing that is not documented is a policy with its default`() {
        let policy = NotificationPolicy()
        let defaults: [String] = [
            policy.overflow.rawValue, "\(policy.pendingCountMax)", policy.unauthorizedAdd.rawValue,
            policy.emptyContent.rawValue, "\(policy.gap)", "\(policy.fold)", policy.missingDay.rawValue,
            policy.missedRepeats.rawValue, policy.intervalDate.rawValue, policy.zeroBadge.rawValue,
            policy.withoutDelegate.rawValue, policy.provisionalUpgrade.rawValue, policy.misuse.rawValue,
            "\(policy.previews)",
        ]
        #expect(
            defaults == [
                "keep-last-added", "64", "drop", "reject", "shiftForward", "first", "next-day", "latest",
                "from-now", "keeps-delivered", "shows", "prompts", "trap", "always",
            ])
        #expect(Mirror(reflecting: policy).children.count == defaults.count)
    }
}
