import BelfryKit
import Foundation
import Recurrence
import Testing
@testable import UserNotifications

/// A virtual device with an app that has reminders.
struct ReminderDevice {
    let host: VirtualNotificationHost
    let center: UNUserNotificationCenter
    let storage: MemoryStorage
    let reminders: Reminders

    struct Time: DeviceTime {
        let host: VirtualNotificationHost

        var now: Instant { host.now }
        var zone: Zone { host.zone }
    }

    /// - Parameter civil: what the device's clock shows, as `2026-03-01T08:00`.
    init(
        _ civil: String = "2026-01-05T08:00", zone name: String = "America/New_York", isAllowed: Bool = true,
        policy: NotificationPolicy = NotificationPolicy(), openApp: ReminderContent? = nil,
        whenFull: FullPolicy = .report
    ) async throws {
        let zone = try Zone(name)
        let time = try #require(CivilDateTime(iso8601: civil))
        let now = try #require(zone.occurrence(of: time)?.instant)
        var policy = policy
        policy.misuse = .record
        host = VirtualNotificationHost(now: now, zone: zone, policy: policy)
        host.isPermissionGranted = isAllowed
        center = UNUserNotificationCenter(host: host)
        try await center.requestAuthorization(options: [.alert, .sound, .badge])
        storage = MemoryStorage()
        reminders = Reminders(
            center: center, storage: storage, time: Time(host: host), openApp: openApp, whenFull: whenFull)
    }

    /// The same app in a new process.
    func relaunched(openApp: ReminderContent? = nil) -> Reminders {
        Reminders(center: center, storage: storage, time: Time(host: host), openApp: openApp)
    }

    func advance(days: Int64) async { await host.advance(bySeconds: days * 86_400) }
    func advance(hours: Int64) async { await host.advance(bySeconds: hours * 3600) }

    /// What the clock showed when each notification appeared, without the seconds.
    var shown: [String] {
        host.shown.map { shown in
            let date = shown.notification.date
            let instant = Instant(secondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)))
            return String(host.zone.civil(at: instant).iso8601.dropLast(3))
        }
    }

    /// Which reminders appeared.
    var shownKeys: [String] {
        host.shown.map { ReminderFiring($0.notification)?.key ?? $0.notification.request.identifier }
    }

    func pendingIdentifiers() async -> [String] {
        await center.pendingNotificationRequests().map(\.identifier)
    }

    /// Adds a request of other code.
    func addForeign(_ identifier: String, hour: Int = 12) async throws {
        var components = DateComponents()
        components.hour = hour
        let content = UNMutableNotificationContent()
        content.title = identifier
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        try await center.add(
            UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }
}

/// A content with a text.
let note = ReminderContent(title: "Title")

func civil(_ text: String) throws -> CivilDateTime { try #require(CivilDateTime(iso8601: text)) }

func date(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

extension PlanReport.Horizon {
    /// The last instant; nil when there is no end.
    var until: Instant? {
        if case .until(let instant) = self { instant } else { nil }
    }
}
