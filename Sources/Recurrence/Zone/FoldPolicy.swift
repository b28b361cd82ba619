/// Which of two instants counts when a zone's clocks show a civil time twice.
public enum FoldPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the first time only. RFC 5545 asks for it (section 3.3.5).
    case first
    /// The second time only.
    case second
    /// Both: what "every ten minutes" may want.
    case both
}
