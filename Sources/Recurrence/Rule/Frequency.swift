/// The unit that a rule repeats by.
public enum Frequency: String, CaseIterable, Hashable, Sendable {
    /// Every so many years.
    case yearly = "YEARLY"
    /// Every so many months.
    case monthly = "MONTHLY"
    /// Every so many weeks.
    case weekly = "WEEKLY"
    /// Every so many days.
    case daily = "DAILY"
    /// Every so many hours of the wall clock; see ``Schedule`` for what daylight saving time does to it.
    case hourly = "HOURLY"
    /// Every so many minutes of the wall clock.
    case minutely = "MINUTELY"

    /// Whether it repeats within a day.
    var isSubdaily: Bool { self == .hourly || self == .minutely }
    /// The length of the unit within a day, in seconds; a day for all longer ones.
    var slotSeconds: Int {
        switch self {
        case .hourly: 3600
        case .minutely: 60
        default: 86_400
        }
    }
}
