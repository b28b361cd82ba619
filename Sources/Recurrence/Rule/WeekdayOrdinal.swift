/// A weekday of BYDAY: every one, or the nth one of the month or year.
public struct WeekdayOrdinal: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 2 is the second one, -1 the last one, nil every one.
    public let ordinal: Int?
    /// The day of the week.
    public let weekday: Weekday

    /// Makes a weekday with or without an ordinal; which ordinals are allowed depends on the rule.
    public init(_ weekday: Weekday, ordinal: Int? = nil) {
        self.ordinal = ordinal
        self.weekday = weekday
    }

    /// RFC 5545's text: `MO`, `2TU`, `-1FR`.
    public var description: String { (ordinal.map(String.init) ?? "") + weekday.code }

    /// Every one comes before the first one; then by ordinal and weekday.
    public static func < (left: WeekdayOrdinal, right: WeekdayOrdinal) -> Bool {
        (left.ordinal ?? 0, left.weekday) < (right.ordinal ?? 0, right.weekday)
    }
}
