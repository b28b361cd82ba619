/// The exclusions of a schedule by their form.
struct ScheduleExclusions: Hashable, Sendable {
    private var instants: Set<Int64> = []
    private var civilTimes: Set<Int> = []
    private var days: Set<Int> = []

    init(_ moments: [Moment]) {
        for moment in moments {
            switch moment {
            case .instant(let instant): instants.insert(instant.secondsSince1970)
            case .civil(let civil): civilTimes.insert(civil.civilSeconds)
            case .date(let date): days.insert(date.daysSince1970)
            }
        }
    }

    func contains(civilSeconds: Int) -> Bool {
        if !civilTimes.isEmpty, civilTimes.contains(civilSeconds) { return true }
        return !days.isEmpty && days.contains(civilSeconds.floorDivided(by: 86_400))
    }

    func contains(_ instant: Instant) -> Bool {
        !instants.isEmpty && instants.contains(instant.secondsSince1970)
    }
}
