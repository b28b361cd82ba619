import AppSourceMainActor
import AppSourceSwift5
import AppSourceSwift6
import Foundation
import Testing

@testable import UserNotifications

/// Source in the shapes that apps have, compiled as their projects are (Swift 5, Swift 6, everything on the main
/// actor), run on a virtual device.
@Suite(.timeLimit(.minutes(5))) struct AppSourceTests {
    private static func value<Value: Sendable>(
        _ call: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
    }

    @Test func `an app with completion handlers asks, schedules weekly, answers and snoozes`() async throws {
        // A Monday.
        let device = try Device("2026-06-01T10:00")
        device.host.strings = ["reminder_body": "Do not forget %@"]
        device.host.surroundings.isForeground = true
        try await UNUserNotificationCenter.withCurrent(device.center) {
            let app = ReminderManager()
            device.center.delegate = app
            await withCheckedContinuation { done in app.askForPermission { done.resume() } }
            #expect(app.isAuthorized)
            let status = await withCheckedContinuation { done in app.status { done.resume(returning: $0) } }
            #expect(status == "authorized, loud")
            app.registerCategories()
            app.scheduleWeekly(weekdays: [2, 4], hour: 9, minute: 30, body: "the bins")
            await device.advance(days: 10)
            #expect(
                device.shownTimes == ["2026-06-03T09:30:00", "2026-06-08T09:30:00", "2026-06-10T09:30:00"])
            let shown = try #require(device.host.shown.first?.notification.request.content)
            #expect(shown.title == "Hello!" && shown.body == "Do not forget the bins")
            #expect(device.host.badge == 0, "the delegate does not ask for a badge")
            #expect(device.host.shown.first?.category?.actions.count == 4)

            device.host.link?.act("weekly-2", action: "snooze")
            await device.settle()
            let dates = await withCheckedContinuation { done in app.nextDates { done.resume(returning: $0) } }
            #expect(dates.count == 3)
            await device.host.advance(bySeconds: 9 * 60)
            #expect(device.host.shown.last?.notification.request.content.subtitle == "Snoozed")
            device.host.link?.act("weekly-4", action: "reply", userText: "done")
            await device.settle()
            #expect(app.log.suffix(3) == ["data fizzbuzz", "count 3", "text done"])
            let once = device.host.now.date.addingTimeInterval(3600)
            app.scheduleOnce(at: once, id: "once")
            app.removeAll(except: "weekly-2")
            await device.settle()
            await device.settle()
            #expect(await device.pendingIdentifiers() == ["weekly-2"])
            #expect(await device.deliveredIdentifiers() == [])
            #expect(app.lastError == nil)
        }
    }

    @Test func `an app's doubles of the framework work as on Apple's`() async throws {
        let double = UserNotificationCenterDouble()
        #expect(await double.notificationSettings().authorizationStatus == .authorized)
        let made = request("a", nil, content: content("T"))
        try await double.add(made)
        #expect(await double.pendingNotificationRequests() == [made])
        let notification = NotificationDouble(made)
        #expect(notification.request == made && notification.date.timeIntervalSince1970 == 1_780_000_000)
        let response = ResponseDouble(made, action: "open")
        #expect(response.actionIdentifier == "open" && response.notification.request.identifier == "a")
        #expect(textResponse(made)?.userText == "typed")
        // The same calls through the app's protocol reach the real one.
        let device = try await Device.allowed()
        let real: any UserNotificationCenterProtocol = device.center
        try await real.add(request("b", daily(9)))
        #expect(await real.pendingNotificationRequests().map(\.identifier) == ["b"])
        await withCheckedContinuation { done in
            real.getNotificationSettings { _ in done.resume() }
        }
        let loud = LoudContent()
        #expect(loud.sound == .defaultCritical && loud.interruptionLevel == .timeSensitive)
    }

    @MainActor @Test func `an app on the main actor with async functions is told, and answers`() async throws
    {
        let device = try Device()
        device.host.surroundings.isForeground = true
        let model = NotificationModel(center: device.center)
        await model.ask()
        await model.refresh()
        #expect(model.isAllowed)
        try await model.remind("tea", in: 180)
        #expect(await model.summary() == ["tea"])
        await device.host.advance(bySeconds: 180)
        #expect(model.presented == 1 && device.shownIdentifiers == ["tea"])
        device.host.link?.tap("tea")
        await device.settle()
        #expect(model.opened == ["tea " + UNNotificationDefaultActionIdentifier])
        try await model.clear()
        #expect(await model.summary() == [])
    }

    @MainActor @Test
    func `delegates that answer from a queue, over the main actor or checked at run time all count`()
        async throws
    {
        let device = try await Device.allowed()
        device.host.surroundings.isForeground = true
        let queue = QueueDelegate()
        let hopping = HoppingDelegate()
        let checked = PreconcurrencyDelegate()
        for (name, delegate) in [
            ("queue", queue as any UNUserNotificationCenterDelegate), ("hopping", hopping),
            ("checked", checked),
        ] {
            device.center.delegate = delegate
            try await device.center.add(request(name, nil))
            await device.settle()
        }
        #expect(device.host.shown.map(\.presentation.isListed) == [true, false, true])
        #expect(device.host.shown.map(\.presentation.showsBanner) == [false, true, false])
        #expect(device.host.shown.map(\.presentation.playsSound) == [false, false, true])
        device.center.delegate = hopping
        device.host.link?.tap("queue")
        await device.settle()
        #expect(hopping.responses == [UNNotificationDefaultActionIdentifier])
        device.center.delegate = checked
        device.center.service.openSettings(for: nil)
        await device.settle()
        #expect(checked.wantsSettings == 1)
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let forwarding = ForwardingDelegate { continuation.yield($0.notification.request.identifier) }
        device.center.delegate = forwarding
        device.host.link?.tap("checked")
        var responses = stream.makeAsyncIterator()
        #expect(await responses.next() == "checked")
    }

    @MainActor @Test func `a new project's app, where all is on the main actor, runs`() async throws {
        let device = try Device()
        device.host.surroundings.isForeground = true
        let app = AppDelegate()
        await UNUserNotificationCenter.withCurrent(device.center) { await app.didFinishLaunching() }
        let made = content("Mail")
        made.categoryIdentifier = "mail"
        made.threadIdentifier = "quiet"
        try await device.center.add(request("m", nil, content: made))
        await device.settle()
        device.host.link?.act("m", action: "open")
        await device.settle()
        #expect(app.events == ["granted true", "present Mail", "receive open"])
        let view = NotificationViewController()
        view.didReceive(try #require(device.host.shown.first?.notification))
        view.mediaPlay()
        #expect(view.text == "plays" && view.mediaPlayPauseButtonFrame.width == 44)
    }

    @Test func `service extensions of Swift 5 and 6 change what is shown`() throws {
        let json = Array(#"{"aps":{"alert":{"title":"T","body":"abc"},"mutable-content":1}}"#.utf8)
        let remote = try RequestRecord(remote: json, identifier: "id")
        for (make, expected) in [
            ({ NotificationService() }, "T [modified]/abc"), ({ SecretService() }, "T/cba"),
        ] as [(() -> UNNotificationServiceExtension, String)] {
            let found = LockedText()
            let run = ServiceExtensionRun(make(), request: remote) { outcome in
                if case .show(let content) = outcome {
                    found.set("\(content.title.text)/\(content.body.text)")
                }
            }
            run.start()
            run.expire()
            #expect(found.text == expected)
        }
    }
}

/// A text that a closure on any thread sets.
private final class LockedText: @unchecked Sendable {
    // Guarded by the lock.
    private var contents = ""
    private let lock = NSLock()

    func set(_ text: String) { lock.withLock { contents = text } }

    var text: String { lock.withLock { contents } }
}
