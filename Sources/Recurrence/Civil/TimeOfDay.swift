/// A time on a clock's face, to the second, without a day and without a zone.
public struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since the face showed 00:00:00; 0..<86,400.
    public let secondsSinceMidnight: Int

    /// 00:00:00.
    public static let midnight = TimeOfDay(unchecked: 0)

    /// Makes a time; nil unless hour is 0...23, minute and second 0...59.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        self.init(unchecked: hour * 3600 + minute * 60 + second)
    }

    /// Makes a time of seconds since midnight; nil unless 0..<86,400.
    public init?(secondsSinceMidnight: Int) {
        guard (0..<86_400).contains(secondsSinceMidnight) else { return nil }
        self.init(unchecked: secondsSinceMidnight)
    }

    init(unchecked secondsSinceMidnight: Int) {
        self.secondsSinceMidnight = secondsSinceMidnight
    }

    /// Reads `09:00` or `09:00:00`, always 24 hours and two digits; nil for any other text.
    public init?(_ text: String) {
        var reader = DigitReader(text)
        guard let time = reader.time(), reader.isAtEnd else { return nil }
        self = time
    }

    /// 0...23.
    public var hour: Int { secondsSinceMidnight / 3600 }
    /// 0...59.
    public var minute: Int { secondsSinceMidnight / 60 % 60 }
    /// 0...59.
    public var second: Int { secondsSinceMidnight % 60 }

    /// `09:00`, with the seconds only where they are not 0.
    public var description: String {
        var writer = DigitWriter()
        writer.write(self)
        return second == 0 ? String(writer.text.prefix(5)) : writer.text
    }

    /// Whether one time is before another on the same day.
    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
        left.secondsSinceMidnight < right.secondsSinceMidnight
    }
}
