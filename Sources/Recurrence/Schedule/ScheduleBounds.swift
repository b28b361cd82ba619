/// Start and ends of a schedule, each in the form in which it is compared.
struct ScheduleBounds: Hashable, Sendable {
    /// Nothing fires before it.
    private(set) var startInstant: Instant?
    /// Nothing fires after it.
    private(set) var lastInstant: Instant?
    /// No civil time after it is looked at, in civil seconds.
    private(set) var lastCivil = Int.max

    init(start: Moment, ends: [Moment]) {
        if case .instant(let instant) = start { startInstant = instant }
        for end in ends {
            switch end {
            case .instant(let instant):
                lastInstant = min(lastInstant ?? instant, instant)
                // No wall clock is further ahead of UTC, and gaps are no longer than a day.
                lastCivil = min(
                    lastCivil, Int(instant.secondsSince1970) + ZoneSegments.offsetMax + 86_400)
            case .civil(let civil): lastCivil = min(lastCivil, civil.civilSeconds)
            case .date(let date): lastCivil = min(lastCivil, date.daysSince1970 * 86_400 + 86_399)
            }
        }
    }

    func contains(_ instant: Instant) -> Bool {
        if let startInstant, instant < startInstant { return false }
        if let lastInstant, instant > lastInstant { return false }
        return true
    }
}
