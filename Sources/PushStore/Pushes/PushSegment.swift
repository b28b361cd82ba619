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

    /// One segment for each zone, and one at the end for those that moved.
    ///
    /// Installations without a zone, or with one nobody knows, are on UTC's clock.
    static func segments(of civil: CivilDateTime, zones: [String?]) -> [PushSegment] {
        var segments = zones.map { name in
            PushSegment(kind: .zone, timeZone: name, dueAt: instant(of: civil, zone: name))
        }
        segments.append(PushSegment(kind: .moved, dueAt: PushTiming(local: civil).lastAt))
        return segments
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
