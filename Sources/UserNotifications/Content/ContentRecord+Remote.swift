package import APNs

extension ContentRecord {
    /// The content of a remote notification: what its payload says, and the whole of it as `userInfo`.
    package init(payload: Payload, json: JSONValue) {
        self.init()
        if case .object(let members) = json { userInfo = members.mapValues { PropertyValue($0) } }
        switch payload.alert {
        case .text(let text): body = TextRecord(text)
        case .content(let content):
            title = Self.text(content.title, content.localizedTitle)
            subtitle = Self.text(content.subtitle, content.localizedSubtitle)
            body = Self.text(content.body, content.localizedBody)
            launchImageName = content.launchImage ?? ""
        case nil: break
        }
        badge = payload.badge
        switch payload.sound {
        case .named("default"): sound = SoundRecord(.notification)
        case .named(let name): sound = SoundRecord(.notification, name: name)
        case .critical(let name, let volume):
            sound = SoundRecord(
                .critical, name: name == "default" ? nil : name, volume: volume.map { Float($0) })
        case nil: break
        }
        threadIdentifier = payload.threadID ?? ""
        categoryIdentifier = payload.category ?? ""
        targetContentIdentifier = payload.targetContentID
        relevanceScore = payload.relevanceScore ?? 0
        filterCriteria = payload.filterCriteria
        let level: UNNotificationInterruptionLevel =
            switch payload.interruptionLevel {
            case .passive: .passive
            case .active, nil: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        interruptionLevel = Int(level.rawValue)
    }

    /// Where a text is given both ways, the device shows the localized one.
    private static func text(_ literal: String?, _ localized: LocalizedText?) -> TextRecord {
        if let localized { return TextRecord(localized.key, arguments: localized.arguments) }
        return TextRecord(literal ?? "")
    }
}

extension RequestRecord {
    /// The request of a remote notification.
    ///
    /// - Parameters:
    ///   - json: the bytes of the payload.
    ///   - identifier: the collapse identifier, else one that the system makes up.
    /// - Throws: `invalidJSON` or `invalidPayload`.
    package init(remote json: [UInt8], identifier: String) throws(APNsError) {
        let value = try JSONValue(parsing: json)
        self.init(
            identifier: identifier, content: ContentRecord(payload: try Payload(value), json: value),
            trigger: .push)
    }
}
