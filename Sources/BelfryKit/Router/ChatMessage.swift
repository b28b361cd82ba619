/// A chat message as pushes show it: who wrote, and what.
public struct ChatMessage: Hashable, Sendable {
    /// The longest sender that is taken for one, in characters; anything longer is a sentence with a colon.
    public static let senderCountMax = 40

    /// Who wrote.
    public var sender: String
    /// What they wrote.
    public var text: String

    /// Makes a message.
    public init(sender: String, text: String) {
        self.sender = sender
        self.text = text
    }

    /// Reads a notification's texts: a title is the sender, and without one the body reads "sender: text".
    ///
    /// The colon may be the wide one of Chinese and Japanese. An address such as `https://…` names no sender, and neither
    /// does a time such as `09:30`.
    /// - Returns: nil when no sender is named.
    public init?(title: String, body: String) {
        guard !body.isEmpty else { return nil }
        if !title.isEmpty {
            self.init(sender: title, text: body)
            return
        }
        guard let colon = body.firstIndex(where: { $0 == ":" || $0 == "：" }) else { return nil }
        let sender = Self.trimmed(body[..<colon])
        let rest = body[body.index(after: colon)...]
        let text = Self.trimmed(rest)
        let isAddress = body[colon] == ":" && rest.hasPrefix("//")
        let isTime = sender.last?.isNumber == true && rest.first?.isNumber == true
        guard !sender.isEmpty, sender.count <= Self.senderCountMax, !text.isEmpty, !isAddress, !isTime,
            !sender.contains(where: \.isNewline)
        else { return nil }
        self.init(sender: sender, text: text)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
