internal import Recurrence

/// Identifiers of the planner's requests: `belfry.KEY#OCCURRENCE`.
///
/// The same occurrence has the same identifier whenever it is planned, so adding it again replaces it. A key may hold
/// any character: the occurrence begins after the last `#`.
enum RequestIdentifier {
    private static let prefix = "belfry."
    /// The request that asks the user to open the app; no reminder's, since a key's identifier has a point there.
    static let openApp = "belfry#open-app"

    /// The reminder's key; nil when the request is none of a reminder.
    static func key(of identifier: String) -> String? {
        guard identifier.hasPrefix(prefix), let mark = identifier.lastIndex(of: "#") else { return nil }
        let start = identifier.index(identifier.startIndex, offsetBy: prefix.utf8.count)
        guard start < mark, identifier.index(after: mark) < identifier.endIndex else { return nil }
        return String(identifier[start..<mark])
    }

    /// Whether the planner made it.
    static func isOurs(_ identifier: String) -> Bool {
        identifier == openApp || key(of: identifier) != nil
    }

    static func make(_ key: String, _ occurrence: Occurrence, followsClock: Bool) -> String {
        guard followsClock else {
            return prefix + key + "#" + Moment.instant(occurrence.instant).compactText
        }
        let text = prefix + key + "#" + Moment.civil(occurrence.civil).compactText
        return occurrence.note == .repeated(.second) ? text + "-2" : text
    }

    static func make(_ key: String, snooze instant: Instant) -> String {
        prefix + key + "#snooze-" + Moment.instant(instant).compactText
    }

    static func make(_ key: String, _ trigger: RepeatingTrigger) -> String {
        prefix + key + "#each-" + trigger.text
    }
}
