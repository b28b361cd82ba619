/// What happens to a civil time that a zone's clocks jump over.
public enum GapPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the instant that the offset before the gap gives. In a gap of an hour 02:30 fires at 03:30.
    ///
    /// It is what iOS does with a repeating calendar trigger, and what RFC 5545 asks for (section 3.3.5).
    case shiftForward = "shift-forward"
    /// The first instant after the gap: 02:30 fires at 03:00.
    case endOfGap = "end-of-gap"
    /// The time does not fire on that day.
    case skip
}
