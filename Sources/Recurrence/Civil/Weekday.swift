/// A day of the week.
public enum Weekday: Int, CaseIterable, Hashable, Comparable, Sendable {
    /// The first day of the week in ISO 8601.
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday
    /// The last day of the week in ISO 8601.
    case sunday

    /// The number in ISO 8601: Monday is 1, Sunday is 7.
    public var isoNumber: Int { rawValue }

    /// The number in Apple's `DateComponents`: Sunday is 1, Saturday is 7.
    public var appleNumber: Int { rawValue % 7 + 1 }

    /// Makes a weekday of Apple's number; nil unless it is 1...7.
    public init?(appleNumber: Int) {
        guard (1...7).contains(appleNumber) else { return nil }
        self.init(rawValue: appleNumber == 1 ? 7 : appleNumber - 1)
    }

    /// The two letters of RFC 5545: `MO`.
    public var code: String { Self.codes[rawValue - 1] }

    /// Makes a weekday of the two letters of RFC 5545, upper or lower case.
    public init?(code: some StringProtocol) {
        guard let index = Self.codes.firstIndex(of: code.uppercased()) else { return nil }
        self.init(rawValue: index + 1)
    }

    /// The English name: `Monday`.
    public var name: String { Self.names[rawValue - 1] }

    /// Makes a weekday of an English name or its first three letters, upper or lower case.
    public init?(name: some StringProtocol) {
        let wanted = name.lowercased()
        guard
            let index = Self.names.firstIndex(where: {
                $0.lowercased() == wanted || $0.lowercased().prefix(3) == wanted
            })
        else { return nil }
        self.init(rawValue: index + 1)
    }

    /// Whether one weekday is before another in a week that begins on Monday.
    public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }

    private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    private static let names = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
}

extension CivilDate {
    /// The day of the week.
    public var weekday: Weekday { Weekday(rawValue: weekdayIndex + 1) ?? .monday }

    /// 0 for Monday to 6 for Sunday.
    var weekdayIndex: Int { CivilDate.weekdayIndex(ofDay: daysSince1970) }

    /// 0 for Monday to 6 for Sunday; 1970 began on a Thursday.
    static func weekdayIndex(ofDay day: Int) -> Int { (day + 3).modulo(7) }
}
