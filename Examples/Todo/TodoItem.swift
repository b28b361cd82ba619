internal import Recurrence

/// Something to do.
public struct TodoItem: Hashable, Sendable, Codable, Identifiable {
    /// Stays the same when the item is edited.
    public let id: String
    /// What.
    public var title: String
    /// When it is due by the clock on the wall, such as `2027-03-05T14:00`.
    public var due: String
    /// How long before that the user is reminded.
    public var minutesBefore: Int
    /// Whether it is done.
    public var isDone = false

    /// Makes an item that is to be done.
    public init(id: String, title: String, due: String, minutesBefore: Int = 30) {
        self.id = id
        self.title = title
        self.due = due
        self.minutesBefore = minutesBefore
    }

    /// What the clock shows when the user is reminded; nil when `due` is no time.
    var reminderTime: CivilDateTime? {
        guard let due = CivilDateTime(iso8601: due) else { return nil }
        let minutes = due.date.daysSince1970 * 1440 + due.time.secondsSinceMidnight / 60 - minutesBefore
        guard minutes >= 0, let time = TimeOfDay(secondsSinceMidnight: minutes % 1440 * 60) else {
            return nil
        }
        return CivilDateTime(CivilDate(daysSince1970: minutes / 1440), time)
    }

    /// Whether its time is over.
    func isOverdue(at now: Instant, in zone: Zone) -> Bool {
        CivilDateTime(iso8601: due).map { $0 <= zone.civil(at: now) } ?? true
    }
}
