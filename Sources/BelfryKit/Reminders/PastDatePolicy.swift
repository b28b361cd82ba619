/// What happens when a reminder is set that has no occurrence any more.
public enum PastDatePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: it is refused with `pastDate`. (UserNotifications takes it without a word and never shows it.)
    case error
    /// It fires at once.
    case fireNow = "fire-now"
    /// What was to fire once fires when the clock next shows its time: today or tomorrow. An ended rule is refused.
    case nextOccurrence = "next-occurrence"
}
