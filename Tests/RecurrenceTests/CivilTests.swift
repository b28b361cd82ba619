internal import Recurrence
internal import Testing

struct CivilTests {
    @Test func `a civil time is written and read without an offset`() throws {
        let time = try #require(CivilDateTime(year: 2027, month: 3, day: 12, hour: 9, minute: 5))
        #expect(time.iso8601 == "2027-03-12T09:05:00")
        #expect(CivilDateTime(iso8601: time.iso8601) == time)
        #expect(CivilDateTime(iso8601: "2027-03-12T09:05") == time)
        #expect(time.date.weekday == .friday)
        let early = try #require(CivilDateTime(iso8601: "1969-12-31T23:59:59"))
        #expect(early.date.iso8601 == "1969-12-31" && early.time.description == "23:59:59")
    }

    @Test(arguments: [
        "", "2027-03-12", "2027-03-12T09:00:00Z", "2027-03-12T24:00", "2027-02-29T09:00", "2027-03-12T9:00",
        "2027-03-12T09:00:60",
    ])
    func `a text that is no civil time is refused`(_ text: String) {
        #expect(CivilDateTime(iso8601: text) == nil)
    }

    @Test(arguments: ["9:00", "09.00", "24:00", "09:60", "09:00:61", "09:00 ", "", "9am", "09:00:"])
    func `a text that is no time of day is refused`(_ text: String) {
        #expect(TimeOfDay(text) == nil)
    }

    @Test func `weekdays have the numbers of ISO 8601 and of Apple, and no others`() {
        #expect(Weekday.sunday.isoNumber == 7 && Weekday.sunday.appleNumber == 1)
        #expect(Weekday(appleNumber: 2) == .monday && Weekday(appleNumber: 1) == .sunday)
        #expect(
            Weekday(appleNumber: 0) == nil && Weekday(appleNumber: 8) == nil && Weekday(rawValue: 0) == nil)
        for weekday in Weekday.allCases {
            #expect(Weekday(code: weekday.code) == weekday && Weekday(name: weekday.name) == weekday)
            #expect(Weekday(appleNumber: weekday.appleNumber) == weekday)
        }
        #expect(Weekday(name: "m") == nil && Weekday(name: "mond") == nil)
    }

    @Test func `every day of 800 years follows the one before it`() throws {
        var day = try #require(CivilDate(year: 1600, month: 1, day: 1))
        var (year, month, dayOfMonth) = day.components
        for _ in 0..<292_194 {
            day.daysSince1970 += 1
            dayOfMonth += 1
            if dayOfMonth > CivilDate.dayCount(ofMonth: month, year: year) {
                (month, dayOfMonth) = (month + 1, 1)
            }
            if month > 12 { (year, month) = (year + 1, 1) }
            let found = day.components
            guard found == (year, month, dayOfMonth),
                CivilDate(year: year, month: month, day: dayOfMonth) == day
            else {
                Issue.record("\(found)")
                return
            }
        }
        #expect(year == 2400)
    }
}
