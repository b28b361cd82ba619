public import Recurrence

/// How often an event of one name was reported on one day.
public struct EventCount: Sendable, Hashable {
    /// The day, in UTC.
    public var day: CivilDate
    /// The event's name.
    public var name: String
    /// How often.
    public var count: Int

    /// Makes a count.
    public init(day: CivilDate, name: String, count: Int) {
        self.day = day
        self.name = name
        self.count = count
    }
}
