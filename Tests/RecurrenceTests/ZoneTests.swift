internal import Foundation
internal import Recurrence
internal import Testing

struct ZoneTests {
    @Test(arguments: [
        "", "Nowhere/City", "america/new_york", "../etc/passwd", "CST", "PST", "IST", "+05:00", "Asia/Tokyo ",
        "Asia/../Asia/Tokyo",
        "GMTfoo", String(repeating: "A/", count: 5000),
    ])
    func `a name that is no zone is refused by name`(_ name: String) {
        let error = #expect(throws: RecurrenceError.self) { try Zone(name) }
        #expect(error?.code == .unknownZone)
        #expect((error?.message.utf8.count ?? 0) < 200)
    }

    @Test(arguments: [
        "UTC", "Etc/UTC", "GMT", "EST", "Europe/Kyiv", "Asia/Kolkata", "America/Argentina/Buenos_Aires",
    ])
    func `a name of the database is a zone, and keeps its name`(_ name: String) throws {
        #expect(try Zone(name).name == name)
    }

    /// Foundation's look-ups of offsets are right; the zone's own table has to agree with each of them.
    @Test(arguments: [
        "America/New_York", "Europe/London", "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Apia",
        "Antarctica/Troll",
        "Asia/Pyongyang", "America/Nuuk", "Asia/Gaza", "Pacific/Kwajalein",
    ])
    func `offsets are Foundation's, at every transition and between`(_ name: String) throws {
        let zone = try Zone(name)
        let foundation = try #require(TimeZone(identifier: name))
        var random = SeededGenerator(seed: 7)
        var seconds = (0..<2000).map { _ in Int64.random(in: -2_000_000_000...6_000_000_000, using: &random) }
        var instant = Instant(secondsSince1970: 0)
        while let next = zone.nextTransition(after: instant), next < Instant(secondsSince1970: 5_000_000_000)
        {
            seconds += [next.secondsSince1970 - 1, next.secondsSince1970]
            let before = zone.offsetSeconds(at: next.advanced(bySeconds: -1))
            #expect(before != zone.offsetSeconds(at: next))
            instant = next
        }
        for second in seconds {
            let expected = foundation.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
            #expect(
                zone.offsetSeconds(at: Instant(secondsSince1970: second)) == expected, "\(name) \(second)")
        }
    }

    @Test func `a civil time and its instant belong together, wherever there is one`() throws {
        var random = SeededGenerator(seed: 9)
        for name in ["America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "UTC"] {
            let zone = try Zone(name)
            for _ in 0..<2000 {
                let instant = Instant(
                    secondsSince1970: Int64.random(in: -3_000_000_000...7_000_000_000, using: &random))
                let civil = zone.civil(at: instant)
                switch zone.match(civil) {
                case .once(let offset): #expect(offset == zone.offsetSeconds(at: instant))
                case .twice(let first, let second):
                    #expect([first, second].contains(zone.offsetSeconds(at: instant)))
                case .skipped: Issue.record("\(name): \(civil) was shown at \(instant)")
                }
            }
        }
    }

    @Test func `a zone of an offset has its name and limits`() throws {
        #expect(try Zone(offsetSeconds: -19_800).name == "-05:30")
        #expect(throws: RecurrenceError.self) { try Zone(offsetSeconds: 18 * 3600 + 1) }
    }
}
