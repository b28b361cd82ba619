/// What decides about the number on the app's icon, besides pushes and reminders that carry one.
public enum BadgePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the app alone, by what it marks as unread.
    case manual
    /// What the app marks, and what is in the list: each reminder's key, each thread, each notification without one counts.
    ///
    /// Counted anew whenever the app is opened, left, or told of a notification. While it does not run the system sets
    /// what a notification carries: it never counts by itself.
    case unread
    /// Opening the app clears it; what is in the list stays there.
    case clearedOnActivation = "cleared-on-activation"
}
