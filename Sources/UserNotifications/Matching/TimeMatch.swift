/// Hour, minute and second as a calendar trigger gives them.
///
/// A part that is not given is 0 below the smallest given one and free above it: minute 30 alone is every half past.
struct TimeMatch: Hashable, Sendable {
    private let hour: Int?
    private let minute: Int?
    private let second: Int

    /// Nil when a part is out of its range.
    init?(_ match: CalendarMatch) {
        guard (match.hour ?? 0) >= 0, (match.hour ?? 0) < 24, (match.minute ?? 0) >= 0,
            (match.minute ?? 0) < 60, (match.second ?? 0) >= 0, (match.second ?? 0) < 60
        else { return nil }
        second = match.second ?? 0
        minute = match.minute ?? (match.second == nil ? 0 : nil)
        hour = match.hour ?? (match.minute == nil && match.second == nil ? 0 : nil)
    }

    /// The first second of a day, at or after another, that matches; nil when the day has none any more.
    func first(from start: Int) -> Int? {
        var time = start
        // At most a step up of the second, one of the minute, and one of the hour.
        if time % 60 > second { time = (time / 60 + 1) * 60 }
        time = time / 60 * 60 + second
        if let minute {
            let found = time / 60 % 60
            if found > minute {
                time = (time / 3600 + 1) * 3600 + minute * 60 + second
            } else if found < minute {
                time = time / 3600 * 3600 + minute * 60 + second
            }
        }
        if let hour {
            let found = time / 3600
            if found > hour { return nil }
            if found < hour { time = hour * 3600 + (minute ?? 0) * 60 + second }
        }
        return time < 86_400 ? time : nil
    }
}
