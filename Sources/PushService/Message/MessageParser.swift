internal import APNs
internal import PushStore

/// Reads one platform's part of `data` into Apple's shape.
///
/// Keys: LeanCloud: push REST API guide; names with capital letters from Parse Server's push adapter, which stay
/// among the app's own keys too, since to LeanCloud's customers they are just that.
struct MessageParser {
    private(set) var form: MessageForm
    /// What has not been read yet.
    private var rest: [String: JSONValue]
    private let path: String

    /// LeanCloud's keys that have the same name in aps.
    private static let sharedKeys = [
        "alert", "badge", "sound", "content-available", "mutable-content", "thread-id", "category",
        "target-content-id", "url-args", "interruption-level", "relevance-score", "filter-criteria",
    ]

    /// Keys that are Apple's only where a Live Activity is meant; many apps have an `event` of their own.
    private static let liveActivityKeys = [
        "event", "timestamp", "content-state", "stale-date", "dismissal-date", "attributes-type",
        "attributes", "input-push-channel", "input-push-token",
    ]

    /// Parse's name, and Apple's.
    private static let parseNames = [
        "threadId": "thread-id", "targetContentIdentifier": "target-content-id",
        "interruptionLevel": "interruption-level",
    ]

    /// Reads a block.
    ///
    /// - Parameters:
    ///   - block: the members, without those of other platforms.
    ///   - path: where it stands, for messages.
    init(_ block: [String: JSONValue], path: String) throws(ChangeError) {
        self.path = path
        form = MessageForm(path: path)
        rest = block
        try readHeaders()
        var aps: [String: JSONValue]
        let apsPath: String
        if let whole = take("aps") {
            apsPath = "\(path).aps"
            aps = try DataValue.object(whole, apsPath)
        } else {
            apsPath = path
            aps = takeAppleKeys()
        }
        aps = aps.filter { $0.value != .null }
        try readTopLevelTexts(hasWhole: apsPath != path)
        var reader = APSParser(path: apsPath, form: form)
        try reader.read(aps)
        form = reader.form
        form.custom = rest
    }

    /// Takes a value out of the block; null counts as absent.
    private mutating func take(_ key: String) -> JSONValue? {
        let value = rest.removeValue(forKey: key)
        return value == .null ? nil : value
    }

    // MARK: - Headers

    private mutating func readHeaders() throws(ChangeError) {
        if let value = take("collapse-id") ?? rest["collapseId"].flatMap(Self.string) {
            let text = try DataValue.text(value, "\(path).collapse-id")
            do throws(APNsError) {
                form.collapseID = try CollapseID(text)
            } catch {
                throw DataValue.invalid("\(path).collapse-id", error)
            }
        }
        if let value = take("apns-priority") {
            let number = try DataValue.integer(value, "\(path).apns-priority")
            guard let priority = Int(exactly: number).flatMap(Priority.init(rawValue:)) else {
                throw DataValue.wrongValue("\(path).apns-priority", String(number), needed: "10, 5 or 1")
            }
            form.priority = priority
        }
        if let value = take("apns-push-type") {
            let text = try DataValue.text(value, "\(path).apns-push-type")
            guard let type = PushType(ignoringCase: text) else {
                let names = PushType.allCases.map(\.rawValue).joined(separator: ", ")
                throw DataValue.wrongValue("\(path).apns-push-type", text, needed: "one of \(names)")
            }
            form.pushType = type
        } else if case .string(let text)? = rest["pushType"] ?? rest["push_type"] {
            form.pushType = PushType(rawValue: text)
        }
        if let value = take("apns-channel-id") {
            let text = try DataValue.text(value, "\(path).apns-channel-id")
            do throws(APNsError) {
                form.channel = try ChannelID(text)
            } catch {
                throw DataValue.invalid("\(path).apns-channel-id", error)
            }
        }
    }

    private static func string(_ value: JSONValue) -> JSONValue? {
        if case .string = value { value } else { nil }
    }

    // MARK: - Keys of aps

    /// Takes out of the top level what belongs into aps.
    private mutating func takeAppleKeys() -> [String: JSONValue] {
        var aps: [String: JSONValue] = [:]
        for key in Self.sharedKeys { aps[key] = take(key) }
        for (name, key) in Self.parseNames where aps[key] == nil {
            guard case .string(let text)? = rest[name] else { continue }
            if key == "interruption-level", APSParser.level(text) == nil { continue }
            aps[key] = .string(text)
        }
        if form.pushType == .widgets || form.pushType == .controls {
            aps["content-changed"] = take("content-changed")
        }
        if form.pushType == .liveactivity || (form.pushType == nil && looksLikeLiveActivity) {
            for key in Self.liveActivityKeys { aps[key] = take(key) }
        }
        return aps
    }

    private var looksLikeLiveActivity: Bool {
        guard case .string(let event)? = rest["event"], APSParser.events.contains(event) else { return false }
        if case .object? = rest["content-state"] { return true }
        return false
    }

    // MARK: - Texts beside the alert

    /// Takes `title`, `alert-fr` and `title-fr`.
    ///
    /// - Parameter hasWhole: whether aps is given whole; a plain `title` is the app's own then.
    private mutating func readTopLevelTexts(hasWhole: Bool) throws(ChangeError) {
        if !hasWhole, let title = take("title") {
            form.alert["title"] = .string(try DataValue.text(title, "\(path).title"))
        }
        // The more precise key comes later in the alphabet, and wins: alert-fr, then title-fr.
        for (key, value) in rest.sorted(by: { $0.key < $1.key }) {
            for text in ["alert", "title"] {
                guard let tag = Self.language(of: key, after: text) else { continue }
                switch value {
                case .string:
                    form.localized[text == "alert" ? "body" : text, default: [:]][tag] = value
                case .object(let members) where text == "alert":
                    for (key, value) in members where value != .null {
                        let value = try APSParser.alertValue(
                            value, key: key, "\(path).alert-\(tag.text).\(key)")
                        form.localized[key, default: [:]][tag] = value
                    }
                default: continue
                }
                rest[key] = nil
            }
        }
    }

    /// The language at the end of a key such as `title-zh-Hans`.
    static func language(of key: String, after text: String) -> LanguageTag? {
        guard key.hasPrefix(text + "-") else { return nil }
        let suffix = key.dropFirst(text.count + 1)
        // title-loc-key is no language.
        return suffix.hasPrefix("loc-") ? nil : LanguageTag(suffix)
    }
}
