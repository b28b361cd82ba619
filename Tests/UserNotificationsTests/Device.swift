import Foundation
import Recurrence
import Testing

@testable import UserNotifications

/// A virtual device with its centre and the question for permission answered.
struct Device {
    let host: VirtualNotificationHost
    let center: UNUserNotificationCenter

    /// - Parameter civil: what the device's clock shows, as `2026-03-01T08:00`.
    init(
        _ civil: String = "2026-01-01T08:00", zone name: String = "America/New_York",
        policy: NotificationPolicy = NotificationPolicy(), state: NotificationState? = nil
    ) throws {
        let zone = try Zone(name)
        let time = try #require(CivilDateTime(iso8601: civil))
        let now = try #require(zone.occurrence(of: time)?.instant)
        var policy = policy
        policy.misuse = .record
        host = VirtualNotificationHost(now: now, zone: zone, policy: policy, state: state)
        center = UNUserNotificationCenter(host: host)
    }

    /// A device whose user has said yes to everything.
    static func allowed(
        _ civil: String = "2026-01-01T08:00", zone: String = "America/New_York",
        policy: NotificationPolicy = NotificationPolicy()
    ) async throws -> Device {
        let device = try Device(civil, zone: zone, policy: policy)
        try await device.center.requestAuthorization(options: [.alert, .sound, .badge])
        return device
    }

    func advance(days: Int64) async { await host.advance(bySeconds: days * 86_400) }

    /// What the clock showed when each notification appeared.
    var shownTimes: [String] {
        host.shown.map { host.zone.civil(at: $0.notification.record.date).iso8601 }
    }

    var shownIdentifiers: [String] { host.shown.map(\.notification.request.identifier) }

    func pendingIdentifiers() async -> [String] {
        await center.pendingNotificationRequests().map(\.identifier)
    }

    func deliveredIdentifiers() async -> [String] {
        await center.deliveredNotifications().map { $0.request.identifier }
    }

    func settle() async { await host.link?.settle() }
}

/// A content with a text.
func content(_ title: String = "Title") -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = title
    content.sound = .default
    return content
}

func components(
    year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Int? = nil, ordinal: Int? = nil,
    hour: Int? = nil, minute: Int? = nil, second: Int? = nil
) -> DateComponents {
    var components = DateComponents()
    components.year = year
    components.month = month
    components.day = day
    components.weekday = weekday
    components.weekdayOrdinal = ordinal
    components.hour = hour
    components.minute = minute
    components.second = second
    return components
}

func daily(_ hour: Int, _ minute: Int = 0, repeats: Bool = true) -> UNCalendarNotificationTrigger {
    UNCalendarNotificationTrigger(dateMatching: components(hour: hour, minute: minute), repeats: repeats)
}

func request(
    _ identifier: String, _ trigger: UNNotificationTrigger?, content made: UNNotificationContent = content()
) -> UNNotificationRequest {
    UNNotificationRequest(identifier: identifier, content: made, trigger: trigger)
}

func seconds(_ count: Double, repeats: Bool = false) -> UNTimeIntervalNotificationTrigger {
    UNTimeIntervalNotificationTrigger(timeInterval: count, repeats: repeats)
}
