import APNs
import PushStore
import Recurrence
import Testing

/// Pushes on the clocks of devices, and recurring ones.
@Suite(.timeLimit(.minutes(10)))
struct StoreConformanceLocalTimeTests {
    private static func instant(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }
    private static func civil(_ text: String) throws -> CivilDateTime {
        try #require(CivilDateTime(iso8601: text))
    }

    /// Lets a store see every quarter of an hour of some days, and gives whom it sent to when.
    private static func run(
        _ world: PushWorld, from start: String, to end: String, stepMinutes: Int64 = 15,
        at moments: [String: () async throws -> Void] = [:]
    ) async throws -> [String: [Int64]] {
        var sent: [String: [Int64]] = [:]
        var now = try instant(start)
        let last = try instant(end)
        while now <= last {
            try await moments[now.iso8601WholeSeconds]?()
            // No scheduler comes at the very millisecond.
            let seen = now.advanced(byMilliseconds: 37)
            try await world.plan(at: seen)
            let numbers = try await world.sendAll(at: seen)
            if !numbers.isEmpty { sent[now.iso8601WholeSeconds] = numbers }
            now = now.advanced(bySeconds: stepMinutes * 60)
        }
        return sent
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `each zone is due when its own clocks show the time`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let tokyo = try await world.install(1, ["timeZone": "Asia/Tokyo"]).number
            let york = try await world.install(2, ["timeZone": "America/New_York"]).number
            let none = try await world.install(3).number
            let kiritimati = try await world.install(4, ["timeZone": "Pacific/Kiritimati"]).number
            let also = try await world.install(5, ["timeZone": "Asia/Tokyo"]).number
            let nepal = try await world.install(6, ["timeZone": "Asia/Kathmandu"]).number
            let push = try await world.push { $0.time = .local(try Self.civil("2026-12-02T09:00:00")) }
            #expect(try push.dueAt == Self.instant("2026-12-01T19:00:00Z"))
            let sent = try await Self.run(
                world, from: "2026-12-01T18:00:00Z", to: "2026-12-03T00:00:00Z")
            #expect(
                sent == [
                    "2026-12-01T19:00:00Z": [kiritimati], "2026-12-02T00:00:00Z": [tokyo, also],
                    "2026-12-02T03:15:00Z": [nepal], "2026-12-02T09:00:00Z": [none],
                    "2026-12-02T14:00:00Z": [york],
                ])
            #expect(try await world.state(push) == .done)
            #expect(try await world.record(push)?.outcomes == [.accepted: 6])
            #expect(try await world.record(push)?.errors == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a time that a zone skips comes as late as its clocks went forward`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let york = try await world.install(
                1, ["timeZone": "America/New_York"], at: 102 * 86_400
            ).number
            _ = try await world.push(at: 102 * 86_400) {
                $0.time = .local(try Self.civil("2027-03-14T02:30:00"))
            }
            let sent = try await Self.run(
                world, from: "2027-03-13T12:00:00Z", to: "2027-03-15T00:00:00Z")
            #expect(sent == ["2027-03-14T07:30:00Z": [york]], "03:30 by the clock after the change")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a device that changes zone gets exactly one`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let rows = [
                try await world.install(1, ["timeZone": "Asia/Tokyo"]),
                try await world.install(2, ["timeZone": "America/New_York"]),
                try await world.install(3, ["timeZone": "Europe/London"]),
                try await world.install(4),
                try await world.install(5, ["timeZone": "Europe/London"]),
            ]
            let push = try await world.push { $0.time = .local(try Self.civil("2026-12-02T09:00:00")) }
            func move(_ index: Int, _ zone: String, _ at: String) async throws {
                let body: [String: JSONValue] = ["timeZone": .string(zone)]
                _ = try await world.store.save(
                    InstallationChange(target: .existing(objectID: rows[index].objectID), body: body),
                    app: world.app.number, now: Self.instant(at))
            }
            let sent = try await Self.run(
                world, from: "2026-12-01T18:00:00Z", to: "2026-12-03T12:00:00Z",
                at: [
                    // Had it in Tokyo, lands in New York before nine.
                    "2026-12-02T12:00:00Z": { try await move(0, "America/New_York", "2026-12-02T12:00:00Z") },
                    // Was to get it in New York, and is in Paris a quarter of an hour after nine.
                    "2026-12-02T08:15:00Z": { try await move(1, "Europe/Paris", "2026-12-02T08:15:00Z") },
                    // Was to get it in London, and is in Lagos half an hour after nine there.
                    "2026-12-02T08:30:00Z": { try await move(2, "Africa/Lagos", "2026-12-02T08:30:00Z") },
                    // Had none, so it was on UTC's clock; says after that where it is.
                    "2026-12-02T10:00:00Z": { try await move(3, "America/New_York", "2026-12-02T10:00:00Z") },
                    // Was to get it in London and goes where nobody was before.
                    "2026-12-02T08:45:00Z": { try await move(4, "Pacific/Pitcairn", "2026-12-02T08:45:00Z") },
                ])
            let numbers = sent.values.flatMap { $0 }
            #expect(numbers.sorted() == rows.map(\.number).sorted())
            #expect(sent["2026-12-02T00:00:00Z"] == [rows[0].number])
            #expect(sent["2026-12-02T09:00:00Z"]?.contains(rows[3].number) == true)
            #expect(try await world.state(push) == .done)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a device that comes to a zone long after its time is counted and not sent to`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let mover = try await world.install(1, ["timeZone": "America/New_York"])
            let stayer = try await world.install(2, ["timeZone": "America/New_York"]).number
            let wanderer = try await world.install(3, ["timeZone": "America/Los_Angeles"])
            let push = try await world.push { $0.time = .local(try Self.civil("2026-12-02T09:00:00")) }
            func move(_ row: Installation, _ zone: String, _ at: String) async throws {
                let body: [String: JSONValue] = ["timeZone": .string(zone)]
                _ = try await world.store.save(
                    InstallationChange(target: .existing(objectID: row.objectID), body: body),
                    app: world.app.number, now: Self.instant(at))
            }
            let sent = try await Self.run(
                world, from: "2026-12-01T18:00:00Z", to: "2026-12-03T12:00:00Z",
                at: [
                    // Nine in Tokyo was ten hours ago.
                    "2026-12-02T10:00:00Z": { try await move(mover, "Asia/Tokyo", "2026-12-02T10:00:00Z") },
                    // The same, but goes on to where nine is still to come.
                    "2026-12-02T10:15:00Z": {
                        try await move(wanderer, "Asia/Tokyo", "2026-12-02T10:15:00Z")
                    },
                    "2026-12-02T16:00:00Z": {
                        try await move(wanderer, "America/Los_Angeles", "2026-12-02T16:00:00Z")
                    },
                ])
            #expect(
                sent == [
                    "2026-12-02T14:00:00Z": [stayer], "2026-12-02T17:00:00Z": [wanderer.number],
                ])
            let record = try #require(try await world.record(push))
            #expect(record.outcomes == [.accepted: 2, .zonePassed: 1])
            #expect(record.deviceCount == 3 && record.status == "done")
            #expect(record.errors?.contains("1 device") == true)
            let evidence = try await world.store.evidence(
                push: push.objectID, installation: mover.objectID, app: world.app.number)
            #expect(evidence?.placements.map(\.outcome) == [.zonePassed])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `zones whose time is long gone are skipped and the record says which`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1, ["timeZone": "Asia/Tokyo"])
            let london = try await world.install(2, ["timeZone": "Europe/London"]).number
            let push = try await world.push {
                $0.time = .local(try Self.civil("2026-12-02T09:00:00"))
                $0.lateMinutesMax = 30
            }
            let sent = try await Self.run(
                world, from: "2026-12-02T09:15:00Z", to: "2026-12-03T12:00:00Z")
            #expect(sent == ["2026-12-02T09:15:00Z": [london]])
            let error = try #require(try await world.record(push)?.errors)
            #expect(error.contains("Asia/Tokyo") && error.contains("555 minutes"))
            #expect(!error.contains("London"))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push for one instant that the service missed is skipped and says so`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            let missed = try await world.push { $0.time = .at(.test(60)) }
            let late = try await world.push { $0.time = .at(.test(61)) }
            try await world.plan(at: 60 + 3_601)
            #expect(try await world.sendAll(at: .test(3_661)).count == 1)
            #expect(try await world.record(missed)?.errors?.contains("60 minutes late") == true)
            #expect(try await world.state(missed) == .done)
            #expect(try await world.record(late)?.errors == nil)
        }
    }

    // MARK: Schedules

    @Test(arguments: StoreUnderTest.allCases)
    func `a schedule on the clocks of devices fires each day once in each zone`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let tokyo = try await world.install(1, ["timeZone": "Asia/Tokyo"], at: 0).number
            let york = try await world.install(2, ["timeZone": "America/New_York"], at: 0).number
            let parent = try await world.push {
                $0.schedule = PushSchedule(
                    rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", start: "2026-12-02T00:00:00", count: 3)
            }
            let sent = try await Self.run(
                world, from: "2026-11-30T12:00:00Z", to: "2026-12-06T00:00:00Z")
            #expect(
                sent == [
                    "2026-12-02T00:00:00Z": [tokyo], "2026-12-02T14:00:00Z": [york],
                    "2026-12-03T00:00:00Z": [tokyo], "2026-12-03T14:00:00Z": [york],
                    "2026-12-04T00:00:00Z": [tokyo], "2026-12-04T14:00:00Z": [york],
                ])
            #expect(try await world.state(parent) == .done)
            let records = try await world.store.records(limit: 10, skip: 0, app: world.app.number)
            #expect(records.map { $0.outcomes } == [[.accepted: 2], [.accepted: 2], [.accepted: 2], [:]])
            #expect(records.allSatisfy { $0.errors == nil && $0.status == "done" })
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a schedule in a named zone keeps its hour over a change of clocks`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let row = try await world.install(1, ["timeZone": "Asia/Tokyo"], at: 100 * 86_400).number
            _ = try await world.push(at: 100 * 86_400) {
                $0.schedule = PushSchedule(
                    rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", zone: .named("America/New_York"),
                    start: "2027-03-13T00:00:00", until: "2027-03-15T23:00:00",
                    exceptions: ["2027-03-14T09:00:00"])
            }
            let sent = try await Self.run(
                world, from: "2027-03-12T12:00:00Z", to: "2027-03-17T00:00:00Z", stepMinutes: 30)
            #expect(sent == ["2027-03-13T14:00:00Z": [row], "2027-03-15T13:00:00Z": [row]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `occurrences that were missed are recorded and not sent late`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let row = try await world.install(1).number
            let parent = try await world.push {
                $0.schedule = PushSchedule(
                    rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", zone: .named("UTC"),
                    start: "2026-12-01T00:00:00")
            }
            // The service comes back on the fifth day, two hours after its time.
            var now = try Self.instant("2026-12-05T11:00:00Z")
            try await world.plan(at: now)
            #expect(try await world.sendAll(at: now) == [])
            var records = try await world.store.records(limit: 10, skip: 0, app: world.app.number)
            #expect(records.count == 2)
            #expect(records.first?.errors?.hasPrefix("5 occurrences") == true)
            #expect(records.first?.status == "done" && records.first?.deviceCount == 0)
            now = try Self.instant("2026-12-06T09:00:00Z")
            try await world.plan(at: now)
            #expect(try await world.sendAll(at: now) == [row])
            records = try await world.store.records(limit: 10, skip: 0, app: world.app.number)
            #expect(records.count == 3 && records.first?.errors == nil)
            #expect(try await world.set(.cancelled, parent)?.state == .cancelled)
            now = try Self.instant("2026-12-07T09:00:00Z")
            try await world.plan(at: now)
            #expect(try await world.sendAll(at: now) == [])
        }
    }

    @Test(
        arguments: StoreUnderTest.allCases,
        [
            PushSchedule(rule: "FREQ=DAILY;UNTIL=20200101T000000"),
            PushSchedule(rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
            PushSchedule(rule: "FREQ=SOMETIMES"), PushSchedule(rule: ""),
            PushSchedule(rule: "FREQ=DAILY", zone: .named("Mars/Olympus")),
            PushSchedule(rule: "FREQ=DAILY", start: "tomorrow"),
            PushSchedule(rule: "FREQ=DAILY", until: "2020-01-01T00:00:00"),
            PushSchedule(rule: "FREQ=DAILY", count: 0),
            PushSchedule(rule: "FREQ=DAILY", exceptions: ["never"]),
        ])
    func `a schedule that cannot be read or never fires is refused`(
        kind: StoreUnderTest, schedule: PushSchedule
    ) async throws {
        try await PushWorld.with(kind) { world in
            let error = await #expect(throws: StoreError.self) {
                try await world.push { $0.schedule = schedule }
            }
            #expect(error?.code == .invalid)
            #expect(error?.message.contains("schedule") == true)
            let records = try await world.store.records(limit: 1, skip: 0, app: world.app.number)
            #expect(records == [])
        }
    }
}
