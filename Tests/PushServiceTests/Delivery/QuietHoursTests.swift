import PushStore
import Recurrence
import Testing

@testable import PushService

struct QuietHoursTests {
    struct Row: Sendable, CustomStringConvertible {
        var hours: (start: Int, end: Int)
        var zone: String?
        var now: String
        var end: String?

        var description: String { "\(hours.start)-\(hours.end) \(zone ?? "no zone") \(now)" }
    }

    /// 22:00 to 07:00, and 13:00 to 14:30.
    private static let night = (start: 1_320, end: 420)
    private static let noon = (start: 780, end: 870)

    @Test(arguments: [
        Row(hours: night, zone: "UTC", now: "2026-12-02T21:59:59Z", end: nil),
        Row(hours: night, zone: "UTC", now: "2026-12-02T22:00:00Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "UTC", now: "2026-12-02T23:59:59Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "UTC", now: "2026-12-03T00:00:00Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "UTC", now: "2026-12-03T06:59:59Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "UTC", now: "2026-12-03T07:00:00Z", end: nil),
        Row(hours: night, zone: "UTC", now: "2026-12-31T23:00:00Z", end: "2027-01-01T07:00:00Z"),
        Row(hours: noon, zone: "UTC", now: "2026-12-02T12:59:59Z", end: nil),
        Row(hours: noon, zone: "UTC", now: "2026-12-02T13:00:00Z", end: "2026-12-02T14:30:00Z"),
        Row(hours: noon, zone: "UTC", now: "2026-12-02T14:30:00Z", end: nil),
        // No zone and unknown zones are on UTC's clock.
        Row(hours: night, zone: nil, now: "2026-12-02T23:00:00Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "Mars/Olympus", now: "2026-12-02T23:00:00Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "", now: "2026-12-02T23:00:00Z", end: "2026-12-03T07:00:00Z"),
        Row(hours: night, zone: "Asia/Tokyo", now: "2026-12-02T13:00:00Z", end: "2026-12-02T22:00:00Z"),
        Row(hours: night, zone: "Asia/Tokyo", now: "2026-12-02T23:00:00Z", end: nil),
        Row(hours: night, zone: "Asia/Kathmandu", now: "2026-12-02T16:15:00Z", end: "2026-12-03T01:15:00Z"),
        Row(hours: night, zone: "America/New_York", now: "2026-12-03T03:00:00Z", end: "2026-12-03T12:00:00Z"),
        // New York: clocks go forward on 2027-03-14 and back on 2026-11-01.
        Row(hours: night, zone: "America/New_York", now: "2027-03-14T03:00:00Z", end: "2027-03-14T11:00:00Z"),
        Row(hours: night, zone: "America/New_York", now: "2026-11-01T03:00:00Z", end: "2026-11-01T12:00:00Z"),
        // An end that clocks skip, 02:30, is as late as they went forward.
        Row(
            hours: (1_320, 150), zone: "America/New_York", now: "2027-03-14T06:00:00Z",
            end: "2027-03-14T07:30:00Z"),
        // An end that comes twice, 01:30: the first one counts, and the hour after it is not quiet again.
        Row(
            hours: (1_320, 90), zone: "America/New_York", now: "2026-11-01T05:00:00Z",
            end: "2026-11-01T05:30:00Z"),
        Row(hours: (1_320, 90), zone: "America/New_York", now: "2026-11-01T06:10:00Z", end: nil),
    ])
    func `the end of quiet hours`(row: Row) throws {
        let settings = AppSettings.QuietHours(startMinute: row.hours.start, endMinute: row.hours.end)
        var hours = QuietHours(settings)
        let now = try #require(Instant(iso8601: row.now))
        let found = hours.end(zone: row.zone, now: now)
        #expect(found?.iso8601WholeSeconds == row.end)
        let again = hours.end(zone: row.zone, now: now)
        #expect(again == found)
        // What is deferred is not deferred again when its time has come.
        if let found {
            let after = hours.end(zone: row.zone, now: found)
            #expect(after == nil)
        }
    }

    @Test func `hours that begin when they end are none`() {
        var hours = QuietHours(AppSettings.QuietHours(startMinute: 60, endMinute: 60))
        let found = hours.end(zone: "UTC", now: Instant(secondsSince1970: 1_796_000_000))
        #expect(found == nil, "nothing would ever be sent")
    }
}
