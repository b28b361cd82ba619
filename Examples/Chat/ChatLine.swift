/// A message in a conversation.
public struct ChatLine: Hashable, Sendable, Identifiable {
    /// What the chat's server calls it.
    public var id: String
    /// Whose conversation it stands in.
    public var conversation: String
    /// What was written.
    public var text: String
    /// Whether the user wrote it.
    public var isMine: Bool

    /// Makes a line.
    public init(id: String, conversation: String, text: String, isMine: Bool = false) {
        self.id = id
        self.conversation = conversation
        self.text = text
        self.isMine = isMine
    }
}
