internal import APNs
internal import PushStore

/// Checks the members of aps and writes each in the one form devices read.
///
/// From Apple: Generating a remote notification; Starting and updating Live Activities with ActivityKit push
/// notifications. Keys that are not known stay as they are.
struct APSParser {
    /// Where aps stands in the request, for messages.
    let path: String
    private(set) var form: MessageForm

    /// The events of a Live Activity.
    static let events = ["start", "update", "end"]

    init(path: String, form: MessageForm) {
        self.path = path
        self.form = form
    }

    /// Reads the members; none of them is null.
    mutating func read(_ aps: [String: JSONValue]) throws(ChangeError) {
        for (key, value) in aps.sorted(by: { $0.key < $1.key }) {
            let place = "\(path).\(key)"
            switch key {
            case "alert": try readAlert(value, place)
            case "badge": form.badge = try Self.badge(value, place)
            case "sound": form.aps[key] = try sound(value, place)
            case "content-available", "mutable-content", "input-push-token":
                if try DataValue.flag(value, place) { form.aps[key] = .integer(1) }
            case "content-changed":
                if try DataValue.flag(value, place) { form.aps[key] = .bool(true) }
            case "thread-id", "category", "target-content-id", "filter-criteria", "attributes-type",
                "input-push-channel":
                form.aps[key] = .string(try DataValue.text(value, place))
            case "url-args": form.aps[key] = try DataValue.texts(value, place)
            case "interruption-level":
                let text = try DataValue.text(value, place)
                guard let level = Self.level(text) else {
                    throw DataValue.wrongValue(
                        place, text, needed: "passive, active, time-sensitive or critical")
                }
                form.aps[key] = .string(level.rawValue)
            case "relevance-score": form.aps[key] = try DataValue.number(value, place)
            case "event": form.aps[key] = .string(try DataValue.text(value, place))
            case "timestamp", "stale-date", "dismissal-date":
                form.aps[key] = try DataValue.seconds(value, place)
            case "content-state", "attributes":
                form.aps[key] = .object(try DataValue.object(value, place))
            default: form.aps[key] = value
            }
        }
        if form.isLiveActivity { try readLiveActivity() }
    }

    /// The level a text names, with hyphen, underscore or capital letters.
    static func level(_ text: String) -> InterruptionLevel? {
        switch text {
        case "timeSensitive", "time_sensitive": .timeSensitive
        default: InterruptionLevel(rawValue: text)
        }
    }

    // MARK: - Badge and sound

    /// A number, `Increment`, or Parse's `{"__op": "Increment", "amount": 1}`.
    private static func badge(_ value: JSONValue, _ path: String) throws(ChangeError) -> BadgeChange {
        switch value {
        case .string("Increment"): return .raise(by: 1)
        case .object(let members):
            guard members["__op"] == "Increment" else {
                throw DataValue.wrongType(path, value, needed: #"a number or "Increment""#)
            }
            let amount = try members["amount"].map { amount throws(ChangeError) in
                try DataValue.integer(amount, "\(path).amount")
            }
            let raise = amount ?? 1
            guard -badgeStepMax...badgeStepMax ~= raise else {
                throw DataValue.wrongValue(
                    "\(path).amount", String(raise),
                    needed: "a number from \(-badgeStepMax) to \(badgeStepMax)")
            }
            return .raise(by: raise)
        default:
            guard case .integer(let number)? = try? DataValue.number(value, path) else {
                throw DataValue.wrongType(path, value, needed: #"a number or "Increment""#)
            }
            return .set(number)
        }
    }

    /// The most a badge is raised by at once, so that no sum of them leaves 64 bits.
    private static let badgeStepMax: Int64 = 1_000_000

    /// A name, or the dictionary of critical alerts in the one form devices read.
    private mutating func sound(_ value: JSONValue, _ path: String) throws(ChangeError) -> JSONValue {
        guard case .object(let members) = value else { return .string(try DataValue.text(value, path)) }
        let given = members.filter { $0.value != .null }
        let name = try given["name"].map { value throws(ChangeError) in
            try DataValue.text(value, "\(path).name")
        }
        let isCritical = try given["critical"].map { value throws(ChangeError) in
            try DataValue.flag(value, "\(path).critical")
        }
        let volume = try given["volume"].map { value throws(ChangeError) in
            try DataValue.number(value, "\(path).volume")
        }
        guard isCritical == true else { return .string(name ?? "default") }
        var sound: [String: JSONValue] = ["critical": 1, "name": .string(name ?? "default")]
        if let volume {
            let amount: Double =
                switch volume {
                case .integer(let integer): Double(integer)
                case .number(let number): number
                default: 0
                }
            guard 0...1 ~= amount else {
                throw DataValue.wrongValue(
                    "\(path).volume", PlainNumber.text(amount) ?? "", needed: "a number from 0 to 1")
            }
            sound["volume"] = volume
        }
        return .object(sound)
    }

    // MARK: - Alert

    private mutating func readAlert(_ value: JSONValue, _ path: String) throws(ChangeError) {
        guard case .object(let members) = value else {
            form.alert["body"] = .string(try DataValue.text(value, path))
            return
        }
        form.isAlertText = false
        for (key, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
            let place = "\(path).\(key)"
            if let (text, tag) = Self.localizedKey(key) {
                guard case .string = value else {
                    throw DataValue.wrongType(place, value, needed: "a string")
                }
                // What stands beside the alert for a language, as alert-fr, counts more.
                if form.localized[text]?[tag] == nil { form.localized[text, default: [:]][tag] = value }
            } else {
                form.alert[key] = try Self.alertValue(value, key: key, place)
            }
        }
    }

    private static func localizedKey(_ key: String) -> (text: String, tag: LanguageTag)? {
        for text in AlertField.texts {
            if let tag = MessageParser.language(of: key, after: text) { return (text, tag) }
        }
        return nil
    }

    /// One value of an alert, in the form devices read.
    static func alertValue(
        _ value: JSONValue, key: String, _ path: String
    ) throws(ChangeError) -> JSONValue {
        if AlertField.lists.contains(key) { return try DataValue.texts(value, path) }
        if key == "summary-arg-count" { return .integer(try DataValue.integer(value, path)) }
        guard AlertField.strings.contains(key) else { return value }
        // In a Live Activity, title and body may be objects with loc-key and loc-args.
        if case .object(let members) = value, AlertField.texts.contains(key), members["loc-key"] != nil {
            var text: [String: JSONValue] = [:]
            for (key, value) in members where value != .null {
                text[key] = try alertValue(value, key: key, "\(path).\(key)")
            }
            return .object(text)
        }
        return .string(try DataValue.text(value, path))
    }

    // MARK: - Live Activities

    private mutating func readLiveActivity() throws(ChangeError) {
        guard case .string(let event)? = form.aps["event"] else {
            throw ChangeError(code: 1, "\(path).event: a Live Activity needs start, update or end")
        }
        guard Self.events.contains(event) else {
            throw DataValue.wrongValue("\(path).event", event, needed: "start, update or end")
        }
        form.needsTimestamp = form.aps["timestamp"] == nil
        form.isAlertText = false
        // The sound of a Live Activity stands in its alert.
        if case .string? = form.aps["sound"], form.alert["sound"] == nil,
            !form.alert.isEmpty || !form.localized.isEmpty
        {
            form.alert["sound"] = form.aps.removeValue(forKey: "sound")
        }
    }
}
