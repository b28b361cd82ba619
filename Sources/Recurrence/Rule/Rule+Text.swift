extension Rule: CustomStringConvertible {
    /// RFC 5545's text, parts always in the same order and defaults left out.
    public var text: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if let count { parts.append("COUNT=\(count)") }
        if let until { parts.append("UNTIL=\(until.compactText)") }
        func append(_ name: String, _ values: [some CustomStringConvertible]) {
            guard !values.isEmpty else { return }
            parts.append("\(name)=\(values.map(\.description).joined(separator: ","))")
        }
        append("BYMONTH", months)
        append("BYMONTHDAY", monthDays)
        append("BYDAY", weekdays)
        append("BYHOUR", hours)
        append("BYMINUTE", minutes)
        append("BYSECOND", seconds)
        append("BYSETPOS", setPositions)
        if let window { parts.append("X-WINDOW=\(window)") }
        if weekStart != .monday { parts.append("WKST=\(weekStart.code)") }
        return parts.joined(separator: ";")
    }

    /// The same as `text`.
    public var description: String { text }

    /// Reads RFC 5545's text, with or without `RRULE:` before it, in upper or lower case, parts in any order.
    ///
    /// - Throws: `RecurrenceError` with the part, what was found and what is allowed.
    public init(_ text: String) throws(RecurrenceError) {
        try self.init(parts: RuleParts(text))
    }

    private init(parts: RuleParts) throws(RecurrenceError) {
        guard let name = parts["FREQ"] else {
            throw RecurrenceError(
                code: .missingPart, field: "FREQ",
                message: "FREQ: missing; allowed: \(RuleParts.frequencies)")
        }
        guard let frequency = Frequency(rawValue: name.uppercased()) else {
            throw RecurrenceError(
                name.uppercased() == "SECONDLY" ? .unsupported : .invalidValue, "FREQ", found: name,
                allowed: RuleParts.frequencies)
        }
        var window: DayWindow?
        if let value = parts["X-WINDOW"] { window = try DayWindow(text: value) }
        try self.init(
            frequency, interval: parts.number("INTERVAL") ?? 1, count: parts.number("COUNT"),
            until: parts.until(), months: parts.numbers("BYMONTH"), monthDays: parts.numbers("BYMONTHDAY"),
            weekdays: parts.weekdays(), hours: parts.numbers("BYHOUR"), minutes: parts.numbers("BYMINUTE"),
            seconds: parts.numbers("BYSECOND"), setPositions: parts.numbers("BYSETPOS"),
            weekStart: parts.weekStart(), window: window)
    }
}
