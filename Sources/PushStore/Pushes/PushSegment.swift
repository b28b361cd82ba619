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

    /// Zones are whole quarters of an hour apart.
    private static let movedSecondsMin: Int64 = 15 * 60
    /// Who moved waits no longer than this for their segment.
    private static let movedSecondsMax: Int64 = 3_600

    /// One segment for each zone; and all around the world, some for those that moved.
    ///
    /// Installations without a zone, or with one nobody knows, are on UTC's clock. Who moves to where the time has
    /// passed, perhaps to where nobody was before, is found as long as the push may be late: segments for those that
    /// moved follow each other so closely that one is due between the time anywhere and the end of its lateness.
    static func segments(of civil: CivilDateTime, zones: [String?], lateSeconds: Int64) -> [PushSegment] {
        let segments = zones.map { name in
            PushSegment(kind: .zone, timeZone: name, dueAt: instant(of: civil, zone: name))
        }
        let world = PushTiming(local: civil)
        let step = min(max(lateSeconds, movedSecondsMin), movedSecondsMax)
        let length = PushTiming.mostAheadSeconds + PushTiming.mostBehindSeconds
        // The last one is not before the last zone's.
        let moved = stride(from: 0, to: length + step, by: Int(step)).map { seconds in
            PushSegment(kind: .moved, dueAt: world.dueAt.advanced(bySeconds: seconds + lateSeconds))
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
