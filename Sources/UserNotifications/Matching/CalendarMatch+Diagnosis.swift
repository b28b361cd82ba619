extension CalendarMatch {
    /// Why these parts never come, in words; nil when nothing is wrong with a single one of them.
    package var diagnosis: String? {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("quarter", quarter, 1...4), ("month", month, 1...12), ("weekOfMonth", weekOfMonth, 0...6),
            ("weekOfYear", weekOfYear, 1...53), ("weekday", weekday, 1...7),
            ("weekdayOrdinal", weekdayOrdinal, 1...5), ("day", day, 1...31),
            ("dayOfYear", dayOfYear, 1...366),
            ("hour", hour, 0...23), ("minute", minute, 0...59), ("second", second, 0...59),
        ]
        for (name, value, range) in ranges {
            if let value, !range.contains(value) {
                return "\(name): found \(value), allowed: \(range.lowerBound) to \(range.upperBound)"
                    + (name == "quarter" && value == 0
                        ? "; dateComponents(in:from:) fills in a quarter of 0: set only the parts that you mean"
                        : "")
            }
        }
        if calendar == .other { return "calendar: found one that is no variant of the Gregorian calendar" }
        if isLeapMonth == true { return "isLeapMonth: found true, allowed: false" }
        return nil
    }
}
