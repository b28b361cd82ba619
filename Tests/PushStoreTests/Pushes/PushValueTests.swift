import APNs
import Recurrence
import Testing

@testable import PushStore

/// The values pushes are made of, and how they are stored.
struct PushValueTests {
    // MARK: Numbers

    @Test(arguments: [
        [], [1], [127, 128], [1, 2, 3, 1_000_000], [Int64.max], [1, Int64.max], Array(1...1_000),
    ])
    func `row numbers come back as they were`(numbers: [Int64]) {
        #expect(NumberList.decode(NumberList.encode(numbers)) == numbers)
        #expect(NumberList.decodeEach(NumberList.encodeEach(numbers)) == numbers)
    }

    @Test func `a thousand neighbours take a thousand bytes`() {
        #expect(NumberList.encode(Array(1...1_000)).count == 1_000)
    }

    @Test func `numbers in any order and zeros come back too`() {
        let numbers: [Int64] = [5, 0, 0, Int64.max, 3]
        #expect(NumberList.decodeEach(NumberList.encodeEach(numbers)) == numbers)
    }

    @Test(
        arguments: [
            [0x80], [0x01, 0xff], [0x00], [0x01, 0x00], [0x81, 0x00],
            Array(repeating: 0xff, count: 9) + [0x01], Array(repeating: 0xff, count: 20),
            Array(repeating: 0xff, count: 8) + [0x7f, 0x01],
        ] as [[UInt8]])
    func `bytes that no list of rows writes are refused`(bytes: [UInt8]) {
        #expect(NumberList.decode(bytes) == nil)
    }

    @Test(
        arguments: [
            [0x80], [0x01, 0xff], [0x81, 0x00], Array(repeating: 0xff, count: 9) + [0x01],
        ] as [[UInt8]])
    func `bytes that no list of numbers writes are refused`(bytes: [UInt8]) {
        #expect(NumberList.decodeEach(bytes) == nil)
    }

    // MARK: Durations

