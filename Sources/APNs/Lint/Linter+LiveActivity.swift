/// The parts of a Live Activity's start, update and end.
extension Linter {
    private static let events = ["start", "update", "end"]

    /// Whether the headers or the payload make this a Live Activity.
    func isLiveActivity(_ aps: [String: JSONValue]) -> Bool {
        if let pushType { return pushType == .liveactivity || aps["event"] != nil }
        return aps["event"] != nil || aps["content-state"] != nil
    }

    mutating func checkEvent(_ text: String, _ path: String) {
        guard !Linter.events.contains(text) else { return }
        let fix = KeySpelling.nearest(to: text, among: Linter.events).map { "write \"\($0)\"" }
        error(
            .event, path,
            "event is \(quoted(text)), which does not exist: \(fix ?? "write start, update or end")")
    }

    mutating func checkInstant(_ value: JSONValue, _ path: String) {
        let seconds: Double
        switch value {
        case .integer(let integer): seconds = Double(integer)
        case .number(let number):
            seconds = number
            if number.rounded() != number {
                warning(.instant, path, "\(path) is \(words(value)): write whole seconds")
            }
        default: return wrongType(value, path, "write the number of seconds since 1970")
        }
        if seconds >= Double(Linter.instantMax) {
            error(
                .instant, path,
                "\(path) is \(words(value)), which looks like milliseconds: write seconds since 1970")
        } else if seconds < Double(Linter.instantMin), path != "aps.dismissal-date" {
            // A dismissal date long ago removes the activity at once, which is documented use.
            error(
                .instant, path,
                "\(path) is \(words(value)), an instant long ago: write the whole number of seconds since 1970"
            )
        }
    }

    mutating func checkLiveActivity(_ aps: [String: JSONValue]) {
        if let pushType, pushType != .liveactivity {
            error(
                .pushTypeMismatch, "aps.event",
                "event makes this a Live Activity, but the push type is \(pushType.rawValue): send the type"
                    + " liveactivity with its topic suffix")
        }
        let isMisspelt = aps.keys.contains { KeySpelling.nearest(to: $0, among: ["event"]) == "event" }
        if aps["event"] == nil, !isMisspelt {
            error(.event, "aps.event", "event is missing: add \"start\", \"update\" or \"end\"")
        }
        need(
            "timestamp", in: aps, "the time of sending in seconds since 1970, by which the newest update wins"
        )
        let event: String? = if case .string(let text) = aps["event"] { text } else { nil }
        if event == "end" {
            if aps["content-state"] == nil {
                warning(
                    .missingPart, "aps.content-state",
                    "content-state is missing: add the final content, else the last one stays on screen")
            }
        } else {
            need("content-state", in: aps, "the content to show, an object")
        }
        if event == "start" {
            need("attributes-type", in: aps, "the name of the app's ActivityAttributes type")
            need("attributes", in: aps, "the activity's static content, an object")
            need("alert", in: aps, "without which an activity does not start: an object with title and body")
            if aps["input-push-channel"] != nil, aps["input-push-token"] != nil {
                warning(
                    .needlessPart, "aps.input-push-token",
                    "input-push-token and input-push-channel exclude each other: keep one")
            }
        } else if event != nil {
            for key in ["attributes-type", "attributes", "input-push-channel", "input-push-token"] {
                needless(key, in: aps, unless: "start")
            }
        }
        if let event, event != "end" { needless("dismissal-date", in: aps, unless: "end") }
        if let now, case .integer(let stale)? = aps["stale-date"], stale >= Linter.instantMin, stale <= now {
            warning(
                .instant, "aps.stale-date",
                "stale-date has passed, so the content is stale at once: write a later time")
        }
        if let alert = aps["alert"], alert != .null { checkLiveActivityAlert(alert) }
        if aps["sound"] != nil {
            warning(
                .misplacedKey, "aps.sound",
                "sound of a Live Activity stands in its alert: move it into aps.alert")
        }
    }

    private mutating func need(_ key: String, in aps: [String: JSONValue], _ what: String) {
        // Null is absent for the device.
        if aps[key] == nil || aps[key] == .null {
            error(.missingPart, "aps.\(key)", "\(key) is missing: add \(what)")
        }
    }

    private mutating func needless(_ key: String, in aps: [String: JSONValue], unless event: String) {
        guard aps[key] != nil else { return }
        warning(.needlessPart, "aps.\(key)", "\(key) has no effect unless event is \(event): remove it")
    }

    private mutating func checkLiveActivityAlert(_ value: JSONValue) {
        let path = "aps.alert"
        guard case .object(let alert) = value else {
            return wrongType(value, path, "write an object with title and body")
        }
        let known = ["title", "body", "sound"]
        for (key, value) in alert.sorted(by: { $0.key < $1.key }) {
            let keyPath = "\(path).\(key)"
            switch key {
            case "title", "body": checkLiveActivityText(value, keyPath)
            case "sound": checkString(value, keyPath)
            case let key where key.hasSuffix("loc-key") || key.hasSuffix("loc-args"):
                error(
                    .misplacedKey, keyPath,
                    "\(quoted(key)) stands inside title or body in a Live Activity:"
                        + " write {\"title\":{\"loc-key\":…,\"loc-args\":[…]}}")
            default:
                let meant = KeySpelling.nearest(to: key, among: known)
                let fix = meant.map { "write \"\($0)\"" } ?? "remove it"
                let message = "\(quoted(key)) is not a key of a Live Activity's alert: \(fix)"
                if meant != nil {
                    error(.misspeltKey, keyPath, message)
                } else {
                    warning(.unknownKey, keyPath, message)
                }
            }
        }
        if alert["title"] == nil, alert["body"] == nil {
            error(.emptyAlert, path, "alert has no text, so nothing is shown: add title and body")
        }
    }

    private mutating func checkLiveActivityText(_ value: JSONValue, _ path: String) {
        guard case .object(let text) = value else {
            checkString(value, path)
            return
        }
        if let key = text["loc-key"] {
            checkString(key, path + ".loc-key")
        } else if text["loc-args"] != nil {
            checkArguments(text, path)
        } else {
            error(.missingPart, path + ".loc-key", "\(path) is an object without loc-key: add it")
        }
        if let arguments = text["loc-args"] { checkStrings(arguments, path + ".loc-args") }
        for key in text.keys.sorted() where key != "loc-key" && key != "loc-args" {
            warning(
                .unknownKey, "\(path).\(key)", "\(quoted(key)) is neither loc-key nor loc-args: remove it")
        }
    }
}
