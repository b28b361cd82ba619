/// What a repeating trigger does about the times at which nothing ran, found at the next start.
public enum MissedRepeatPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the latest of them is delivered.
    case latest
    /// Each of them is delivered, up to a limit.
    case all
    /// None is delivered.
    case none
}
