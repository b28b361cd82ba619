/// When something repeats: a recurrence rule of RFC 5545 (section 3.3.10), without start and zone.
///
/// All parts but BYWEEKNO, BYYEARDAY and FREQ=SECONDLY, and the addition ``DayWindow``. Lists are kept sorted and
/// without duplicates, so that equal rules are equal and have one text. A rule is checked when it is made.
public struct Rule: Hashable, Sendable {
    /// FREQ.
    public let frequency: Frequency
    /// INTERVAL: every so many units; 1 or more.
    public let interval: Int
    /// COUNT: how many civil times the rule has, excluded ones included.
    public let count: Int?
    /// UNTIL: the last possible moment, included; a date means its whole day.
    public let until: Moment?
    /// BYMONTH: 1...12.
    public let months: [Int]
    /// BYMONTHDAY: 1...31, or -31...-1 from the end of the month.
    public let monthDays: [Int]
    /// BYDAY.
    public let weekdays: [WeekdayOrdinal]
    /// BYHOUR: 0...23.
    public let hours: [Int]
    /// BYMINUTE: 0...59.
    public let minutes: [Int]
    /// BYSECOND: 0...59.
    public let seconds: [Int]
    /// BYSETPOS: which of a period's occurrences count, from its start or, negative, from its end.
    public let setPositions: [Int]
    /// WKST: the day that begins a week, for INTERVAL and BYSETPOS of weekly rules.
    public let weekStart: Weekday
    /// Times of each day instead of BYHOUR, BYMINUTE and BYSECOND.
    public let window: DayWindow?

    /// Makes a rule.
    ///
    /// - Throws: `RecurrenceError`, which names the part in RFC 5545's words.
    public init(
        _ frequency: Frequency, interval: Int = 1, count: Int? = nil, until: Moment? = nil,
        months: [Int] = [],
        monthDays: [Int] = [], weekdays: [WeekdayOrdinal] = [], hours: [Int] = [], minutes: [Int] = [],
        seconds: [Int] = [], setPositions: [Int] = [], weekStart: Weekday = .monday, window: DayWindow? = nil
    ) throws(RecurrenceError) {
        self.frequency = frequency
        self.interval = interval
        self.count = count
        self.until = until
        self.months = try Self.sorted(months, "BYMONTH", allowed: "1 to 12") { (1...12).contains($0) }
        self.monthDays = try Self.sorted(monthDays, "BYMONTHDAY", allowed: "1 to 31 or -31 to -1") {
            $0 != 0 && (-31...31).contains($0)
        }
        self.hours = try Self.sorted(hours, "BYHOUR", allowed: "0 to 23") { (0...23).contains($0) }
        self.minutes = try Self.sorted(minutes, "BYMINUTE", allowed: "0 to 59") { (0...59).contains($0) }
        self.seconds = try Self.sorted(seconds, "BYSECOND", allowed: "0 to 59") { (0...59).contains($0) }
        self.setPositions = try Self.sorted(setPositions, "BYSETPOS", allowed: "1 to 366 or -366 to -1") {
            $0 != 0 && (-366...366).contains($0)
        }
        self.weekStart = weekStart
        self.window = window
        let ordinalMax = frequency == .yearly && months.isEmpty ? 53 : 5
        self.weekdays = try Self.sorted(
            weekdays, "BYDAY", allowed: "an ordinal of 1 to \(ordinalMax) or -\(ordinalMax) to -1"
        ) { $0.ordinal.map { $0 != 0 && abs($0) <= ordinalMax } ?? true }
        try check()
    }

    private static func sorted<Value: Hashable & Comparable>(
        _ values: [Value], _ part: String, allowed: String, _ isAllowed: (Value) -> Bool
    ) throws(RecurrenceError) -> [Value] {
        if let wrong = values.first(where: { !isAllowed($0) }) {
            throw RecurrenceError(part, found: "\(wrong)", allowed: allowed)
        }
        return values.count > 1 ? Set(values).sorted() : values
    }

    /// The rules between parts.
    private func check() throws(RecurrenceError) {
        guard (1...RecurrenceLimits.intervalMax).contains(interval) else {
            throw RecurrenceError(
                "INTERVAL", found: "\(interval)", allowed: "1 to \(RecurrenceLimits.intervalMax)")
        }
        if let count { try Self.check(count: count, "COUNT") }
        if count != nil, until != nil {
            throw Self.contradiction("UNTIL", "stands beside COUNT; a rule may have one of the two")
        }
        if frequency != .monthly, frequency != .yearly,
            let weekday = weekdays.first(where: { $0.ordinal != nil })
        {
            throw Self.contradiction(
                "BYDAY",
                "found '\(weekday)' in a \(frequency.rawValue) rule; an ordinal needs FREQ=MONTHLY or YEARLY")
        }
        if frequency == .weekly, !monthDays.isEmpty {
            throw Self.contradiction("BYMONTHDAY", "may not stand in a WEEKLY rule (RFC 5545)")
        }
        if !setPositions.isEmpty, months.isEmpty, monthDays.isEmpty, weekdays.isEmpty, hours.isEmpty,
            minutes.isEmpty, seconds.isEmpty, window == nil
        {
            throw Self.contradiction("BYSETPOS", "needs another BY part to choose from")
        }
        guard window != nil else { return }
        if frequency.isSubdaily {
            throw Self.contradiction("X-WINDOW", "may not stand in a rule that repeats within a day")
        }
        if !hours.isEmpty || !minutes.isEmpty || !seconds.isEmpty {
            throw Self.contradiction("X-WINDOW", "may not stand beside BYHOUR, BYMINUTE or BYSECOND")
        }
    }

    static func check(count: Int, _ field: String) throws(RecurrenceError) {
        guard (1...RecurrenceLimits.countMax).contains(count) else {
            throw RecurrenceError(field, found: "\(count)", allowed: "1 to \(RecurrenceLimits.countMax)")
        }
    }

    private static func contradiction(_ part: String, _ sentence: String) -> RecurrenceError {
        RecurrenceError(code: .contradiction, field: part, message: "\(part): \(sentence)")
    }
}
