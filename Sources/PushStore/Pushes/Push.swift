public import Recurrence

/// One request to tell an audience something, from its acceptance to its last outcome.
public struct Push: Sendable, Hashable {
    /// Where a push stands.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Its time has not come.
        case scheduled
        /// It is being planned and sent.
        case running
        /// It waits for somebody to resume it: an operator paused it, or a fault of the set-up stopped it.
        case paused
        /// Every device has its outcome.
        case done
        /// It was cancelled; what had been sent by then has its outcomes.
        case cancelled

        /// Whether nothing more will happen to it.
        public var isFinal: Bool { self == .done || self == .cancelled }
    }

    /// The store's own number.
    public var number: Int64
    /// The app's number.
    public var app: Int64
    /// 16 letters and digits; the default collapse id of its notifications.
    public var objectID: String
    /// The objectId of its record, which several pushes may share.
    public var recordID: String
    /// What was asked.
    public var request: PushRequest
    /// Where it stands.
    public var state: State
    /// What stopped it; nil when nothing did, and once somebody has resumed it.
    public var error: String?
    /// What was left out of it, such as a zone whose time was long gone; whatever is done to it later, this stays.
    public var notes: String?
    /// When it was accepted.
    public var createdAt: Instant
    /// When it is due; for a local time, when the first zone is.
    public var dueAt: Instant
    /// Until when devices may get it; nil for no limit.
    public var expiresAt: Instant?
    /// When the last outcome came; nil until then.
    public var endedAt: Instant?

    /// Makes a value of what is stored.
    public init(
        number: Int64, app: Int64, objectID: String, recordID: String, request: PushRequest, state: State,
        error: String?, notes: String? = nil, createdAt: Instant, dueAt: Instant, expiresAt: Instant?,
        endedAt: Instant?
    ) {
        self.number = number
        self.app = app
        self.objectID = objectID
        self.recordID = recordID
        self.request = request
        self.state = state
        self.error = error
        self.notes = notes
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
    }

    /// All it says of itself: what stopped it, then what was left out; nil when there is nothing to say.
    public var remarks: String? {
        let texts = [error, notes].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
