/// Times of a day at a fixed distance from each other: every 2 hours from 22:00 to 06:00.
///
/// It is this library's addition to RFC 5545, whose BYHOUR and BYMINUTE cannot say "every 90 minutes from 08:00".
/// The times are those of the wall clock and begin anew each day, so no change of the clocks moves them. A window
/// whose end is before its start goes on after midnight and belongs to the day on which it starts.
public struct DayWindow: Hashable, Sendable, CustomStringConvertible {
    /// The first time.
    public let start: TimeOfDay
    /// The last possible time, included when the steps meet it.
    public let end: TimeOfDay
    /// Minutes from one time to the next; 1...1440.
    public let stepMinutes: Int

    /// Makes a window; one that ends when it starts has one time.
    ///
    /// - Throws: `invalidValue` when the step is not 1...1440 minutes.
    public init(
        from start: TimeOfDay, to end: TimeOfDay, everyMinutes stepMinutes: Int
    ) throws(RecurrenceError) {
        guard (1...1440).contains(stepMinutes) else {
            throw RecurrenceError("window step", found: "\(stepMinutes)", allowed: "1 to 1440 minutes")
        }
        self.start = start
        self.end = end
        self.stepMinutes = stepMinutes
    }

    /// How many times a day it has.
    public var timeCount: Int {
        (end.secondsSinceMidnight - start.secondsSinceMidnight).modulo(86_400) / (stepMinutes * 60) + 1
    }

    /// Reads the value of X-WINDOW: `2200-0600/120`.
    init(text: some StringProtocol) throws(RecurrenceError) {
        let error = RecurrenceError(
            "X-WINDOW", found: text, allowed: "start, end and minutes such as 2200-0600/120")
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].utf8.count <= 4, let minutes = Int(halves[1]) else { throw error }
        let times = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard times.count == 2, let start = Self.time(times[0]), let end = Self.time(times[1]) else {
            throw error
        }
        try self.init(from: start, to: end, everyMinutes: minutes)
    }

    private static func time(_ text: some StringProtocol) -> TimeOfDay? {
        var reader = DigitReader(text.utf8.count == 4 ? text + "00" : String(text))
        guard let time = reader.time(isCompact: true), reader.isAtEnd else { return nil }
        return time
    }

    /// The value of X-WINDOW.
    public var description: String {
        let times = [start, end].map { $0.description.filter { $0 != ":" } }
        return "\(times[0])-\(times[1])/\(stepMinutes)"
    }
}
