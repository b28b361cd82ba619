internal import APNs

/// What the devices of one platform are sent, before language and variables are chosen.
struct MessageForm: Sendable, Hashable {
    /// Where it stands in the request, for messages: `data` or `data.ios`.
    var path: String
    /// The header apns-push-type, when it is given.
    var pushType: PushType?
    /// The header apns-priority, when it is given.
    var priority: Priority?
    /// The header apns-collapse-id, when it is given.
    var collapseID: CollapseID?
    /// The broadcast channel to publish on instead of sending to devices.
    var channel: ChannelID?
    /// Apple's keys but for alert and badge.
    var aps: [String: JSONValue] = [:]
    /// The alert for languages without one of their own, by key.
    var alert: [String: JSONValue] = [:]
    /// Whether an alert with nothing but a body is written as a text.
    var isAlertText = true
    /// What stands in the alert instead, by key and language.
    var localized: [String: [LanguageTag: JSONValue]] = [:]
    /// What happens to the badge.
    var badge = BadgeChange.none
    /// The app's own keys.
    var custom: [String: JSONValue] = [:]
    /// Whether the time of sending has to be put in: a Live Activity without one.
    var needsTimestamp = false

    init(path: String) {
        self.path = path
    }

    /// The languages that have texts, sorted.
    var languages: [LanguageTag] {
        Set(localized.values.flatMap(\.keys)).sorted()
    }

    /// The alert for a chain of languages, best first; nil when there is none at all.
    func alert(for chain: [LanguageTag]) -> JSONValue? {
        var result = alert
        let chosen = localized.compactMapValues { texts in chain.lazy.compactMap { texts[$0] }.first }
        for key in AlertField.texts where chosen[key] != nil {
            for other in AlertField.localization(of: key) { result[other] = nil }
        }
        result.merge(chosen) { _, new in new }
        if result.isEmpty {
            // A text in another language is better than a notification that shows nothing.
            guard let last = lastResort, !chain.contains(last) else { return nil }
            return alert(for: [last])
        }
        if isAlertText, result.count == 1, let body = result["body"] { return body }
        return .object(result)
    }

    /// The language for devices for which there is no other text.
    var lastResort: LanguageTag? {
        let languages = languages
        return languages.first { $0.language == "en" } ?? languages.first
    }

    /// Whether it is a Live Activity's event.
    var isLiveActivity: Bool { pushType == .liveactivity || aps["event"] != nil }

    /// The push type: as given, or what the content can only be.
    var effectivePushType: PushType {
        if let pushType { return pushType }
        if isLiveActivity { return .liveactivity }
        let isVisible = !alert.isEmpty || !localized.isEmpty || badge != .none || aps["sound"] != nil
        return aps["content-available"] != nil && !isVisible ? .background : .alert
    }
}
