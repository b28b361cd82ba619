import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

/// The parts wired together by the front object.
@Suite(.timeLimit(.minutes(5))) struct FrontObjectTests {
    // Reports: after signing out, reminders of the user before went on.
    @Test func `reminders are planned once the user allows them, and go with the user`() async throws {
        let device = TestDevice()
        let service = TestService()
        let storage = MemoryStorage()
        let host = VirtualNotificationHost(now: device.now, zone: .utc)
        let center = UNUserNotificationCenter(host: host)
        let reminders = Reminders(center: center, storage: storage, time: device)
        let belfry = Belfry(
            service: TestApp.address, center: center, platform: device, transport: service, storage: storage,
            time: device, hooks: Belfry.Hooks(reminders: reminders))
        try await reminders.set("water", at: "09:00:00", ReminderContent(title: "Drink"))
        await host.link?.settle()
        #expect(await center.pendingNotificationRequests().isEmpty, "nothing is kept before it is allowed")
        _ = try await belfry.permission.request()
        await host.link?.settle()
        #expect(await center.pendingNotificationRequests().count == 1)
        try await belfry.signOut()
        await host.link?.settle()
        #expect(await center.pendingNotificationRequests().isEmpty)
        #expect(await reminders.list().isEmpty)
    }

    @Test func `a tap on a reminder names its key and its time`() async throws {
        let device = TestDevice()
        let host = VirtualNotificationHost(now: device.now, zone: .utc)
        let center = UNUserNotificationCenter(host: host)
        let reminders = Reminders(center: center, storage: MemoryStorage(), time: device)
        let belfry = Belfry(
            service: TestApp.address, center: center, platform: device, transport: TestService(),
            storage: MemoryStorage(), time: device, hooks: Belfry.Hooks(reminders: reminders))
        let events = Journal<NotificationEvent>()
        belfry.onEvent { events.add($0) }
        _ = try await belfry.permission.request()
        try await reminders.set("tea", in: 240, ReminderContent(title: "Tea is ready"))
        await host.link?.settle()
        await host.advance(bySeconds: 300)
        let shown = try #require(host.shown.last?.notification.request.identifier)
        host.link?.tap(shown)
        await host.link?.settle()
        await belfry.settle()
        let notification = try #require(events.entries.first?.notification)
        #expect(notification.reminderKey == "tea")
        #expect(notification.occurrence == device.now.advanced(bySeconds: 240))
    }
}
