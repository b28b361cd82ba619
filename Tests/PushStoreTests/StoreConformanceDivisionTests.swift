import APNs
import PushStore
import Recurrence
import Testing

/// Outcomes by environment, language and time zone, and estimates of audiences.
struct StoreConformanceDivisionTests {
    /// The whole division, read in pages of one batch and of two openings.
    private func division(
        _ push: Push, _ world: PushWorld, batches: Int = 1
    ) async throws -> (division: OutcomeDivision, pages: Int) {
        var division = OutcomeDivision()
        var pages = 0
        var batch: Int64? = 0
        while let last = batch {
            let page = try await world.store.outcomeDivision(
                record: push.recordID, after: last, limit: batches, app: world.app.number)
            division.add(page.division)
            batch = page.next
            pages += 1
            try #require(pages < 20)
        }
        var installation: String? = ""
        while let last = installation {
            let page = try await world.store.openDivision(
                record: push.recordID, after: last, limit: 2, app: world.app.number)
            division.add(page.division)
            installation = page.next
            pages += 1
            try #require(pages < 20)
        }
        return (division, pages)
    }

    private func counts(
        _ accepted: Int, _ failed: Int, _ waiting: Int, opened: Int = 0
    ) -> OutcomeDivision.Counts {
        var counts = OutcomeDivision.Counts()
        (counts.acceptedCount, counts.failedCount, counts.waitingCount) = (accepted, failed, waiting)
        counts.openedCount = opened
        return counts
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `outcomes and openings stand where the devices are`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            var rows: [Installation] = []
            for (zone, locale, environment) in [
                ("Asia/Shanghai", "zh_CN", "production"), ("Asia/Shanghai", "zh_CN", "sandbox"),
                ("Europe/Berlin", "de_DE", "production"), ("Europe/Berlin", "en_GB", "production"),
            ] {
                rows.append(
                    try await world.install(
                        rows.count + 1,
                        [
                            "timeZone": .string(zone), "localeIdentifier": .string(locale),
                            "environment": .string(environment),
                        ]))
            }
            rows.append(try await world.install(5))
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim(at: 1))
            _ = try await world.store.store(
                BatchReport(
                    outcomes: [
                        .accepted, .accepted, DeviceOutcome(refusedFor: Reason("BadTopic")), .accepted,
                        .pending,
                    ], next: .goOn(leaseUntil: .test(60))), of: batch, now: .test(2))
            for row in [rows[0], rows[3]] {
                _ = try await world.store.countOpen(
                    record: push.recordID, installation: row.objectID, app: world.app.number, now: .test(3))
            }
            // Somebody who does not say who.
            _ = try await world.store.countOpen(
                record: push.recordID, installation: nil, app: world.app.number, now: .test(3))
            let found = try await division(push, world).division
            #expect(
                found.environments == [
                    .production: counts(2, 1, 0, opened: 2), .sandbox: counts(1, 0, 0), nil: counts(0, 0, 1),
                ])
            #expect(
                found.locales == [
                    "zh_CN": counts(2, 0, 0, opened: 1), "de_DE": counts(0, 1, 0),
                    "en_GB": counts(1, 0, 0, opened: 1), nil: counts(0, 0, 1),
                ])
            #expect(
                found.timeZones == [
                    "Asia/Shanghai": counts(2, 0, 0, opened: 1), "Europe/Berlin": counts(1, 1, 0, opened: 1),
                    nil: counts(0, 0, 1),
                ])
            #expect(found.gone == counts(0, 0, 0, opened: 1))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `devices that are gone are counted by themselves, and none twice`(kind: StoreUnderTest) async throws
    {
        try await PushWorld.with(kind) { world in
            var rows: [Installation] = []
            for number in 1...6 { rows.append(try await world.install(number, ["timeZone": "Asia/Tokyo"])) }
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim(at: 1))
            var report = BatchReport(
                outcomes: [.accepted, .accepted, .skipped, .accepted, .moved, .accepted], next: .finish)
            report.deferrals = [.init(notBefore: .test(30), positions: [4], attemptCount: 1)]
            _ = try await world.store.store(report, of: batch, now: .test(2))
            // The first, one between and the last.
            for index in [0, 2, 5] {
                _ = try await world.store.deleteInstallation(
                    objectID: rows[index].objectID, condition: nil, app: world.app.number, now: .test(3))
            }
            let (found, pages) = try await division(push, world)
            #expect(found.gone == counts(2, 1, 0))
            #expect(found.timeZones == ["Asia/Tokyo": counts(2, 0, 1)])
            // Each of the two batches is a page, and the end is seen after them.
            #expect(pages >= 3)
            let record = try #require(try await world.record(push))
            let all = found.timeZones.values.reduce(found.gone.deviceCount) { $0 + $1.deviceCount }
            #expect(all == record.deviceCount)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `devices that are far apart are found as those are that stand together`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...40 {
                try await world.install(
                    number,
                    [
                        "timeZone": .string(number.isMultiple(of: 20) ? "Asia/Tokyo" : "UTC"),
                        "channels": number.isMultiple(of: 20) ? ["far"] : [],
                    ])
            }
            let push = try await world.push { $0.channels = ["far"] }
            try await world.plan()
            _ = try await world.sendAll(at: .test(1))
            #expect(try await division(push, world).division.timeZones == ["Asia/Tokyo": counts(2, 0, 0)])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what nobody has divides into nothing, and another app's push is nobody's`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            let other = try await world.store.makeApp("other")
            let push = try await world.push()
            try await world.plan()
            for (id, app) in [("none", world.app), (push.recordID, other)] {
                let page = try await world.store.outcomeDivision(
                    record: id, after: 0, limit: 10, app: app.number)
                #expect(page.division == OutcomeDivision() && page.next == nil)
                let opens = try await world.store.openDivision(
                    record: id, after: "", limit: 10, app: app.number)
                #expect(opens.division == OutcomeDivision() && opens.next == nil)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a small audience is counted, and a list of tokens too`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            var tokens = PushRequest(data: ["alert": "x"])
            tokens.deviceTokens = [PushWorld.token(1)]
            for request in [PushRequest(data: ["alert": "x"]), tokens] {
                let estimate = try await world.store.audienceEstimate(
                    of: request, app: world.app, now: .test())
                #expect(estimate == .countable)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a large audience is estimated near its count, for every way to choose it`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            for start in stride(from: 0, to: 42_000, by: 2_000) {
                let rows = (start..<start + 2_000).map { number in
                    ImportedInstallation(fields: [
                        "objectId": .string("row\(number)"), "updatedAt": .string(Instant.test(-1).iso8601),
                        "deviceType": "ios", "deviceToken": .string(PushWorld.token(number + 1)),
                        "age": .integer(Int64(number % 3)), "channels": number % 2 == 0 ? ["even"] : [],
                    ])
                }
                _ = try await world.store.importInstallations(rows, app: world.app.number, now: .test(-1))
            }
            func estimate(_ change: (inout PushRequest) throws -> Void) async throws -> AudienceEstimate {
                var request = PushRequest(data: ["alert": "x"])
                try change(&request)
                return try await world.store.audienceEstimate(of: request, app: world.app, now: .test())
            }
            #expect(try await estimate { _ in } == .about(42_000))
            #expect(try await estimate { $0.channels = ["even"] } == .about(21_000))
            #expect(try await estimate { $0.channels = ["even", "odd"] } == .about(21_000))
            #expect(try await estimate { $0.filter = try WhereClause(["age": 1]) } == .about(14_000))
            #expect(try await estimate { $0.filter = try WhereClause(["age": 9]) } == .unclear)
            #expect(try await estimate { $0.isTest = true } == .unclear)
        }
    }
}
