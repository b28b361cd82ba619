internal import Recurrence

/// A part of a push's audience with a time of its own.
struct PushSegment: Hashable, Sendable {
    enum Kind: String, Sendable {
        /// All of it.
        case everybody
        /// The installations in one zone.
        case zone
        /// Those that changed zones while the push went around the world, and were in none of the others.
        case moved
    }

    var kind: Kind
    /// Of a `zone`: its name as stored; nil for installations without one.
    var timeZone: String?
    var dueAt: Instant

    init(kind: Kind, timeZone: String? = nil, dueAt: Instant) {
        self.kind = kind
        self.timeZone = timeZone
        self.dueAt = dueAt
    }

    /// One segment for each zone; and after each time that some zone is due, one for those that moved.
    ///
    /// Installations without a zone, or with one nobody knows, are on UTC's clock. Who moves to where the time has
    /// passed is found as long as the push may be late, which is when the segment for those that moved is due.
    static func segments(of civil: CivilDateTime, zones: [String?], lateSeconds: Int64) -> [PushSegment] {
        let segments = zones.map { name in
            PushSegment(kind: .zone, timeZone: name, dueAt: instant(of: civil, zone: name))
        }
        let moved = Set(segments.map(\.dueAt)).sorted().map { dueAt in
            PushSegment(kind: .moved, dueAt: dueAt.advanced(bySeconds: lateSeconds))
        }
        return segments + moved
    }

    /// When the clocks of a zone show a time.
    static func instant(of civil: CivilDateTime, zone name: String?) -> Instant {
        let zone: Zone
        do {
            zone = try name.map { text throws(RecurrenceError) in try Zone(text) } ?? .utc
        } catch {
            zone = .utc
        }
        return zone.occurrence(of: civil)?.instant ?? PushTiming(local: civil).dueAt
    }
}
