internal import Foundation
public import Recurrence
public import UserNotifications

/// Which reminder a notification came from, and which of its occurrences it is.
///
///     func userNotificationCenter(_: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
///         if let firing = ReminderFiring(response.notification) { check(firing.key, on: firing.day(in: zone)) }
///     }
///
/// The occurrence is the scheduled one: an answer given after midnight still belongs to the day before.
public struct ReminderFiring: Hashable, Sendable {
    /// The reminder's key.
    public let key: String
    /// When it was to fire.
    public let scheduled: Instant
    /// The time that its rule names; nil for a snooze, and where the system repeats it by itself.
    public let civil: CivilDateTime?
    /// Whether the user had put it off.
    public let isSnooze: Bool

    /// Reads a notification; nil when it is none of a reminder.
    public init?(_ notification: UNNotification) {
        let request = notification.request
        guard let key = RequestIdentifier.key(of: request.identifier),
            let members = request.content.userInfo[RequestUserInfo.key] as? [String: Any]
        else { return nil }
        self.key = key
        let shown = Instant(secondsSince1970: Int64(notification.date.timeIntervalSince1970.rounded(.down)))
        let expected = (members[RequestUserInfo.instant] as? String).flatMap { Instant(iso8601: $0) }
        // What floats may have moved with the device since; then the moment of showing is nearer to the truth.
        let floats = members[RequestUserInfo.clock] as? String == RequestUserInfo.floating
        scheduled = floats ? shown : expected ?? shown
        civil = (members[RequestUserInfo.civil] as? String).flatMap { CivilDateTime(iso8601: $0) }
        isSnooze = civil == nil && expected != nil
    }

    /// The day that it belongs to, by its rule, else by the clocks of a zone.
    public func day(in zone: Zone) -> CivilDate {
        civil?.date ?? zone.civil(at: scheduled).date
    }
}
