/// Reads numbers of a fixed width and single characters from the front of a text.
struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
            rest.removeFirst()
        }
        return value
    }

    /// Any number of digits after a point, of which the first three count.
    mutating func fractionInMilliseconds() -> Int? {
        var value = 0
        var count = 0
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            if count < 3 { value = value * 10 + Int(byte - 0x30) }
            count += 1
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }

    /// `2027-03-12`, or `20270312` where the compact form is asked for.
    mutating func date(isCompact: Bool = false) -> CivilDate? {
        guard let year = number(digits: 4), isCompact || skip(0x2d), let month = number(digits: 2),
            isCompact || skip(0x2d), let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// `09:00` or `09:00:00`, or `090000` where the compact form is asked for.
    mutating func time(isCompact: Bool = false) -> TimeOfDay? {
        guard let hour = number(digits: 2), isCompact || skip(0x3a), let minute = number(digits: 2) else {
            return nil
        }
        var second = 0
        if isCompact || skip(0x3a) {
            guard let number = number(digits: 2) else { return nil }
            second = number
        }
        return TimeOfDay(hour: hour, minute: minute, second: second)
    }
}
