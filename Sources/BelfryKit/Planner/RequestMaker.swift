internal import Foundation
internal import Recurrence
internal import UserNotifications

/// Makes the system's requests of planned ones.
struct RequestMaker {
    /// The moment, which decides whether an instant is near.
    let now: Instant

    /// Makes a request.
    ///
    /// - Throws: `invalidContent` for a file that cannot be copied or shown.
    func request(
        _ planned: PlannedRequest, _ content: ReminderContent
    ) throws(BelfryKitError) -> UNNotificationRequest {
        let made = try Self.content(content)
        if planned.quiet == .silence {
            made.sound = nil
            made.interruptionLevel = .passive
        }
        var members: [String: Any] = content.userInfo.mapValues(\.foundationValue)
        members[RequestUserInfo.key] = Self.userInfo(planned)
        made.userInfo = members
        return UNNotificationRequest(
            identifier: planned.identifier, content: made, trigger: trigger(planned.trigger))
    }

    private static func userInfo(_ planned: PlannedRequest) -> [String: String] {
        var members = [RequestUserInfo.mark: planned.mark]
        members[RequestUserInfo.reminder] = planned.key
        members[RequestUserInfo.civil] = planned.civil?.iso8601
        if !planned.isRepeating { members[RequestUserInfo.instant] = planned.instant.iso8601 }
        if planned.isFloating { members[RequestUserInfo.clock] = RequestUserInfo.floating }
        return members
    }

    private static func content(
        _ content: ReminderContent
    ) throws(BelfryKitError) -> UNMutableNotificationContent {
        let made = UNMutableNotificationContent()
        made.title = content.title
        made.subtitle = content.subtitle
        made.body = content.body
        switch content.sound {
        case nil: made.sound = nil
        case .default: made.sound = .default
        case .named(let name):
            made.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: name))
        }
        made.badge = content.badge.map { NSNumber(value: $0) }
        made.categoryIdentifier = content.categoryIdentifier
        made.threadIdentifier = content.threadIdentifier
        made.targetContentIdentifier = content.targetContentIdentifier
        made.relevanceScore = content.relevanceScore
        made.interruptionLevel =
            switch content.interruption {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        if !content.attachments.isEmpty {
            made.attachments = try AttachmentCopy.attachments(content.attachments)
        }
        return made
    }

    private func trigger(_ trigger: PlannedRequest.Trigger) -> UNNotificationTrigger {
        switch trigger {
        case .instant(let instant):
            let seconds = Double(instant.millisecondsSince1970 - now.millisecondsSince1970) / 1000
            if seconds <= ReminderLimits.intervalTriggerSecondsMax {
                return UNTimeIntervalNotificationTrigger(timeInterval: max(seconds, 0.1), repeats: false)
            }
            return calendarTrigger(Zone.utc.civil(at: instant), .utc)
        case .civil(let civil):
            return calendarTrigger(civil, nil)
        case .repeating(let trigger, let zone):
            var components = Self.components(zone)
            components.month = trigger.month
            components.day = trigger.day
            components.weekday = trigger.weekday?.appleNumber
            components.hour = trigger.time.hour
            components.minute = trigger.time.minute
            if trigger.time.second != 0 { components.second = trigger.time.second }
            return UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        }
    }

    private func calendarTrigger(_ civil: CivilDateTime, _ zone: Zone?) -> UNCalendarNotificationTrigger {
        var components = Self.components(zone)
        (components.year, components.month, components.day) = civil.date.components
        components.hour = civil.time.hour
        components.minute = civil.time.minute
        components.second = civil.time.second
        return UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
    }

    /// Only the parts that are meant: one too many, such as a quarter of 0, and a trigger never fires.
    ///
    /// The calendar is named, since the device's own may count other years.
    private static func components(_ zone: Zone?) -> DateComponents {
        let timeZone = zone.flatMap { zone in
            TimeZone(identifier: zone.name)
                ?? TimeZone(
                    secondsFromGMT: zone.offsetSeconds(at: Instant(secondsSince1970: 0)))
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone ?? .autoupdatingCurrent
        var components = DateComponents()
        components.calendar = calendar
        components.timeZone = timeZone
        return components
    }
}
