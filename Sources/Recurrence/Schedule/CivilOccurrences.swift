/// The civil times of a schedule, in order, worked out one by one.
public struct CivilOccurrences: Sequence, IteratorProtocol, Sendable {
    private let schedule: Schedule
    private var cursor: RuleCursor
    private let first: Int
    /// How many the count still allows; nil without a count.
    private var remaining: Int?

    init(_ schedule: Schedule, from first: Int) {
        self.schedule = schedule
        self.first = first
        remaining = schedule.effectiveCount
        // Counting begins at the start.
        cursor = RuleCursor(schedule.engine, from: remaining == nil ? first : schedule.engine.start)
    }

    /// The next one; nil at the end.
    public mutating func next() -> CivilDateTime? { nextSeconds().map { CivilDateTime(civilSeconds: $0) } }

    mutating func nextSeconds() -> Int? {
        while remaining != 0, let time = cursor.next(), time <= schedule.bounds.lastCivil {
            if let remaining { self.remaining = remaining - 1 }
            if time >= first, !schedule.isExcluded(civilSeconds: time) { return time }
        }
        remaining = 0
        return nil
    }
}
