/// What becomes of a request without text, badge, sound and attachment.
public enum EmptyContentPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the error `notificationInvalidNoContent`.
    case reject
    /// It is taken and does nothing when it fires.
    case accept
}
