/// The days that a rule lets through, looked up month by month.
struct MonthCursor: Sendable {
    private let days: MonthDays
    private(set) var year = 0
    private(set) var month = 0
    /// The number of the first day of the month that is loaded.
    private(set) var first = 0
    private(set) var length = 0
    private var mask: UInt32 = 0

    init(_ days: MonthDays) {
        self.days = days
    }

    /// Months since the year 0.
    var monthIndex: Int { year * 12 + month - 1 }

    /// Loads the month of a day, which costs nothing when it is loaded.
    mutating func load(_ day: Int) {
        if day >= first, day < first + length { return }
        if length > 0, day == first + length {
            load(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, first: day)
        } else {
            let (year, month, dayOfMonth) = CivilDate(daysSince1970: day).components
            load(year: year, month: month, first: day - dayOfMonth + 1)
        }
    }

    private mutating func load(year: Int, month: Int, first: Int) {
        self.year = year
        self.month = month
        self.first = first
        length = CivilDate.dayCount(ofMonth: month, year: year)
        mask = days.mask(year: year, month: month, first: first, length: length)
    }

    /// The first day at or after one that the rule lets through, in that day's month; nil when there is none.
    mutating func match(from day: Int) -> Int? {
        load(day)
        let rest = mask >> UInt32(day - first)
        return rest == 0 ? nil : day + rest.trailingZeroBitCount
    }
}