    @Test func `percentiles are right to a fifth and come back from bytes`() throws {
        var histogram = DurationHistogram()
        #expect(histogram.percentile(0.5) == nil && histogram.timing == nil && histogram.bytes.isEmpty)
        for microseconds in 1...100_000 as ClosedRange<UInt64> { histogram.add(microseconds: microseconds) }
        #expect(histogram.count == 100_000)
        for (share, exact) in [(0.01, 1_000.0), (0.5, 50_000), (0.9, 90_000), (0.99, 99_000)] {
            let found = Double(try #require(histogram.percentile(share)))
            #expect(found >= exact && found <= exact * 1.21)
        }
        let copy = try #require(DurationHistogram(bytes: histogram.bytes))
        #expect(copy == histogram)
        var twice = copy
        twice.add(histogram)
        #expect(twice.count == 200_000 && twice.percentile(0.5) == histogram.percentile(0.5))
    }

    @Test func `no duration is too long and none is none`() {
        var histogram = DurationHistogram()
        histogram.add(microseconds: .max)
        histogram.add(microseconds: 0, times: 3)
        #expect(histogram.count == 4 && histogram.percentile(0) == 20)
        #expect((histogram.percentile(1) ?? 0) > 600_000_000)
    }

    @Test func `bytes of no histogram are refused`() {
        #expect(DurationHistogram(bytes: []) == DurationHistogram())
        #expect(DurationHistogram(bytes: [0x80]) == nil)
        #expect(DurationHistogram(bytes: Array(repeating: 1, count: 96)) != nil)
        #expect(DurationHistogram(bytes: Array(repeating: 1, count: 97)) == nil)
    }

    // MARK: Outcomes

    @Test func `the numbers of outcomes never change`() {
        let pinned: [(UInt8, String)] = [
            (0, "pending"), (1, "accepted"), (2, "unanswered"), (3, "expired"), (4, "cancelled"),
            (5, "frequencyCapped"), (6, "deferred"), (7, "skipped"), (8, "malformedToken"),
            (9, "noCredential"), (10, "unreachable"), (11, "refused"), (12, "nothingNew"),
            (13, "invalidContent"), (14, "damaged"), (15, "zonePassed"), (32, "BadCollapseId"),
            (33, "BadDeviceToken"), (34, "BadExpirationDate"),
            (35, "BadMessageId"), (36, "BadPriority"), (37, "BadTopic"), (38, "DeviceTokenNotForTopic"),
            (39, "DuplicateHeaders"), (40, "IdleTimeout"), (41, "InvalidPushType"),
            (42, "MissingDeviceToken"), (43, "MissingTopic"), (44, "PayloadEmpty"), (45, "TopicDisallowed"),
            (46, "BadCertificate"), (47, "BadCertificateEnvironment"), (48, "ExpiredProviderToken"),
            (49, "Forbidden"), (50, "InvalidProviderToken"), (51, "MissingProviderToken"),
            (52, "UnrelatedKeyIdInToken"), (53, "BadEnvironmentKeyIdInToken"), (54, "BadPath"),
            (55, "MethodNotAllowed"), (56, "ExpiredToken"), (57, "Unregistered"), (58, "PayloadTooLarge"),
            (59, "TooManyProviderTokenUpdates"), (60, "TooManyRequests"), (61, "InternalServerError"),
            (62, "ServiceUnavailable"), (63, "Shutdown"),
        ]
        let names = Dictionary(uniqueKeysWithValues: pinned)
        for byte in UInt8.min...UInt8.max {
            #expect(DeviceOutcome(rawValue: byte).name == names[byte] ?? "refused")
        }
    }

    @Test func `every reason has its outcome and the unknown ones have one`() {
        for byte in 32...63 as ClosedRange<UInt8> {
            let outcome = DeviceOutcome(rawValue: byte)
            let reason = outcome.reason
            #expect(reason?.isKnown == true)
            if let reason { #expect(DeviceOutcome(refusedFor: reason) == outcome) }
        }
        #expect(DeviceOutcome(refusedFor: Reason("NewInTwentyThirty")) == .refusedOtherwise)
        #expect(DeviceOutcome.accepted.reason == nil)
        let invalid = (UInt8.min...UInt8.max).filter { DeviceOutcome(rawValue: $0).isInvalidToken }
        #expect(invalid == [8, 33, 38, 56, 57])
        #expect(!DeviceOutcome.moved.isDevice && DeviceOutcome.pending.isDevice)
    }

    // MARK: Requests

    @Test func `a request comes back from JSON with every field`() throws {
        var request = PushRequest(data: ["alert": "a", "n": 1, "deep": ["list": [true, .null, 1.5]]])
        request.filter = try WhereClause(["level": ["$gte": 2]])
        request.channels = ["a", "b"]
        request.deviceTokens = ["ab", "cd"]
        request.broadcastChannel = "dHN0LXNyY2gtY2hubA=="
        request.isTest = true
        request.time = .at(Instant(millisecondsSince1970: 1_796_000_000_123))
        request.schedule = PushSchedule(
            rule: "FREQ=DAILY", zone: .named("Asia/Tokyo"), start: "2026-12-01T00:00:00",
            until: "2027-12-01T00:00:00", count: 7, exceptions: ["2026-12-24T09:00:00"])
        request.lifetime = .until(Instant(millisecondsSince1970: 1_797_000_000_456))
        request.environment = .sandbox
        request.fallbackEnvironment = .sandbox
        request.topic = "com.example"
        request.teamID = "TEAM"
        request.deviceProfile = "dev"
        request.notificationID = "n"
        request.requestID = "r"
        request.devicesPerSecondMax = 100
        request.badgeIncrement = -2
        request.ignoresQuietHours = true
        request.ignoresFrequencyCap = true
        request.lateMinutesMax = 5
        request.digest = ["articles": [["id": "a"]]]
        let count = Mirror(reflecting: request).children.count
        #expect(count == 22, "a new field belongs into this test")
        #expect(try PushRequest(json: JSONValue(parsing: request.json.encoded())) == request)
        request.time = .local(try #require(CivilDateTime(iso8601: "2026-12-02T09:00:30")))
        request.lifetime = .seconds(3_600)
        request.schedule?.zone = .device
        #expect(try PushRequest(json: JSONValue(parsing: request.json.encoded())) == request)
    }

    @Test func `a plain request is as small as its data`() throws {
        let request = PushRequest(data: ["alert": "a"])
        #expect(request.json == ["data": ["alert": "a"]])
        #expect(try PushRequest(json: request.json) == request)
        var empty = request
        empty.channels = []
        empty.deviceTokens = []
        #expect(try PushRequest(json: empty.json) == empty)
    }

    @Test(arguments: [[], ["data": 1], ["data": [:], "where": ["a": ["$no": 1]]], .null] as [JSONValue])
    func `what is no stored request is refused`(json: JSONValue) {
        let error = #expect(throws: StoreError.self) { try PushRequest(json: json) }
        #expect(error?.code == .database)
    }

    // MARK: Segments

    @Test func `there is one segment for each zone`() throws {
        let civil = try #require(CivilDateTime(iso8601: "2026-12-02T09:00:00"))
        let segments = PushSegment.segments(
            of: civil, zones: ["Asia/Tokyo", nil, "No/Where", "Europe/London"], lateSeconds: 600)
        let utc = Instant(secondsSince1970: 1_796_202_000)
        #expect(
            segments.filter { $0.kind != .moved } == [
                PushSegment(kind: .zone, timeZone: "Asia/Tokyo", dueAt: utc.advanced(bySeconds: -9 * 3_600)),
                PushSegment(kind: .zone, timeZone: nil, dueAt: utc),
                PushSegment(kind: .zone, timeZone: "No/Where", dueAt: utc),
                PushSegment(kind: .zone, timeZone: "Europe/London", dueAt: utc),
            ])
    }

    @Test(arguments: [0, 5, 15, 20, 50, 60, 1_440] as [Int64])
    func `whoever moves anywhere finds a segment before it is too late there`(minutes: Int64) throws {
        let civil = try #require(CivilDateTime(iso8601: "2026-12-02T09:00:00"))
        let late = minutes * 60
        let dueTimes = PushSegment.segments(of: civil, zones: [], lateSeconds: late).map(
            \.dueAt.secondsSince1970)
        #expect(dueTimes.count <= 106)
        let utc: Int64 = 1_796_202_000
        for quarter in stride(from: -14 * 3_600, through: 12 * 3_600, by: 900) as StrideThrough<Int64> {
            let there = utc + quarter
            #expect(dueTimes.contains { $0 >= there && $0 <= there + late })
        }
    }

    // MARK: Recurring

    private let created = Instant(secondsSince1970: 1_796_000_000)

    private func occurrences(_ schedule: PushSchedule, _ count: Int = 10) throws -> [PushTiming] {
        let recurring = try RecurringPush(schedule, createdAt: created)
        var all: [PushTiming] = []
        while all.count < count, let next = recurring.next(after: all.last?.occurrence) { all.append(next) }
        return all
    }

    @Test func `on devices' clocks an occurrence is a civil time that takes a day and two hours`() throws {
        let found = try occurrences(
            PushSchedule(rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", count: 2))
        #expect(found.map(\.occurrence) == ["2026-11-30T09:00:00", "2026-12-01T09:00:00"])
        for timing in found {
            #expect(
                timing.lastAt.secondsSince1970 - timing.dueAt.secondsSince1970 == 26 * 3_600)
        }
        #expect(found.first?.dueAt.iso8601WholeSeconds == "2026-11-29T19:00:00Z")
    }

    @Test func `nine means nine, whatever second the request came in`() throws {
        let created = Instant(secondsSince1970: 1_796_000_018)
        for zone in [PushSchedule.Zone.device, .named("Asia/Tokyo")] {
            let recurring = try RecurringPush(
                PushSchedule(rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", zone: zone), createdAt: created)
            #expect(try #require(recurring.next(after: nil)).dueAt.secondsSince1970 % 60 == 0)
        }
    }

    @Test func `in a named zone an occurrence is an instant`() throws {
        let found = try occurrences(
            PushSchedule(
                rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", zone: .named("Asia/Tokyo"),
                start: "2026-12-01T00:00:00", until: "2026-12-04T09:00:00",
                exceptions: ["2026-12-02T09:00:00"]))
        #expect(
            found.map(\.dueAt.iso8601WholeSeconds)
                == ["2026-12-01T00:00:00Z", "2026-12-03T00:00:00Z", "2026-12-04T00:00:00Z"])
        #expect(found.allSatisfy { $0.dueAt == $0.lastAt })
    }
}
