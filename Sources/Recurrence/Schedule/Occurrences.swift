/// The occurrences of a schedule in one zone, in order of their instants, worked out one by one.
///
/// Civil times come in order, instants need not: a time that clocks jump over fires after times that are later on the
/// wall (02:30 at 03:30), and a second showing after times that the wall showed in between. Such occurrences wait
/// until no civil time that is still to come can fire before them.
public struct Occurrences: Sequence, IteratorProtocol, Sendable {
    private let schedule: Schedule
    private let zone: Zone
    private let end: Instant?
    private var times: CivilOccurrences
    /// Nothing up to this instant is given out: where to begin, then what was given out last.
    private var last: Instant?
    /// Sorted by instant; empty but around transitions.
    private var waiting: [Occurrence] = []
    private var isEnded = false
    /// A civil time that was taken to see whether it comes first.
    private var lookedAt: Int?

    /// Civil times are nearer than this to any instant they may have; no clocks ever jumped further than a day.
    private static let reach = 25 * 3600

    init(_ schedule: Schedule, after instant: Instant?, zone: Zone, end: Instant? = nil) {
        self.schedule = schedule
        self.zone = zone
        self.end = end
        last = instant
        guard let instant else {
            times = CivilOccurrences(schedule, from: schedule.engine.start)
            return
        }
        let seconds = Int(instant.secondsSince1970)
        let civil = seconds + zone.data.offset(at: seconds)
        let isNearTransition = zone.data.hasTransition(within: Self.reach, of: seconds)
        times = CivilOccurrences(schedule, from: isNearTransition ? civil - 2 * Self.reach : civil)
    }

    /// The next one; nil at the end.
    public mutating func next() -> Occurrence? {
        while !isEnded, let occurrence = nextInOrder() {
            if let last, occurrence.instant <= last { continue }
            if let end, occurrence.instant >= end { break }
            last = occurrence.instant
            if schedule.isLetThrough(occurrence) { return occurrence }
            if let until = schedule.bounds.lastInstant, occurrence.instant > until { break }
        }
        isEnded = true
        return nil
    }

    private mutating func nextInOrder() -> Occurrence? {
        while true {
            guard let time = lookedAt ?? times.nextSeconds() else {
                return waiting.isEmpty ? nil : waiting.removeFirst()
            }
            lookedAt = nil
            let civil = CivilDateTime(civilSeconds: time)
            let match = zone.data.match(time)
            // No later civil time fires before this one could.
            if let first = waiting.first, first.instant < earliestInstant(of: time, match) {
                lookedAt = time
                return waiting.removeFirst()
            }
            switch match {
            case .once(let offset):
                let occurrence = Occurrence(civil: civil, offset: offset, note: nil)
                if waiting.isEmpty { return occurrence }
                wait(for: occurrence)
            case .twice(let first, let second):
                if schedule.foldPolicy != .second {
                    wait(for: Occurrence(civil: civil, offset: first, note: .repeated(.first)))
                }
                if schedule.foldPolicy != .first {
                    wait(for: Occurrence(civil: civil, offset: second, note: .repeated(.second)))
                }
            case .skipped:
                if let occurrence = zone.occurrence(of: civil, gap: schedule.gapPolicy) {
                    wait(for: occurrence)
                }
            }
        }
    }

    private func earliestInstant(of time: Int, _ match: ZoneMatch) -> Instant {
        switch match {
        case .once(let offset), .twice(let offset, _): Instant(secondsSince1970: Int64(time - offset))
        case .skipped(let transition, _, _): transition
        }
    }

    private mutating func wait(for occurrence: Occurrence) {
        var position = waiting.count
        while position > 0, waiting[position - 1].instant > occurrence.instant { position -= 1 }
        if position > 0, waiting[position - 1].instant == occurrence.instant {
            // Two civil times on one instant: the one that the clocks show counts.
            if occurrence.isExact { waiting[position - 1] = occurrence }
            return
        }
        waiting.insert(occurrence, at: position)
    }
}
