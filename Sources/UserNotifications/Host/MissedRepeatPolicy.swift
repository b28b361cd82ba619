/// What a repeating trigger does about the times at which nothing ran, found at the next start or wake of the machine.
///
/// Apple documents nothing. A request that does not repeat is delivered late whatever the choice, with the date at which
/// it was due.
public enum MissedRepeatPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the latest of them is delivered.
    case latest
    /// Each of them is delivered, up to 64 of a request.
    case all
    /// None that is more than two minutes late is delivered.
    case none
}
