/// The alert of an ordinary notification.
extension Linter {
    private static let textKeys: [AlertKey] = [
        .title, .subtitle, .body, .titleLocalizationKey, .subtitleLocalizationKey, .bodyLocalizationKey,
    ]

    mutating func checkAlert(_ value: JSONValue) {
        let path = "aps.alert"
        switch value {
        case .null: break
        case .string(let text):
            if text.isEmpty { emptyAlert() }
        case .object(let alert):
            for (key, value) in alert.sorted(by: { $0.key < $1.key }) {
                checkAlertMember(key, value, "\(path).\(key)")
            }
            checkArguments(alert, path)
            let hasText = Linter.textKeys.contains { key in
                switch alert[key.rawValue] {
                case nil, .null?, .string("")?: false
                default: true
                }
            }
            if !hasText { emptyAlert() }
        default: wrongType(value, path, "write a string, or an object with title and body")
        }
    }

    private mutating func emptyAlert() {
        error(
            .emptyAlert, "aps.alert",
            "alert has no text, so nothing is shown: add title or body, or leave alert out")
    }

    private mutating func checkAlertMember(_ key: String, _ value: JSONValue, _ path: String) {
        guard let known = AlertKey(rawValue: key) else { return checkUnknownAlertKey(key, path) }
        if known.isObsolete {
            return warning(.obsoleteKey, path, "\(key) is ignored since iOS 15: remove it")
        }
        if value == .null {
            return warning(.nullValue, path, "\(key) is null: leave the key out")
        }
        switch known {
        case .titleLocalizationArguments, .subtitleLocalizationArguments, .bodyLocalizationArguments:
            checkStrings(value, path)
        default:
            checkString(value, path)
        }
    }

    private mutating func checkUnknownAlertKey(_ key: String, _ path: String) {
        if APSKey.isKnown(key) {
            error(.misplacedKey, path, "\(quoted(key)) does not belong to the alert: move it into aps")
        } else if let meant = KeySpelling.nearest(to: key, among: AlertKey.allCases.map(\.rawValue)) {
            error(.misspeltKey, path, "\(quoted(key)) is not a key of alert: write \"\(meant)\"")
        } else if let meant = KeySpelling.variant(of: key, among: APSKey.allCases.map(\.rawValue)) {
            error(.misspeltKey, path, "\(quoted(key)) is not a key of alert: write \"\(meant)\" inside aps")
        } else {
            warning(
                .unknownKey, path,
                "\(quoted(key)) is not a key of alert, where the system ignores others: move it beside aps")
        }
    }

    /// Arguments without the key whose placeholders they fill.
    mutating func checkArguments(_ alert: [String: JSONValue], _ path: String) {
        for prefix in ["title-", "subtitle-", ""] {
            let arguments = prefix + "loc-args"
            let key = prefix + "loc-key"
            if alert[arguments] != nil, alert[key] == nil {
                error(
                    .argumentsWithoutKey, "\(path).\(arguments)",
                    "\(arguments) is given without \(key), whose placeholders it fills: add \(key)")
            }
        }
    }
}
