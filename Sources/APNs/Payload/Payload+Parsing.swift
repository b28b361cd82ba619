extension Payload {
    /// Reads a payload from JSON.
    ///
    /// Keys inside aps that are not known go to `otherAPSKeys`, keys beside aps to `custom`; null counts as
    /// absent inside aps. Keys of alert and sound that are not known are dropped, as devices do.
    /// - Throws: `invalidJSON` with the place, or `invalidPayload` naming a key whose value has a wrong type.
    public init(parsing json: [UInt8]) throws(APNsError) {
        try self.init(JSONValue(parsing: json))
    }

    /// Reads a payload from a JSON value; see the other initialiser.
    public init(_ value: JSONValue) throws(APNsError) {
        self.init()
        var body = try PayloadReader(value, path: "")
        if var aps = try body.reader("aps") { try read(&aps) }
        custom = body.rest
    }

    private mutating func read(_ aps: inout PayloadReader) throws(APNsError) {
        let alertValue = aps.value("alert")
        if let event = try aps.string("event") {
            liveActivity = try LiveActivity(event: event, alert: alertValue, from: &aps)
        } else {
            alert = try alertValue.map { value throws(APNsError) in try Alert(value) }
        }
        badge = try aps.integer("badge").flatMap { Int(exactly: $0) }
        sound = try aps.value("sound").map { value throws(APNsError) in try Sound(value) }
        threadID = try aps.string("thread-id")
        category = try aps.string("category")
        contentAvailable = try aps.flag("content-available")
        mutableContent = try aps.flag("mutable-content")
        targetContentID = try aps.string("target-content-id")
        if let name = try aps.string("interruption-level") {
            guard let level = InterruptionLevel(rawValue: name) else {
                throw aps.error(
                    "interruption-level", expected: "passive, active, time-sensitive or critical",
                    found: .string(name))
            }
            interruptionLevel = level
        }
        relevanceScore = try aps.number("relevance-score")
        filterCriteria = try aps.string("filter-criteria")
        contentChanged = try aps.flag("content-changed")
        urlArguments = try aps.strings("url-args")
        // Live Activity keys without an event mean nothing to a device.
        otherAPSKeys = aps.rest.filter { !APSKey.isKnown($0.key) }
    }
}

extension Alert {
    fileprivate init(_ value: JSONValue) throws(APNsError) {
        if case .string(let text) = value {
            self = .text(text)
            return
        }
        var reader = try PayloadReader(value, path: "aps.alert.")
        var content = Content()
        content.title = try reader.string("title")
        content.localizedTitle = try reader.localizedText("title-loc-key", "title-loc-args")
        content.subtitle = try reader.string("subtitle")
        content.localizedSubtitle = try reader.localizedText("subtitle-loc-key", "subtitle-loc-args")
        content.body = try reader.string("body")
        content.localizedBody = try reader.localizedText("loc-key", "loc-args")
        content.launchImage = try reader.string("launch-image")
        content.action = try reader.string("action")
        content.actionLocalizationKey = try reader.string("action-loc-key")
        self = .content(content)
    }
}

extension Sound {
    fileprivate init(_ value: JSONValue) throws(APNsError) {
        if case .string(let name) = value {
            self = .named(name)
            return
        }
        var reader = try PayloadReader(value, path: "aps.sound.")
        let name = try reader.string("name") ?? "default"
        let volume = try reader.number("volume")
        self = try reader.flag("critical") ? .critical(name: name, volume: volume) : .named(name)
    }
}

extension LiveActivity {
    fileprivate init(
        event name: String, alert alertValue: JSONValue?, from aps: inout PayloadReader
    ) throws(APNsError) {
        guard let timestamp = try aps.instant("timestamp") else {
            throw aps.error("timestamp", expected: "a number beside event", found: nil)
        }
        self.init(event: .update, timestamp: timestamp)
        contentState = try aps.object("content-state")
        staleDate = try aps.instant("stale-date")
        alert = try alertValue.map { value throws(APNsError) in try Alert(value) }
        switch name {
        case "update": event = .update
        case "end": event = .end(dismissalDate: try aps.instant("dismissal-date"))
        case "start": event = .start(try Start(from: &aps))
        default: throw aps.error("event", expected: "start, update or end", found: .string(name))
        }
    }
}

extension LiveActivity.Start {
    fileprivate init(from aps: inout PayloadReader) throws(APNsError) {
        guard let type = try aps.string("attributes-type") else {
            throw aps.error("attributes-type", expected: "a string with event start", found: nil)
        }
        guard let attributes = try aps.object("attributes") else {
            throw aps.error("attributes", expected: "an object with event start", found: nil)
        }
        self.init(attributesType: type, attributes: attributes)
        if let channel = try aps.string("input-push-channel") {
            input = .channel(try ChannelID(channel))
        } else if try aps.flag("input-push-token") {
            input = .token
        }
    }
}

extension LiveActivity.Alert {
    fileprivate init(_ value: JSONValue) throws(APNsError) {
        if case .string(let text) = value {
            self.init(body: .literal(text))
            return
        }
        var reader = try PayloadReader(value, path: "aps.alert.")
        self.init()
        title = try reader.liveActivityText("title")
        body = try reader.liveActivityText("body")
        sound = try reader.string("sound")
    }
}

extension PayloadReader {
    fileprivate mutating func localizedText(
        _ key: String, _ argumentsKey: String
    ) throws(APNsError) -> LocalizedText? {
        let arguments = try strings(argumentsKey) ?? []
        return try string(key).map { LocalizedText(key: $0, arguments: arguments) }
    }

    fileprivate mutating func liveActivityText(_ key: String) throws(APNsError) -> LiveActivity.Alert.Text? {
        if case .object = rest[key] {
            guard var nested = try reader(key) else { return nil }
            guard let text = try nested.localizedText("loc-key", "loc-args") else {
                throw nested.error("loc-key", expected: "a string", found: nil)
            }
            return .localized(text)
        }
        return try string(key).map { .literal($0) }
    }
}
