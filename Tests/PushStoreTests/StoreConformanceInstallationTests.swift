import APNs
import PushStore
import Recurrence
import Testing

struct StoreConformanceInstallationTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `a new row has LeanCloud's fields and nothing else`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let saved = try await store.save(
                [
                    "deviceType": "ios", "deviceToken": "AB01", "installationId": "I1",
                    "apnsTopic": "com.example.news",
                    "apnsTeamId": "TEAM", "deviceProfile": "dev", "timeZone": "Asia/Shanghai",
                    "channels": ["b", "a", "b"],
                    "localeIdentifier": "zh-Hans-CN", "environment": "development", "level": 3,
                ], app, at: 1)
            #expect(saved.wasCreated)
            let row = saved.installation
            #expect(row.objectID.count == 24 && row.objectID.allSatisfy(\.isHexDigit))
            #expect(
                row.object == [
                    "objectId": .string(row.objectID), "createdAt": .string(Instant.test(1).iso8601),
                    "updatedAt": .string(Instant.test(1).iso8601), "deviceType": "ios", "deviceToken": "ab01",
                    "installationId": "I1", "apnsTopic": "com.example.news", "apnsTeamId": "TEAM",
                    "deviceProfile": "dev", "timeZone": "Asia/Shanghai", "channels": ["a", "b"], "badge": 0,
                    "valid": true, "localeIdentifier": "zh-Hans-CN", "environment": "sandbox", "level": 3,
                ])
            #expect(row.locale == "zh-Hans-CN")
            #expect(row.tokenRegisteredAt == .test(1))
            #expect(try await store.installation(objectID: row.objectID, app: app.number) == row)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an SDK that always posts updates its one row`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let first = try await store.save(
                ["deviceToken": "AB01", "deviceType": "ios", "a": 1], app, at: 1)
            let second = try await store.save(["deviceToken": "ab01", "b": 2], app, at: 2)
            #expect(!second.wasCreated)
            #expect(second.installation.objectID == first.installation.objectID)
            #expect(second.installation.createdAt == .test(1))
            #expect(second.installation.updatedAt == .test(2))
            #expect(second.installation.attributes == ["a": 1, "b": 2])
            #expect(second.changedKeys == ["deviceToken", "b"])
            #expect(try await store.count(app) == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a token moved to another row is on that row only`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let old = try await store.save(
                ["deviceToken": "aa", "installationId": "old", "channels": ["x"]], app, at: 1)
            let new = try await store.save(["deviceToken": "bb", "installationId": "new"], app, at: 2)
            // A phone restored from a backup keeps its installation and gets the token of another row.
            let moved = try await store.save(["deviceToken": "aa", "installationId": "new"], app, at: 3)
            #expect(moved.installation.objectID == new.installation.objectID)
            #expect(moved.installation.deviceToken == "aa")
            #expect(try await store.installation(objectID: old.installation.objectID, app: app.number) == nil)
            #expect(try await store.count(app) == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an update by objectId takes the token from the row that had it`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let one = try await store.save(["deviceToken": "aa"], app, at: 1)
            let two = try await store.save(["deviceToken": "bb"], app, at: 2)
            let saved = try await store.update(two.installation, ["deviceToken": "AA"], app, at: 3)
            #expect(saved.installation.number == two.installation.number)
            #expect(try await store.installation(objectID: one.installation.objectID, app: app.number) == nil)
            #expect(try await store.count(app) == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the same installation without ids before goes on as the older row`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let byToken = try await store.save(["deviceToken": "aa", "user": "u"], app, at: 1)
            _ = try await store.save(["installationId": "i"], app, at: 2)
            let merged = try await store.save(["deviceToken": "aa", "installationId": "i"], app, at: 3)
            #expect(merged.installation.objectID == byToken.installation.objectID)
            #expect(merged.installation.installationID == "i")
            #expect(merged.installation.attributes == ["user": "u"])
            #expect(try await store.count(app) == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `rows of one app are not seen or changed through another`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let other = try await store.makeApp("other")
            let row = try await store.save(["deviceToken": "aa", "channels": ["c"]], app, at: 1).installation
            let twin = try await store.save(["deviceToken": "aa"], other, at: 2)
            #expect(twin.wasCreated)
            #expect(try await store.installation(objectID: row.objectID, app: other.number) == nil)
            let error = await #expect(throws: ChangeError.self) {
                try await store.update(row, ["a": 1], other, at: 3)
            }
            #expect(error?.code == 101)
            #expect(
                try await !store.deleteInstallation(
                    objectID: row.objectID, condition: nil, app: other.number, now: .test()))
            let found = try await store.installations(InstallationFind(), app: other.number, now: .test())
            #expect(found == [twin.installation])
            #expect(
                try await store.scanInstallations(nil, after: 0, limit: 9, app: other.number, now: .test())
                    == [twin.installation])
            #expect(try await store.installation(objectID: row.objectID, app: app.number) == row)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a body at fault changes nothing`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let row = try await store.save(["deviceToken": "aa", "name": "n"], app, at: 1).installation
            let twin = try await store.save(["deviceToken": "bb"], app, at: 1).installation
            let error = await #expect(throws: ChangeError.self) {
                try await store.update(
                    row, ["deviceToken": "bb", "name": ["__op": "Increment", "amount": 1]], app, at: 2)
            }
            #expect(error?.code == 111)
            #expect(try await store.installation(objectID: row.objectID, app: app.number) == row)
            #expect(try await store.installation(objectID: twin.objectID, app: app.number) == twin)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `deleting removes a row once`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let row = try await store.save(["deviceToken": "aa", "channels": ["c"]], app, at: 1).installation
            func delete() async throws -> Bool {
                try await store.deleteInstallation(
                    objectID: row.objectID, condition: nil, app: app.number, now: .test())
            }
            #expect(try await delete())
            #expect(try await !delete())
            #expect(try await store.count(app) == 0)
            let again = try await store.save(["deviceToken": "aa"], app, at: 2)
            #expect(again.wasCreated)
            #expect(again.installation.number > row.number)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a scan walks all rows once in slices`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            var numbers: [Int64] = []
            for index in 0..<25 {
                numbers.append(
                    try await store.save(["deviceToken": .string("a\(index)")], app, at: 1).installation
                        .number)
            }
            var seen: [Int64] = []
            while true {
                let slice = try await store.scanInstallations(
                    nil, after: seen.last ?? 0, limit: 10, app: app.number, now: .test())
                if slice.isEmpty { break }
                seen += slice.map(\.number)
            }
            #expect(seen == numbers.sorted())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `lists are sorted, cut and skipped as asked`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            for (index, level) in [3, 1, 2].enumerated() {
                _ = try await store.save(
                    [
                        "installationId": .string("i\(index)"), "level": .integer(Int64(level)),
                        "info": ["rank": .integer(Int64(-level))],
                    ],
                    app, at: Int64(index))
            }
            func ids(
                _ order: [InstallationFind.Order], limit: Int = 100, skip: Int = 0
            ) async throws -> [String?] {
                try await store.installations(
                    InstallationFind(order: order, limit: limit, skip: skip), app: app.number, now: .test()
                ).map(\.installationID)
            }
            #expect(try await ids([]) == ["i0", "i1", "i2"])
            #expect(try await ids([.init(key: "createdAt", isDescending: true)]) == ["i2", "i1", "i0"])
            #expect(try await ids([.init(key: "level")]) == ["i1", "i2", "i0"])
            #expect(try await ids([.init(key: "info.rank")]) == ["i0", "i2", "i1"])
            #expect(
                try await ids(
                    [.init(key: "deviceType"), .init(key: "level", isDescending: true)], limit: 1, skip: 1)
                    == ["i2"])
            let none = try await ids([], limit: 0)
            #expect(none == [])
            for key in ["a'b", "a\"b", "", "a..b", "1a", "x; DROP TABLE installations"] {
                let error = await #expect(throws: StoreError.self) { try await ids([.init(key: key)]) }
                #expect(error?.code == .invalid)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `rows that were not saved for 90 days go, others stay`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let day: Int64 = 86_400
            for index in 0..<5 {
                _ = try await store.save(["deviceToken": .string("a\(index)")], app, at: Int64(index) * day)
            }
            let now = Instant.test(92 * day)
            #expect(try await store.removeExpiredInstallations(now: now, limit: 1) == 1)
            #expect(try await store.removeExpiredInstallations(now: now, limit: 100) == 1)
            #expect(try await store.removeExpiredInstallations(now: now, limit: 100) == 0)
            let left = try await store.installations(InstallationFind(), app: app.number, now: now)
            #expect(left.map(\.deviceToken) == ["a2", "a3", "a4"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a zone change is dated, a new row's zone is none`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            #expect(
                try await store.save(["deviceToken": "b", "timeZone": "Asia/Tokyo"], app, at: 1).installation
                    .zoneChangedAt == nil)
            #expect(try await store.save(["deviceToken": "a"], app, at: 1).installation.zoneChangedAt == nil)
            // Without a zone it was on UTC's clock, and may have had a push by it.
            #expect(
                try await store.save(["deviceToken": "a", "timeZone": "Asia/Tokyo"], app, at: 2).installation
                    .zoneChangedAt == .test(2))
            #expect(
                try await store.save(["deviceToken": "a", "timeZone": "Asia/Tokyo"], app, at: 3).installation
                    .zoneChangedAt == .test(2))
            #expect(
                try await store.save(["deviceToken": "a", "timeZone": "Asia/Seoul"], app, at: 4).installation
                    .zoneChangedAt == .test(4))
            #expect(
                try await store.save(["deviceToken": "a"], app, at: 5).installation.zoneChangedAt == .test(4))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `saves from everywhere at once make one row a token`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<400 {
                    group.addTask {
                        _ = try await store.save(
                            [
                                "deviceToken": .string("t\(index % 20)"),
                                "installationId": .string("i\(index % 30)"),
                                "count": ["__op": "Increment", "amount": 1],
                            ], app, at: Int64(index))
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await store.installations(InstallationFind(), app: app.number, now: .test())
            let tokens = rows.compactMap(\.deviceToken)
            #expect(Set(tokens).count == tokens.count)
            #expect(rows.count <= 30)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an import keeps ids and times, and yields to what was saved later`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let late = try await store.save(["deviceToken": "cc"], app, at: 1_000).installation
            let iso = Instant.test(10).iso8601
            let results = try await store.importInstallations(
                [
                    ImportedInstallation(fields: [
                        "objectId": "51fcb74ee4b074ac5c34cf85", "createdAt": .string(iso),
                        "updatedAt": ["__type": "Date", "iso": .string(iso)], "deviceToken": "AA",
                        "deviceType": "ios",
                        "channels": ["x"], "vip": true,
                    ]),
                    ImportedInstallation(fields: ["deviceToken": "bb"]),
                    ImportedInstallation(fields: [
                        "objectId": "a1", "updatedAt": .string(iso), "deviceToken": "cc",
                    ]),
                    ImportedInstallation(fields: [
                        "objectId": "a2", "updatedAt": .string(iso), "badge": "many",
                    ]),
                ], app: app.number, now: .test(2_000))
            #expect(results.map { $0?.code } == [nil, 104, 137, 111])
            let row = try #require(
                try await store.installation(objectID: "51fcb74ee4b074ac5c34cf85", app: app.number))
            #expect(row.createdAt == .test(10) && row.updatedAt == .test(10))
            #expect(row.deviceToken == "aa" && row.channels == ["x"] && row.attributes == ["vip": true])
            #expect(try await store.installation(objectID: late.objectID, app: app.number) == late)
            #expect(try await store.count(app) == 2)
        }
    }
}
