/// What a reminder plays.
public enum ReminderSound: Hashable, Sendable {
    /// The system's sound.
    case `default`
    /// A file of the app, at most 30 s long.
    case named(String)
}
