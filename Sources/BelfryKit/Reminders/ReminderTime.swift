public import Recurrence

/// A time of day as an app has it: a text such as `"09:00"`, hour and minute of a picker, or a `TimeOfDay`.
///
/// It is checked where it is used, by a function that throws; so a literal can stand in a call:
///
///     try ReminderSchedule.daily(at: "09:00")
public struct ReminderTime: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Source: Hashable {
        case time(TimeOfDay)
        case text(String)
        case numbers(hour: Int, minute: Int, second: Int)
    }

    private let source: Source

    /// Makes a time of a checked one.
    public init(_ time: TimeOfDay) {
        source = .time(time)
    }

    /// Makes a time of `09:00` or `09:00:00`, always with 24 hours, whatever the device shows.
    public init(_ text: String) {
        source = .text(text)
    }

    /// Makes a time of its numbers: 0 to 23, 0 to 59, 0 to 59.
    public init(hour: Int, minute: Int, second: Int = 0) {
        source = .numbers(hour: hour, minute: minute, second: second)
    }

    /// Makes a time of a literal, checked later.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The time.
    ///
    /// - Parameter field: what the error calls it.
    /// - Throws: `invalidSchedule` when it is none.
    public func timeOfDay(_ field: String = "time") throws(BelfryKitError) -> TimeOfDay {
        let time: TimeOfDay? =
            switch source {
            case .time(let time): time
            case .text(let text): TimeOfDay(text)
            case .numbers(let hour, let minute, let second):
                TimeOfDay(hour: hour, minute: minute, second: second)
            }
        guard let time else {
            throw BelfryKitError(
                .invalidSchedule, field, found: description, allowed: "00:00 to 23:59:59, such as 09:00")
        }
        return time
    }

    /// The time as it was given.
    public var description: String {
        switch source {
        case .time(let time): time.description
        case .text(let text): text
        case .numbers(let hour, let minute, let second): "\(hour):\(minute):\(second)"
        }
    }
}
