/// The parts of a rule's text by name, and how their values are read.
struct RuleParts {
    static let frequencies = Frequency.allCases.map(\.rawValue).joined(separator: ", ")
    private static let known: Set = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE",
        "BYSECOND", "BYSETPOS", "WKST", "X-WINDOW",
    ]
    private static let unsupported: Set = ["BYWEEKNO", "BYYEARDAY"]

    private var values: [String: Substring] = [:]

    init(_ text: String) throws(RecurrenceError) {
        guard text.utf8.count <= RecurrenceLimits.ruleTextByteCountMax else {
            throw RecurrenceError(
                code: .tooLong, field: "rule",
                message: "rule: \(text.utf8.count) bytes; allowed: \(RecurrenceLimits.ruleTextByteCountMax)")
        }
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        if rest.prefix(6).uppercased() == "RRULE:" { rest = rest.dropFirst(6) }
        // Calendars in the wild end a rule with a semicolon.
        if rest.last == ";" { rest.removeLast() }
        guard !rest.isEmpty else {
            throw RecurrenceError(
                code: .missingPart, field: "rule",
                message: "rule: empty; allowed: parts such as FREQ=DAILY;BYHOUR=9;BYMINUTE=0")
        }
        for part in rest.split(separator: ";", omittingEmptySubsequences: false) { try add(part) }
    }

    private mutating func add(_ part: Substring) throws(RecurrenceError) {
        guard let equals = part.firstIndex(of: "=") else {
            throw RecurrenceError("rule", found: part, allowed: "parts such as FREQ=DAILY, divided by ';'")
        }
        let name = part[..<equals].uppercased()
        let value = part[part.index(after: equals)...]
        guard Self.known.contains(name) else {
            let isUnsupported = Self.unsupported.contains(name)
            throw RecurrenceError(
                isUnsupported ? .unsupported : .unknownPart, "rule", found: name,
                allowed: Self.known.sorted().joined(separator: ", "))
        }
        guard !value.isEmpty else { throw RecurrenceError(name, found: "", allowed: "a value") }
        guard values.updateValue(value, forKey: name) == nil else {
            throw RecurrenceError(
                code: .repeatedPart, field: name, message: "\(name): given twice; allowed: once")
        }
    }

    subscript(name: String) -> Substring? { values[name] }

    func number(_ name: String) throws(RecurrenceError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Self.number(text, isSigned: false) else {
            throw RecurrenceError(name, found: text, allowed: "a whole number of 1 or more")
        }
        return number
    }

    func numbers(_ name: String) throws(RecurrenceError) -> [Int] {
        let texts = try list(name)
        var numbers: [Int] = []
        for text in texts {
            guard let number = Self.number(text, isSigned: true) else {
                throw RecurrenceError(name, found: text, allowed: "whole numbers divided by ','")
            }
            numbers.append(number)
        }
        return numbers
    }

    func weekdays() throws(RecurrenceError) -> [WeekdayOrdinal] {
        let texts = try list("BYDAY")
        var weekdays: [WeekdayOrdinal] = []
        for text in texts {
            let number = text.dropLast(2)
            let ordinal = number.isEmpty ? nil : Self.number(number, isSigned: true)
            guard let weekday = Weekday(code: text.suffix(2)), number.isEmpty || ordinal != nil else {
                throw RecurrenceError(
                    "BYDAY", found: text,
                    allowed: "MO, TU, WE, TH, FR, SA, SU, with an ordinal such as 2TU or -1FR")
            }
            weekdays.append(WeekdayOrdinal(weekday, ordinal: ordinal))
        }
        return weekdays
    }

    func until() throws(RecurrenceError) -> Moment? {
        guard let text = values["UNTIL"] else { return nil }
        guard let until = Moment(compact: text) else {
            throw RecurrenceError(
                "UNTIL", found: text, allowed: "20270312T140000Z (UTC), 20270312T090000 (local) or 20270312")
        }
        return until
    }

    func weekStart() throws(RecurrenceError) -> Weekday {
        guard let text = values["WKST"] else { return .monday }
        guard let weekday = Weekday(code: text) else {
            throw RecurrenceError("WKST", found: text, allowed: "MO, TU, WE, TH, FR, SA, SU")
        }
        return weekday
    }

    private func list(_ name: String) throws(RecurrenceError) -> [Substring] {
        guard let texts = values[name]?.split(separator: ",", omittingEmptySubsequences: false) else {
            return []
        }
        guard texts.count <= RecurrenceLimits.listCountMax else {
            throw RecurrenceError(
                code: .tooLong, field: name,
                message: "\(name): \(texts.count) values; allowed: \(RecurrenceLimits.listCountMax)")
        }
        return texts
    }

    /// A number of at most 9 digits; RFC 5545 allows a plus sign where it allows a minus sign.
    private static func number(_ text: some StringProtocol, isSigned: Bool) -> Int? {
        let isSign = text.utf8.first == 0x2d || text.utf8.first == 0x2b
        guard text.utf8.count <= 10, isSigned || !isSign else { return nil }
        return Int(text)
    }
}
