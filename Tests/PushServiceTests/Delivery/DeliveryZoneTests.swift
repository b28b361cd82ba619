import APNs
import APNsGateway
import PushStore
import Recurrence
import Testing

@testable import PushService

/// Every phone's own nine o'clock, all around the world, as the gateway's device lists show it.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryZoneTests {
    static let zones = [
        "Pacific/Kiritimati", "Pacific/Chatham", "Pacific/Auckland", "Australia/Lord_Howe",
        "Australia/Sydney",
        "Australia/Adelaide", "Asia/Tokyo", "Asia/Shanghai", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Tehran",
        "Asia/Beirut", "Africa/Cairo", "Europe/Berlin", "Europe/London", "Africa/Casablanca", "UTC",
        "Atlantic/Azores", "America/St_Johns", "America/Santiago", "America/Havana", "America/New_York",
        "America/Phoenix", "America/Los_Angeles", "Pacific/Marquesas", "Pacific/Honolulu", "Etc/GMT+12",
    ]

    /// What a phone received and when, by the test's clock.
    private final class Watch {
        let world: DeliveryWorld
        let phones: [DeliveryWorld.Phone]
        private(set) var times: [[Instant]]

        init(_ world: DeliveryWorld, _ phones: [DeliveryWorld.Phone]) {
            self.world = world
            self.phones = phones
            times = Array(repeating: [], count: phones.count)
        }

        /// Works at the present time and takes note of what arrived.
        func step(_ service: DeliveryService) async throws {
            try await world.work(service)
            for (index, phone) in phones.enumerated() {
                let count = world.deliveries(phone).count
                while times[index].count < count { times[index].append(world.now) }
            }
        }
    }

    private static func instant(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }

    private func watch(_ world: DeliveryWorld, _ zones: [String?]) async throws -> Watch {
        var phones: [DeliveryWorld.Phone] = []
        for zone in zones {
            var fields: [String: JSONValue] = ["environment": "production"]
            fields["timeZone"] = zone.map(JSONValue.string)
            phones += try await world.addPhones(1, fields: fields)
        }
        return Watch(world, phones)
    }

    private func run(
        _ watch: Watch, _ service: DeliveryService, until end: String, stepMinutes: Int64 = 15,
        at moments: [String: () async throws -> Void] = [:], down: Range<Instant>? = nil
    ) async throws {
        let end = try Self.instant(end)
        while watch.world.now <= end {
            if let moment = moments[watch.world.now.iso8601WholeSeconds] { try await moment() }
            if down?.contains(watch.world.now) != true { try await watch.step(service) }
            watch.world.advance(seconds: stepMinutes * 60)
        }
    }

    /// A day on which clocks change somewhere, and what half past midnight is there on that day.
    struct Change: Sendable, CustomTestStringConvertible {
        var day: String
        /// Zones without half past midnight: their clocks go from 0:00 to 1:00.
        var gapZones: [String]
        var testDescription: String { day }
    }

    static let changes = [
        // New York and its neighbours at two, Havana at midnight.
        Change(day: "2027-03-14", gapZones: ["America/Havana"]),
        // Europe at one o'clock UTC, which is midnight on the Azores, and Beirut at its own.
        Change(day: "2027-03-28", gapZones: ["Asia/Beirut", "Atlantic/Azores"]),
        // Lord Howe by half an hour, Chatham at 3:45, Santiago back at midnight.
        Change(day: "2027-04-04", gapZones: []),
        Change(day: "2027-04-30", gapZones: ["Africa/Cairo"]),
        // Back: Europe, Havana at one.
        Change(day: "2027-10-31", gapZones: []),
    ]

    @Test(arguments: changes)
    func `every phone gets each day's push once at its own nine when clocks change`(
        change: Change
    ) async throws {
        try await DeliveryWorld.run { world in
            let day = try #require(CivilDate(iso8601: change.day))
            let before = CivilDate(daysSince1970: day.daysSince1970 - 1)
            let start = Instant(secondsSince1970: Int64(before.daysSince1970 - 1) * 86_400)
            world.setTime(start)
            let watch = try await watch(world, Self.zones + [nil])
            let service = try world.service()
            for (rule, name) in [("BYHOUR=9;BYMINUTE=0", "nine"), ("BYHOUR=0;BYMINUTE=30", "night")] {
                _ = try await world.push(["alert": .string(name)]) {
                    $0.schedule = PushSchedule(
                        rule: "FREQ=DAILY;\(rule);BYSECOND=0", start: "\(before.iso8601)T00:00:00", count: 3)
                }
            }
            let end = Instant(secondsSince1970: Int64(day.daysSince1970 + 3) * 86_400)
            try await run(watch, service, until: end.iso8601WholeSeconds)
            for (index, name) in (Self.zones + [nil]).enumerated() {
                let zone = try name.map { try Zone($0) } ?? .utc
                let gap = name.map(change.gapZones.contains) ?? false
                let shown = watch.times[index].map { zone.civil(at: $0).iso8601 }
                let expected = (0..<3).flatMap { offset in
                    let date = CivilDate(daysSince1970: before.daysSince1970 + offset).iso8601
                    return ["\(date)T0\(gap && offset == 1 ? 1 : 0):30:00", "\(date)T09:00:00"]
                }
                #expect(shown == expected, "\(name ?? "no zone")")
            }
            let records = try await world.store.records(limit: 10, skip: 0, app: try await world.app.number)
            let counts = records.filter { $0.deviceCount > 0 }.map(\.outcomes)
            #expect(counts == Array(repeating: [.accepted: Self.zones.count + 1], count: 6))
            #expect(records.allSatisfy { $0.errors == nil })
        }
    }

    @Test func `phones that change zones on the day get one, once`() async throws {
        try await DeliveryWorld.run { world in
            world.setTime(try Self.instant("2027-03-13T00:00:00Z"))
            let watch = try await watch(world, Self.zones)
            let service = try world.service()
            let push = try await world.push {
                $0.time = .local(CivilDateTime(iso8601: "2027-03-14T09:00:00")!)
            }
            func move(_ from: String, _ to: String) async throws {
                let index = try #require(Self.zones.firstIndex(of: from))
                try await world.save(watch.phones[index].token.hexString, ["timeZone": .string(to)])
            }
            try await run(
                watch, service, until: "2027-03-15T12:00:00Z",
                at: [
                    // Had it in Tokyo at 00:00; nine in Honolulu is still to come, and brings nothing.
                    "2027-03-14T06:00:00Z": { try await move("Asia/Tokyo", "Pacific/Honolulu") },
                    // Is to get it in New York at 13:00, and flies west before: five hours later, once.
                    "2027-03-14T11:00:00Z": { try await move("America/New_York", "Pacific/Honolulu") },
                    // Is to get it in London at 09:00, and is in Berlin three quarters of an hour after nine there.
                    "2027-03-14T08:45:00Z": { try await move("Europe/London", "Europe/Berlin") },
                    // Is to get it in Phoenix at 16:00, and comes to Tokyo nine hours after nine there.
                    "2027-03-14T09:00:00Z": { try await move("America/Phoenix", "Asia/Tokyo") },
                    // The same, and home again before its nine.
                    "2027-03-14T09:15:00Z": { try await move("America/Los_Angeles", "Asia/Tokyo") },
                    "2027-03-14T15:00:00Z": { try await move("Asia/Tokyo", "Asia/Tokyo") },
                    "2027-03-14T15:15:00Z": { try await move("America/Los_Angeles", "America/Los_Angeles") },
                ])
            let moved: [String: String?] = [
                "Asia/Tokyo": "2027-03-14T00:00:00Z", "America/New_York": "2027-03-14T19:00:00Z",
                "America/Phoenix": nil, "America/Los_Angeles": "2027-03-14T16:00:00Z",
            ]
            for (index, name) in Self.zones.enumerated() {
                let times = watch.times[index].map(\.iso8601WholeSeconds)
                if name == "Europe/London" {
                    // Late, and within the hour that a push may be late.
                    #expect(times.count == 1)
                    let time = try #require(watch.times[index].first)
                    #expect(time >= (try Self.instant("2027-03-14T08:45:00Z")))
                    #expect(time <= (try Self.instant("2027-03-14T09:15:00Z")))
                } else if let expected = moved[name] {
                    #expect(times == (expected.map { [$0] } ?? []), "\(name)")
                } else {
                    let zone = try Zone(name)
                    #expect(watch.times[index].map { zone.civil(at: $0).iso8601 } == ["2027-03-14T09:00:00"])
                }
            }
            #expect(
                try await world.outcomes(push) == [.accepted: Self.zones.count - 1, .zonePassed: 1])
            #expect(try await world.state(push)?.state == .done)
        }
    }

    @Test func `after hours without the service a phone gets what is not too late and no more`() async throws
    {
        try await DeliveryWorld.run { world in
            world.setTime(try Self.instant("2027-04-03T12:00:00Z"))
            let watch = try await watch(world, Self.zones)
            let service = try world.service("node")
            _ = try await world.push {
                $0.schedule = PushSchedule(
                    rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", start: "2027-04-04T00:00:00", count: 2)
            }
            // Dead from 05:00 to 08:30 and back as another process over the same file.
            let down = try Self.instant("2027-04-04T05:00:00Z")..<(try Self.instant("2027-04-04T08:30:00Z"))
            try await run(watch, service, until: "2027-04-04T04:45:00Z")
            try await world.crash()
            let next = try world.service("node")
            try await run(watch, next, until: "2027-04-06T12:00:00Z", down: down)
            var skipped = 0
            for (index, name) in Self.zones.enumerated() {
                let zone = try Zone(name)
                let times = watch.times[index]
                let nine = try #require(zone.occurrence(of: CivilDateTime(iso8601: "2027-04-04T09:00:00")!))
                    .instant
                let isMissed = down.contains(nine)
                let isTooLate = nine.advanced(bySeconds: 3_600) < down.upperBound
                let first: [Instant] = isMissed ? (isTooLate ? [] : [down.upperBound]) : [nine]
                if isMissed, isTooLate { skipped += 1 }
                let second = try #require(zone.occurrence(of: CivilDateTime(iso8601: "2027-04-05T09:00:00")!))
                    .instant
                #expect(times == first + [second], "\(name)")
            }
            #expect(skipped >= 3)
            let records = try await world.store.records(limit: 10, skip: 0, app: try await world.app.number)
            let errors = records.compactMap(\.errors).joined()
            #expect(errors.contains("skipped in"))
        }
    }
}
