/// A day and a time as calendar and clock show them, to the second, without a zone.
///
/// It is no point in time: a ``Zone`` makes one of it, or two, or none.
public struct CivilDateTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00 on the same wall, as if every day had 86,400.
    package let civilSeconds: Int

    /// Makes a civil time of a day and a time.
    public init(_ date: CivilDate, _ time: TimeOfDay = .midnight) {
        civilSeconds = date.daysSince1970 * 86_400 + time.secondsSinceMidnight
    }

    /// Makes a civil time of its numbers; nil when month or day does not have them.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard let date = CivilDate(year: year, month: month, day: day),
            let time = TimeOfDay(hour: hour, minute: minute, second: second)
        else { return nil }
        self.init(date, time)
    }

    package init(civilSeconds: Int) {
        self.civilSeconds = civilSeconds
    }

    /// Reads `2027-03-12T09:00:00` or `2027-03-12T09:00`; a text with an offset is no civil time and gives nil.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        guard let date = reader.date(), reader.skip(0x54) || reader.skip(0x74) || reader.skip(0x20),
            let time = reader.time(), reader.isAtEnd
        else { return nil }
        self.init(date, time)
    }

    /// The day.
    public var date: CivilDate { CivilDate(daysSince1970: civilSeconds.floorDivided(by: 86_400)) }

    /// The time.
    public var time: TimeOfDay { TimeOfDay(unchecked: civilSeconds.modulo(86_400)) }

    /// `2027-03-12T09:00:00`.
    public var iso8601: String {
        var writer = DigitWriter()
        writer.write(self.date)
        writer.write("T")
        writer.write(self.time)
        return writer.text
    }

    /// The same as `iso8601`.
    public var description: String { iso8601 }

    /// The civil time so many seconds later on the same wall.
    package func advanced(bySeconds seconds: Int) -> CivilDateTime {
        CivilDateTime(civilSeconds: civilSeconds + seconds)
    }

    /// Whether one civil time is before another.
    public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        left.civilSeconds < right.civilSeconds
    }
}
