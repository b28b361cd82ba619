/// Takes a reminder's line apart, word by word.
struct ReminderReader {
    private enum Unit: String, CaseIterable {
        case minute, hour, day, week, month, year

        var frequency: Frequency {
            switch self {
            case .minute: .minutely
            case .hour: .hourly
            case .day: .daily
            case .week: .weekly
            case .month: .monthly
            case .year: .yearly
            }
        }
    }

    private static let beginnings =
        "daily, weekly, monthly, yearly, or every N minutes, hours, days, weeks, months, years"
    private static let ordinals = ["1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "last": -1]

    private var words: ArraySlice<String>
    /// What follows `at`, `on`, `from` and `to`.
    private var clauses: [String: [String]] = [:]

    init(_ text: String) {
        // "mon, wed" and "mon,wed" are the same.
        let separated = text.lowercased().split { $0 == "," || $0.isWhitespace }
        words = separated.map(String.init)[...]
    }

    mutating func rule() throws(RecurrenceError) -> Rule {
        let (frequency, interval) = try beginning()
        try readClauses()
        if clauses["from"] != nil || clauses["to"] != nil { return try window(frequency, interval) }
        if frequency.isSubdaily {
            if let at = clauses["at"] {
                throw RecurrenceError(
                    "at", found: at.joined(separator: ","), allowed: "only with days or longer")
            }
            // Full hours, and minutes that are counted from a full hour.
            return try Rule(
                frequency, interval: interval, weekdays: weekdays(clauses["on"]),
                minutes: frequency == .hourly ? [0] : [], seconds: [0])
        }
        let times = try times()
        switch frequency {
        case .weekly, .daily:
            let days = try weekdays(clauses["on"])
            guard frequency == .daily || !days.isEmpty else {
                throw Self.missing("on", "weekdays such as mon,wed")
            }
            return try Rule(frequency, interval: interval, weekdays: days, at: times)
        case .monthly:
            let (days, weekdays) = try monthDays()
            return try Rule(.monthly, interval: interval, monthDays: days, weekdays: weekdays, at: times)
        default:
            let (month, day) = try monthAndDay()
            return try Rule(.yearly, interval: interval, months: [month], monthDays: [day], at: times)
        }
    }

    private mutating func beginning() throws(RecurrenceError) -> (Frequency, Int) {
        let first = words.popFirst() ?? ""
        switch first {
        case "daily": return (.daily, 1)
        case "weekly": return (.weekly, 1)
        case "monthly": return (.monthly, 1)
        case "yearly": return (.yearly, 1)
        case "every": break
        default: throw RecurrenceError("reminder", found: first, allowed: Self.beginnings)
        }
        var interval = 1
        if let word = words.first, word.utf8.first.map({ (0x30...0x39).contains($0) }) == true {
            words.removeFirst()
            guard word.utf8.count <= 7, let number = Int(word) else {
                throw RecurrenceError("every", found: word, allowed: "a whole number of 1 or more")
            }
            interval = number
        }
        let word = words.popFirst() ?? ""
        let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
        guard let unit = Unit(rawValue: singular) else {
            let units = Unit.allCases.map { $0.rawValue + "s" }.joined(separator: ", ")
            throw RecurrenceError("every", found: word, allowed: "a number and \(units)")
        }
        return (unit.frequency, interval)
    }

    private mutating func readClauses() throws(RecurrenceError) {
        while let name = words.popFirst() {
            guard ["at", "on", "from", "to"].contains(name) else {
                throw RecurrenceError("reminder", found: name, allowed: "at, on, from or to at this place")
            }
            let values = words.prefix { !["at", "on", "from", "to"].contains($0) }
            words = words.dropFirst(values.count)
            guard !values.isEmpty else { throw Self.missing(name, "a value after it") }
            guard clauses.updateValue(Array(values), forKey: name) == nil else {
                throw RecurrenceError(
                    code: .repeatedPart, field: name, message: "\(name): given twice; allowed: once")
            }
        }
    }

    private func window(_ frequency: Frequency, _ interval: Int) throws(RecurrenceError) -> Rule {
        guard frequency.isSubdaily, clauses["at"] == nil else {
            throw RecurrenceError(
                "from", found: clauses["from"]?.first ?? "",
                allowed: "only with every N minutes or hours, without at")
        }
        let start = try time("from")
        let end = try time("to")
        let window = try DayWindow(
            from: start, to: end, everyMinutes: frequency == .hourly ? interval * 60 : interval)
        return try Rule(.daily, weekdays: weekdays(clauses["on"]), window: window)
    }

    private func time(_ clause: String) throws(RecurrenceError) -> TimeOfDay {
        guard let words = clauses[clause] else { throw Self.missing(clause, "a time such as 08:00") }
        guard words.count == 1, let time = TimeOfDay(words[0]) else {
            throw RecurrenceError(
                clause, found: words.joined(separator: ","), allowed: "a time such as 08:00")
        }
        return time
    }

    private func times() throws(RecurrenceError) -> [TimeOfDay] {
        guard let words = clauses["at"] else { throw Self.missing("at", "a time such as 09:00") }
        var times: [TimeOfDay] = []
        for word in words {
            guard let time = TimeOfDay(word) else {
                throw RecurrenceError("at", found: word, allowed: "a time such as 09:00")
            }
            times.append(time)
        }
        return times
    }

    /// `mon`, `mon wed`, `mon-fri`, `fri-mon`.
    private func weekdays(_ words: [String]?) throws(RecurrenceError) -> [WeekdayOrdinal] {
        var weekdays: [WeekdayOrdinal] = []
        for word in words ?? [] {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let first = Weekday(name: ends[0]),
                let last = Weekday(name: ends[ends.count - 1])
            else { throw RecurrenceError("on", found: word, allowed: "weekdays such as mon, tue or mon-fri") }
            let count = (last.rawValue - first.rawValue).modulo(7)
            for step in 0...count {
                guard let weekday = Weekday(rawValue: (first.rawValue - 1 + step) % 7 + 1) else { continue }
                weekdays.append(WeekdayOrdinal(weekday))
            }
        }
        return weekdays
    }

    /// `15`, `1 15`, `last`, `2nd tue`, `last fri`.
    private func monthDays() throws(RecurrenceError) -> ([Int], [WeekdayOrdinal]) {
        guard var words = clauses["on"]?[...] else {
            throw Self.missing("on", "a day such as 15, last or 2nd tue")
        }
        var days: [Int] = []
        var weekdays: [WeekdayOrdinal] = []
        while let word = words.popFirst() {
            if let ordinal = Self.ordinals[word], let weekday = words.first.flatMap({ Weekday(name: $0) }) {
                words.removeFirst()
                weekdays.append(WeekdayOrdinal(weekday, ordinal: ordinal))
            } else if word == "last" {
                days.append(-1)
            } else if word.utf8.count <= 2, let day = Int(word), (1...31).contains(day) {
                days.append(day)
            } else {
                throw RecurrenceError(
                    "on", found: word, allowed: "a day such as 15, last, 2nd tue or last fri")
            }
        }
        guard days.isEmpty || weekdays.isEmpty else {
            throw RecurrenceError(
                "on", found: clauses["on"]?.joined(separator: " ") ?? "",
                allowed: "days or weekdays, not both")
        }
        return (days, weekdays)
    }

    /// `02-29`.
    private func monthAndDay() throws(RecurrenceError) -> (Int, Int) {
        guard let words = clauses["on"] else { throw Self.missing("on", "month and day such as 02-29") }
        var reader = DigitReader(words[0])
        guard words.count == 1, let month = reader.number(digits: 2), reader.skip(0x2d),
            let day = reader.number(digits: 2), reader.isAtEnd,
            CivilDate(year: 2000, month: month, day: day) != nil
        else {
            throw RecurrenceError(
                "on", found: words.joined(separator: " "), allowed: "month and day such as 02-29")
        }
        return (month, day)
    }

    private static func missing(_ field: String, _ allowed: String) -> RecurrenceError {
        RecurrenceError(code: .missingPart, field: field, message: "\(field): missing; allowed: \(allowed)")
    }
}
