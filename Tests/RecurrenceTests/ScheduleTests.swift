internal import Recurrence
internal import Testing

struct ScheduleTests {
    /// The local times of a rule in a zone, as `2027-03-14T03:30:00-04:00`.
    static func times(
        _ rule: String, _ zone: String = "America/New_York", from: String, start: String? = nil,
        until: String? = nil,
        count: Int? = nil, exclusions: [String] = [], policy: ZonePolicy = .floating,
        gap: GapPolicy = .shiftForward, fold: FoldPolicy = .first, monthEnd: MonthEndPolicy = .skip,
        show: Int
    ) throws -> [String] {
        let zone = try Zone(zone)
        let first = try #require(Instant(iso8601: from))
        let schedule = try Schedule(
            rule: Rule(rule), start: start.flatMap { Moment($0) } ?? .date(zone.civil(at: first).date),
            until: until.map { try #require(Moment($0)) }, count: count,
            exclusions: exclusions.map { try #require(Moment($0)) }, zonePolicy: policy, gapPolicy: gap,
            foldPolicy: fold, monthEndPolicy: monthEnd)
        return schedule.occurrences(after: first, in: zone).prefix(show).map(\.localISO8601)
    }

    @Test func `nine o'clock stays nine o'clock in spring and autumn`() throws {
        for (from, offsets) in [
            ("2027-03-13T00:00:00Z", ["-05:00", "-04:00"]), ("2027-11-06T00:00:00Z", ["-04:00", "-05:00"]),
        ] {
            let times = try Self.times("FREQ=DAILY;BYHOUR=9", from: from, show: 2)
            #expect(times.map { $0.suffix(14) } == offsets.map { "T09:00:00" + $0 }.map { $0.suffix(14) })
        }
    }

    @Test(arguments: [
        (GapPolicy.shiftForward, "2027-03-14T03:30:00-04:00"), (.endOfGap, "2027-03-14T03:00:00-04:00"),
        (.skip, "2027-03-15T02:30:00-04:00"),
    ])
    func `a time that clocks jump over follows the policy`(_ gap: GapPolicy, _ expected: String) throws {
        let times = try Self.times(
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", from: "2027-03-14T00:00:00Z", gap: gap, show: 2)
        #expect(times.contains(expected))
        #expect(times.filter { $0.hasPrefix("2027-03-14") }.count == (gap == .skip ? 0 : 1))
    }

    @Test(arguments: [
        (FoldPolicy.first, ["2027-11-07T01:30:00-04:00"]), (.second, ["2027-11-07T01:30:00-05:00"]),
        (.both, ["2027-11-07T01:30:00-04:00", "2027-11-07T01:30:00-05:00"]),
    ])
    func `a time that comes twice follows the policy`(_ fold: FoldPolicy, _ expected: [String]) throws {
        let times = try Self.times(
            "FREQ=DAILY;BYHOUR=1;BYMINUTE=30", from: "2027-11-07T00:00:00Z", until: "2027-11-07", fold: fold,
            show: 9)
        #expect(times == expected)
    }

    @Test func `both showings of an hour come in the order of instants`() throws {
        let times = try Self.times(
            "FREQ=MINUTELY;INTERVAL=30;BYHOUR=1", from: "2027-11-07T00:00:00Z", until: "2027-11-07",
            fold: .both, show: 9)
        #expect(
            times == [
                "2027-11-07T01:00:00-04:00", "2027-11-07T01:30:00-04:00", "2027-11-07T01:00:00-05:00",
                "2027-11-07T01:30:00-05:00",
            ])
    }

    @Test func `an hourly rule meets every hour that the clock shows, once`() throws {
        let spring = try Self.times("FREQ=HOURLY", from: "2027-03-14T05:30:00Z", show: 3)
        #expect(
            spring == ["2027-03-14T01:00:00-05:00", "2027-03-14T03:00:00-04:00", "2027-03-14T04:00:00-04:00"])
        let autumn = try Self.times("FREQ=HOURLY", from: "2027-11-07T04:30:00Z", show: 2)
        #expect(autumn == ["2027-11-07T01:00:00-04:00", "2027-11-07T02:00:00-05:00"])
        let elapsed = try Self.times("FREQ=HOURLY", from: "2027-11-07T04:30:00Z", policy: .instant, show: 2)
        #expect(elapsed == ["2027-11-07T05:00:00+00:00", "2027-11-07T06:00:00+00:00"])
    }

    @Test func `two civil times on one instant fire once, and the exact one is told`() throws {
        let zone = try Zone("America/New_York")
        let schedule = try Schedule(
            rule: Rule("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30"),
            start: .date(#require(CivilDate(iso8601: "2027-03-14"))),
            until: Moment("2027-03-14"))
        let found = Array(schedule.occurrences(after: nil, in: zone))
        #expect(found.map(\.localISO8601) == ["2027-03-14T03:00:00-04:00", "2027-03-14T03:30:00-04:00"])
        #expect(found.allSatisfy { $0.note == nil })
    }

    @Test(arguments: [
        ("Pacific/Apia", "2011-12-30T09:00", "2011-12-31T09:00:00+14:00"),
        ("Pacific/Kwajalein", "1993-08-21T09:00", "1993-08-22T09:00:00+12:00"),
        ("Australia/Lord_Howe", "2027-10-03T02:15", "2027-10-03T02:45:00+11:00"),
        ("Antarctica/Troll", "2027-03-28T01:30", "2027-03-28T03:30:00+02:00"),
        ("Africa/Cairo", "2026-04-24T00:30", "2026-04-24T01:30:00+03:00"),
        ("America/Nuuk", "2026-03-28T23:30", "2026-03-29T00:30:00-01:00"),
        ("Pacific/Chatham", "2027-09-26T02:50", "2027-09-26T03:50:00+13:45"),
    ])
    func `a skipped time is moved by the length of the gap, in gaps of every kind`(
        _ zone: String, _ civil: String, _ expected: String
    ) throws {
        let time = try #require(CivilDateTime(iso8601: civil))
        let occurrence = try #require(try Zone(zone).occurrence(of: time))
        #expect(occurrence.localISO8601 == expected)
        #expect(occurrence.civil == time)
        #expect(occurrence.note?.description.hasPrefix("skipped") == true)
    }

    @Test func `a day that a zone never had fires with the next one, once`() throws {
        let times = try Self.times(
            "FREQ=DAILY;BYHOUR=9", "Pacific/Apia", from: "2011-12-29T00:00:00Z", show: 3)
        #expect(
            times == ["2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00", "2012-01-01T09:00:00+14:00"])
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=4,6;BYMONTHDAY=31",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30",
            "FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30",
            "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
            "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=MINUTELY;INTERVAL=10080;BYDAY=TU",
            "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=-2",
            "FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1",
            "FREQ=DAILY;INTERVAL=1000000;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
        ])
    func `a rule that never fires ends at once`(_ rule: String) throws {
        // 2027-03-15 is a Monday.
        // A few milliseconds in release builds; a search without a bound would take minutes.
        let times = try Self.times(rule, from: "2027-03-15T12:00:00Z", start: "2027-03-15", show: 1)
        #expect(times == [])
    }

