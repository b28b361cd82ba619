extension Payload {
    /// The payload as the JSON Apple expects, without blanks.
    ///
    /// The same payload always gives the same bytes: aps first with its keys in a fixed order, then the
    /// custom keys sorted. Slashes and characters outside ASCII are not escaped.
    /// - Throws: `invalidPayload` for a custom key named aps, a key of `otherAPSKeys` that has a property of
    ///   its own, or two alerts; `invalidJSON` for a number that is not finite or nesting that is too deep.
    public func encoded() throws(APNsError) -> [UInt8] {
        if custom["aps"] != nil {
            throw APNsError(code: .invalidPayload, message: "custom has a key aps; its values are properties")
        }
        if let key = otherAPSKeys.keys.sorted().first(where: APSKey.isKnown) {
            throw APNsError(code: .invalidPayload, message: "otherAPSKeys has a key with a property: \(key)")
        }
        if alert != nil, liveActivity?.alert != nil {
            throw APNsError(code: .invalidPayload, message: "alert and liveActivity.alert exclude each other")
        }
        let aps = try apsWriter()
        var body = JSONObjectWriter()
        if !aps.isEmpty || custom.isEmpty { body.add("aps", object: aps) }
        try body.add(sorted: custom, depth: 1)
        return body.finished()
    }

    private func apsWriter() throws(APNsError) -> JSONObjectWriter {
        var aps = JSONObjectWriter()
        if let liveActivity { try liveActivity.add(to: &aps) }
        switch alert {
        case .text(let text): aps.add("alert", text)
        case .content(let content): aps.add("alert", object: content.writer)
        case nil: break
        }
        aps.add("badge", badge.map { Int64($0) })
        switch sound {
        case .named(let name): aps.add("sound", name)
        case .critical(let name, let volume):
            var object = JSONObjectWriter()
            object.addOne("critical")
            object.add("name", name)
            try object.add("volume", volume)
            aps.add("sound", object: object)
        case nil: break
        }
        aps.add("thread-id", threadID)
        aps.add("category", category)
        aps.addOne("content-available", if: contentAvailable)
        aps.addOne("mutable-content", if: mutableContent)
        aps.add("target-content-id", targetContentID)
        aps.add("interruption-level", interruptionLevel?.rawValue)
        try aps.add("relevance-score", relevanceScore)
        aps.add("filter-criteria", filterCriteria)
        if contentChanged { try aps.add("content-changed", .bool(true), depth: 2) }
        aps.add("url-args", urlArguments)
        try aps.add(sorted: otherAPSKeys, depth: 2)
        return aps
    }
}

extension Alert.Content {
    fileprivate var writer: JSONObjectWriter {
        var object = JSONObjectWriter()
        object.add("title", title)
        object.add("title-loc-key", localizedTitle?.key)
        object.add("title-loc-args", localizedTitle?.argumentsIfAny)
        object.add("subtitle", subtitle)
        object.add("subtitle-loc-key", localizedSubtitle?.key)
        object.add("subtitle-loc-args", localizedSubtitle?.argumentsIfAny)
        object.add("body", body)
        object.add("loc-key", localizedBody?.key)
        object.add("loc-args", localizedBody?.argumentsIfAny)
        object.add("launch-image", launchImage)
        object.add("action", action)
        object.add("action-loc-key", actionLocalizationKey)
        return object
    }
}

extension LiveActivity {
    fileprivate func add(to aps: inout JSONObjectWriter) throws(APNsError) {
        aps.add("timestamp", timestamp)
        aps.add("event", event.name)
        try aps.add("content-state", contentState.map { .object($0) }, depth: 2)
        aps.add("stale-date", staleDate)
        switch event {
        case .update: break
        case .end(let dismissalDate): aps.add("dismissal-date", dismissalDate)
        case .start(let start):
            aps.add("attributes-type", start.attributesType)
            try aps.add("attributes", .object(start.attributes), depth: 2)
            switch start.input {
            case .channel(let channel): aps.add("input-push-channel", channel.rawValue)
            case .token: aps.addOne("input-push-token")
            case nil: break
            }
        }
        if let alert {
            var object = JSONObjectWriter()
            alert.title?.add("title", to: &object)
            alert.body?.add("body", to: &object)
            object.add("sound", alert.sound)
            aps.add("alert", object: object)
        }
    }
}

extension LiveActivity.Alert.Text {
    fileprivate func add(_ key: String, to object: inout JSONObjectWriter) {
        switch self {
        case .literal(let text): object.add(key, text)
        case .localized(let text):
            var nested = JSONObjectWriter()
            nested.add("loc-key", text.key)
            nested.add("loc-args", text.argumentsIfAny)
            object.add(key, object: nested)
        }
    }
}

extension LocalizedText {
    fileprivate var argumentsIfAny: [String]? { arguments.isEmpty ? nil : arguments }
}
