internal import PushStore

/// What somebody did with a push through API or console, for the log.
public struct PushAct: Sendable, Hashable {
    /// What was done.
    public enum Kind: Sendable, Hashable {
        /// A push was accepted; one whose request was accepted before is not told again.
        case accepted
        /// It was paused.
        case paused
        /// It goes on.
        case resumed
        /// It was cancelled.
        case cancelled
        /// A record was deleted, and what was queued of its pushes was cancelled.
        case deleted
        /// A scheduled message was deleted.
        case deletedMessage

        /// What is told of a push that somebody brought into a state; nil for states that nobody asks for.
        init?(_ state: Push.State) {
            switch state {
            case .paused: self = .paused
            case .running: self = .resumed
            case .cancelled: self = .cancelled
            case .scheduled, .done: return nil
            }
        }
    }

    /// What was done.
    public var kind: Kind
    /// The push's objectId; of a deletion, the id that was given: the record's, or the message's number.
    public var id: String
    /// The app's id.
    public var app: String
    /// Who did it, as the audit log names them.
    public var actor: String
}
