#if canImport(VirtualPhone)
internal import VirtualPhone

/// What a phone does, as lines for a reader.
enum PhoneReport {
    /// The ready line of a phone.
    struct Ready: Encodable, Sendable {
        var phone: String
        var zone: String
        var topics: [String]
        var tokens: [String: String]
        var device: String?
        var http: String?

        var text: String {
            var fields = [
                ("phone", phone), ("zone", zone), ("topic", topics.joined(separator: ",")),
            ]
            if let token = tokens[topics.first ?? ""] { fields.append(("token", token)) }
            if let device { fields.append(("device", device)) }
            if let http { fields.append(("http", http)) }
            return "ready " + fields.map { "\($0)=\($1.logText)" }.joined(separator: " ")
        }
    }

    /// Entries that say what a reader sees elsewhere.
    private static let quiet: Set<JournalEntry.Event> = [
        .called, .active, .inactive, .background, .suspended,
    ]

    /// The line of an entry; nil for one that only details what others say.
    static func line(_ entry: JournalEntry, isVerbose: Bool) -> String? {
        guard isVerbose || !quiet.contains(entry.event) else { return nil }
        let number = entry.notification.map { "#\($0)" } ?? ""
        let time = entry.time.split(separator: "T").last.map(String.init) ?? entry.time
        let event = entry.event.rawValue
        let app = entry.app ?? ""
        return [time, event.padded(to: 19), number.padded(to: 4), app, entry.text]
            .joined(separator: "  ").trimmedAtEnd
    }

    /// What is on the screen now.
    static func screen(_ state: PhoneState) -> String {
        var lines = [
            "\(state.name): \(state.weekday) \(state.time), \(state.zone), "
                + (state.isLocked ? "locked" : "unlocked, in front: \(state.front ?? "home screen")")
        ]
        if let prompt = state.prompt {
            lines.append("  \"\(prompt.name)\" would like to send you notifications: allow, deny")
        }
        for app in state.apps {
            lines.append(
                "  \(app.name) (\(app.bundleIdentifier)): \(app.state.rawValue)"
                    + (app.badge > 0 ? ", badge \(app.badge)" : "")
                    + ", notifications \(app.settings.status.rawValue), pending \(app.pendingCount)")
        }
        if let banner = state.banner { lines.append("  banner       " + text(banner)) }
        for shown in state.lockScreen { lines.append("  lock screen  " + text(shown)) }
        for group in state.groups {
            let thread = group.threadIdentifier.isEmpty ? "" : " [\(group.threadIdentifier)]"
            lines.append("  list: \(group.app)\(thread)")
            for shown in group.notifications { lines.append("    " + text(shown)) }
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ shown: PhoneNotification) -> String {
        let words = [shown.title, shown.subtitle, shown.body].filter { !$0.isEmpty }
        let buttons = shown.actions.map { " [\($0.identifier)]" }.joined()
        return "#\(shown.id) " + words.joined(separator: " · ") + buttons
            + (shown.asksToKeep ? " [keep] [turn-off]" : "")
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }

    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
#endif
