/// What happened in a demo, for a reader or for a script.
struct DemoStory: Encodable, Sendable {
    struct Push: Encodable, Sendable {
        var to: String
        var topic: String
        var title: String
        /// `accepted`, or the status and reason of the refusal.
        var outcome: String
        var isAccepted: Bool
        /// Why a refused push was refused.
        var why: String?
    }

    struct Phone: Encodable, Sendable {
        var name: String
        /// The first digits of its device token.
        var token: String
        /// Titles of what it received.
        var received: [String] = []
        /// What to know about that.
        var note: String?
    }

    var gateway: String
    var pushes: [Push] = []
    var phones: [Phone] = []

    /// The story for a reader.
    var text: String {
        var lines = ["A gateway runs at \(gateway). The provider sent:", ""]
        for push in pushes {
            lines.append("  to \(push.to): \"\(push.title)\" → \(push.outcome)")
            if let why = push.why { lines.append(HelpText.wrapped("why: " + why, indent: 6)) }
        }
        lines.append("")
        for phone in phones {
            let titles = phone.received.map { "\"\($0)\"" }.joined(separator: ", ")
            lines.append("\(phone.name) (\(phone.token)) received \(titles.isEmpty ? "nothing" : titles)")
            if let note = phone.note { lines.append(HelpText.wrapped(note, indent: 6)) }
        }
        return lines.joined(separator: "\n")
    }
}
