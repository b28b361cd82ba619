public import Recurrence

/// What is scheduled after planning, how far it reaches, and what was left out.
///
/// The system never wakes an app because a reminder was shown. What is not endless ends at its horizon unless the app
/// runs before: when it is opened, or in a background refresh.
public struct PlanReport: Hashable, Sendable {
    /// How far the requests of a reminder reach.
    public enum Horizon: Hashable, Sendable {
        /// The system repeats it by itself, for ever.
        case endless
        /// All of its occurrences are scheduled.
        case complete
        /// Every occurrence up to this one is scheduled; later ones have to be planned again.
        case until(Instant)
    }

    /// A reminder that is scheduled.
    public struct Entry: Hashable, Sendable {
        /// Its key.
        public let key: String
        /// When it fires next.
        public let next: Instant
        /// How far it reaches.
        public let horizon: Horizon
        /// How many requests it takes.
        public let requestCount: Int
    }

    /// Why a reminder is not scheduled.
    public enum Reason: String, Hashable, Sendable {
        /// There are more reminders than slots, and others come sooner.
        case noSlot
        /// The user does not let the app notify. It is planned as soon as that changes.
        case notAllowed
        /// All that comes is in quiet hours, which leave it out.
        case quietHours
        /// The system did not keep its request, though it may have reported no error.
        case notKept
    }

    /// A reminder with occurrences to come that is not scheduled.
    public struct LeftOut: Hashable, Sendable {
        /// Its key.
        public let key: String
        /// Why.
        public let reason: Reason
    }

    /// A reminder that quiet hours hold back.
    public struct Quieted: Hashable, Sendable {
        /// Its key.
        public let key: String
        /// The first occurrence that is held back: when it would have come.
        public let instant: Instant
        /// What becomes of such occurrences.
        public let effect: QuietHours.Effect
    }

    /// What is scheduled, soonest first.
    public internal(set) var entries: [Entry] = []
    /// What is not, though it has occurrences to come.
    public internal(set) var leftOut: [LeftOut] = []
    /// What quiet hours hold back of that which comes next, by key.
    public internal(set) var quieted: [Quieted] = []
    /// Reminders without an occurrence to come.
    public internal(set) var ended: [String] = []
    /// The first occurrence that is not scheduled, nil when nothing runs dry: the app has to run before.
    public internal(set) var firstMissing: Instant?
    /// When the user is asked to open the app; nil without such a request.
    public internal(set) var openApp: Instant?
    /// How many slots other code's requests take.
    public internal(set) var foreignRequestCount = 0
    /// How many requests were added, those included that took an old one's place.
    public internal(set) var addedCount = 0
    /// How many requests were taken back.
    public internal(set) var removedCount = 0
    /// What the system said to requests that it refused, and what could not be read, in words.
    public internal(set) var problems: [String] = []

    /// The entry of a key; nil when it is not scheduled.
    public subscript(key: String) -> Entry? { entries.first { $0.key == key } }

    /// Why a key is not scheduled; nil when it is, or has ended, or is none.
    public func reason(for key: String) -> Reason? { leftOut.first { $0.key == key }?.reason }
}
