/// A day of the Gregorian calendar in UTC, for messages.
struct CivilDate: CustomStringConvertible {
    let year: Int64
    let month: Int64
    let day: Int64

    init(secondsSince1970: Int64) {
        // Days are counted from 0000-03-01, so that the leap day is the last of its year.
        let days = secondsSince1970.flooredQuotient(86400) + 719_468
        let era = days.flooredQuotient(146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var description: String {
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month))-\(padded(day))"
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self + 1) / divisor - 1
    }
}
