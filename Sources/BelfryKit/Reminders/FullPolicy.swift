/// What happens when there are more reminders than slots in the system.
public enum FullPolicy: Hashable, Sendable {
    /// The default: the soonest ones are scheduled, and the report names the others, which follow as slots get free.
    case report
    /// The reminder that does not fit any more is refused with `tooManyReminders`, and nothing is changed.
    case refuse
}