    @Test
    func `a leap day that comes after eight years is found, and a day of the month's end when asked for`()
        throws
    {
        let times = try Self.times(
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "UTC", from: "2096-03-01T00:00:00Z", show: 1)
        #expect(times == ["2104-02-29T00:00:00+00:00"])
        let clamped = try Self.times(
            "FREQ=MONTHLY;BYMONTHDAY=30,31;BYHOUR=9", "UTC", from: "2027-02-01T00:00:00Z", monthEnd: .lastDay,
            show: 3)
        #expect(clamped.map { $0.prefix(10) } == ["2027-02-28", "2027-03-30", "2027-03-31"])
    }

    @Test func `a window goes on after midnight and belongs to its first day`() throws {
        let times = try Self.times(
            "FREQ=DAILY;BYDAY=FR;X-WINDOW=2200-0600/120", "UTC", from: "2027-03-12T12:00:00Z", show: 6)
        #expect(
            times.map { $0.prefix(16) } == [
                "2027-03-12T22:00", "2027-03-13T00:00", "2027-03-13T02:00", "2027-03-13T04:00",
                "2027-03-13T06:00",
                "2027-03-19T22:00",
            ])
    }

    @Test(arguments: [
        ("0800-2000/300", 3), ("0800-2000/120", 7), ("0800-0900/1440", 1), ("0800-0800/60", 1),
        ("0801-0800/1", 1440),
    ])
    func `a window has its end only when the steps meet it`(_ window: String, _ count: Int) throws {
        // 2027-03-12 is the only Friday.
        let times = try Self.times(
            "FREQ=DAILY;BYDAY=FR;X-WINDOW=\(window)", "UTC", from: "2027-03-12T00:00:00Z",
            until: "2027-03-18",
            show: 5000)
        #expect(times.count == count)
        #expect(try Rule("FREQ=DAILY;X-WINDOW=\(window)").window?.timeCount == count)
    }

    @Test func `until is included, in each of its three forms`() throws {
        let from = "2027-03-11T00:00:00Z"
        for until in ["2027-03-13", "2027-03-13T09:00", "2027-03-13T14:00:00Z"] {
            #expect(try Self.times("FREQ=DAILY;BYHOUR=9", from: from, until: until, show: 9).count == 3)
        }
        for until in ["2027-03-12", "2027-03-13T08:59", "2027-03-13T13:59:59Z"] {
            #expect(try Self.times("FREQ=DAILY;BYHOUR=9", from: from, until: until, show: 9).count == 2)
        }
    }

    @Test func `a count is counted from the start, excluded times included`() throws {
        let times = try Self.times(
            "FREQ=DAILY;BYHOUR=9;COUNT=5", "UTC", from: "2027-03-12T00:00:00Z", start: "2027-03-10",
            exclusions: ["2027-03-13", "2027-03-12T09:00"], show: 9)
        #expect(times == ["2027-03-14T09:00:00+00:00"])
        #expect(
            try Self.times("FREQ=DAILY;COUNT=5", "UTC", from: "2027-03-12T00:00:00Z", count: 2, show: 9).count
                == 1)
    }

    @Test func `a start in the future is respected`() throws {
        let times = try Self.times(
            "FREQ=DAILY;BYHOUR=9", "UTC", from: "2027-03-12T00:00:00Z", start: "2027-04-01T09:00", show: 1)
        #expect(times == ["2027-04-01T09:00:00+00:00"])
        let instant = try Self.times(
            "FREQ=DAILY;BYHOUR=9;BYSECOND=0", "UTC", from: "2027-03-12T00:00:00Z",
            start: "2027-04-01T09:00:01Z", show: 1
        )
        #expect(instant == ["2027-04-02T09:00:00+00:00"])
    }

    @Test func `a jump far ahead gives what a walk gives`() throws {
        let zone = try Zone("Europe/Berlin")
        for rule in [
            "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR",
            "FREQ=MONTHLY;INTERVAL=5;BYDAY=-1SU", "FREQ=HOURLY;INTERVAL=7",
        ] {
            let schedule = try Schedule(rule: Rule(rule), start: #require(Moment("2000-01-03T10:20")))
            let far = try #require(Instant(iso8601: "2019-06-01T00:00:00Z"))
            let walked = schedule.occurrences(after: nil, in: zone).first { $0.instant > far }
            #expect(schedule.next(after: far, in: zone) == walked)
            #expect(walked != nil)
        }
    }

    @Test func `a range has its lower bound and not its upper one`() throws {
        let schedule = try Schedule(rule: Rule("FREQ=DAILY"), start: #require(Moment("2027-01-01")))
        let first = try #require(Instant(iso8601: "2027-01-02T00:00:00Z"))
        let range = first..<first.advanced(bySeconds: 2 * 86_400)
        #expect(
            schedule.occurrences(in: range, in: .utc).map(\.civil.iso8601) == [
                "2027-01-02T00:00:00", "2027-01-03T00:00:00",
            ])
    }

    @Test func `one civil time is an instant of its own in each zone`() throws {
        let schedule = try Schedule(rule: Rule("FREQ=DAILY;BYHOUR=9"), start: #require(Moment("2027-01-01")))
        let last = try #require(CivilDateTime(iso8601: "2027-03-14T09:00:00"))
        let civil = try #require(schedule.nextCivil(after: last))
        #expect(civil.iso8601 == "2027-03-15T09:00:00")
        let instants = try ["Asia/Tokyo", "Europe/Berlin", "America/New_York"].map {
            try #require(schedule.occurrences(of: civil, in: Zone($0)).first).instant.iso8601WholeSeconds
        }
        #expect(instants == ["2027-03-15T00:00:00Z", "2027-03-15T08:00:00Z", "2027-03-15T13:00:00Z"])
    }

    @Test func `a fixed zone and an instant take no notice of the device's zone`() throws {
        let from = "2027-03-12T00:00:00Z"
        let fixed = try Self.times(
            "FREQ=DAILY;BYHOUR=9", from: from, policy: .fixed(Zone("Asia/Tokyo")), show: 1)
        #expect(fixed == ["2027-03-13T09:00:00+09:00"])
        #expect(
            try Self.times("FREQ=DAILY;BYHOUR=9", from: from, policy: .instant, show: 1) == [
                "2027-03-12T09:00:00+00:00"
            ])
    }

    @Test func `an occurrence at the very instant is not after it, and times beyond 2100 are found`() throws {
        let times = try Self.times("FREQ=DAILY;BYHOUR=9", from: "2130-07-01T13:00:00Z", show: 1)
        #expect(times == ["2130-07-02T09:00:00-04:00"])
        let zone = try Zone("America/New_York")
        let gap = try #require(CivilDateTime(iso8601: "2130-03-12T02:30:00"))
        #expect(zone.occurrence(of: gap)?.localISO8601 == "2130-03-12T03:30:00-04:00")
    }

    @Test func `a schedule that fires once does so, moved out of a gap`() throws {
        let schedule = try Schedule.once(at: #require(Moment("2027-03-14T02:30")))
        let zone = try Zone("America/New_York")
        #expect(
            schedule.occurrences(after: nil, in: zone).map(\.localISO8601) == ["2027-03-14T03:30:00-04:00"])
        #expect(
            schedule.occurrences(after: nil, in: .utc).map(\.localISO8601) == ["2027-03-14T02:30:00+00:00"])
    }

    @Test func `the limits are met exactly`() throws {
        let day = try #require(CivilDate(iso8601: "2027-03-14"))
        let days = (0..<RecurrenceLimits.exclusionCountMax).map {
            Moment.date(CivilDate(daysSince1970: day.daysSince1970 + $0))
        }
        let schedule = try Schedule(rule: Rule("FREQ=DAILY"), start: .date(day), exclusions: days)
        let first = try #require(schedule.next(after: Instant(secondsSince1970: 0), in: .utc))
        #expect(first.civil.date.daysSince1970 == day.daysSince1970 + RecurrenceLimits.exclusionCountMax)
        #expect(throws: RecurrenceError.self) {
            try Schedule(rule: Rule("FREQ=DAILY"), start: .date(day), exclusions: days + [.date(day)])
        }
        #expect(throws: RecurrenceError.self) {
            try Schedule(rule: Rule("FREQ=DAILY"), start: .date(day), count: 0)
        }
        let largest = RecurrenceLimits.countMax
        #expect(try Rule("FREQ=DAILY;COUNT=\(largest);INTERVAL=1").count == largest)
    }

    @Test func `nothing is after the year 9999`() throws {
        let times = try Self.times(
            "FREQ=MONTHLY", "UTC", from: "9999-10-15T00:00:00Z", start: "9999-01-01", show: 99)
        #expect(times.map { $0.prefix(10) } == ["9999-11-01", "9999-12-01"])
        #expect(try Self.times("FREQ=MINUTELY", "UTC", from: "9999-12-31T23:58:30Z", show: 99).count == 1)
    }
}
