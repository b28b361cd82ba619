import APNs
import PushStore
import Recurrence
import Testing

struct StoreConformanceEventTests {
    private static let day: Int64 = 86_400

    private func event(
        _ row: Installation, _ name: String = "read", tags: [String: Double] = [:], article: String? = nil,
        at seconds: Int64 = 0
    ) -> BehaviourEvent {
        BehaviourEvent(
            source: .objectID(row.objectID), name: name, tags: tags, article: article, at: .test(seconds))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what a person reads becomes an interest that fades by half in two weeks`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let row = try await store.save(["deviceToken": "ab01", "deviceType": "ios"], app, at: 0)
                .installation
            #expect(
                try await store.recordEvents(
                    [event(row, tags: ["sports": 1, "tennis": 3]), event(row, tags: ["sports": 1])],
                    app: app.number, now: .test()) == [true, true])
            let now = try await store.interests(objectID: row.objectID, app: app.number, now: .test())
            #expect(now.map(\.tag) == ["tennis", "sports"])
            // Three events' weight is 3 / (3 + 1), two are 2 / (2 + 1).
            #expect(now.map { ($0.value * 1000).rounded() } == [750, 667])
            let later = try await store.interests(
                objectID: row.objectID, app: app.number, now: .test(14 * Self.day))
            #expect(later.map { ($0.value * 1000).rounded() } == [600, 500])
            let muchLater = try await store.interests(
                objectID: row.objectID, app: app.number, now: .test(365 * Self.day))
            #expect(muchLater.isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `interests choose an audience in a where, and fade out of it`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let fan = try await store.save(["deviceToken": "ab01", "deviceType": "ios"], app, at: 0)
                .installation
            _ = try await store.save(["deviceToken": "ab02", "deviceType": "ios"], app, at: 0)
            _ = try await store.recordEvents(
                [event(fan, tags: ["sports": 1])], app: app.number, now: .test())
            let filter = try WhereClause(["interests.sports": ["$gte": 0.3]])
            func found(_ seconds: Int64) async throws -> [String] {
                try await store.installations(
                    InstallationFind(filter: filter), app: app.number, now: .test(seconds)
                ).map(\.objectID)
            }
            #expect(try await found(0) == [fan.objectID])
            // 1 / (1 + 1) falls below 0.3 when the weight is 3/7, after 1.22 half-lives.
            #expect(try await found(17 * Self.day) == [fan.objectID])
            #expect(try await found(18 * Self.day).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `events are counted by name and day and known installations only`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let other = try await store.makeApp("shop")
            let row = try await store.save(
                ["deviceToken": "ab01", "installationId": "i1", "deviceType": "ios"], app, at: 0
            ).installation
            let events = [
                BehaviourEvent(source: .deviceToken("ab01"), name: "read", at: .test()),
                BehaviourEvent(source: .installationID("i1"), name: "read", at: .test(10)),
                BehaviourEvent(source: .installationID("i2"), name: "read", tags: ["x": 1], at: .test(10)),
                event(row, "buy", at: -Self.day),
            ]
            #expect(
                try await store.recordEvents(events, app: app.number, now: .test(20))
                    == [true, true, false, true])
            #expect(
                try await store.recordEvents([event(row)], app: other.number, now: .test(20)) == [false])
            let today = Int(Instant.test().secondsSince1970 / 86_400)
            let counts = try await store.eventCounts(
                since: CivilDate(daysSince1970: today - 1), app: app.number)
            #expect(
                counts == [
                    EventCount(day: CivilDate(daysSince1970: today), name: "read", count: 2),
                    EventCount(day: CivilDate(daysSince1970: today - 1), name: "buy", count: 1),
                ])
            #expect(
                try await store.eventCounts(since: CivilDate(daysSince1970: 0), app: other.number).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `faded interests are forgotten and those still felt stay`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let row = try await store.save(["deviceToken": "ab01", "deviceType": "ios"], app, at: 0)
                .installation
            _ = try await store.recordEvents(
                [
                    event(row, tags: ["old": 1], article: "a"),
                    event(row, tags: ["new": 1], at: 100 * Self.day),
                ],
                app: app.number, now: .test(100 * Self.day))
            let removed = try await store.removeFadedInterests(
                seenBefore: .test(Self.day), now: .test(150 * Self.day), limit: 100)
            #expect(removed == 4, "an interest, an article, two events")
            #expect(
                try await store.interests(objectID: row.objectID, app: app.number, now: .test(150 * Self.day))
                    .map(\.tag) == ["new"])
            #expect(
                try await store.interestCounts(
                    atLeast: 0.01, limit: 10, app: app.number, now: .test(150 * Self.day)
                ).map(\.tag) == ["new"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an installation that goes takes its interests along`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let row = try await store.save(["deviceToken": "ab01", "deviceType": "ios"], app, at: 0)
                .installation
            _ = try await store.recordEvents(
                [event(row, tags: ["sports": 1], article: "a")], app: app.number, now: .test())
            #expect(
                try await store.deleteInstallation(
                    objectID: row.objectID, condition: nil, app: app.number, now: .test()))
            #expect(
                try await store.interestCounts(atLeast: 0, limit: 10, app: app.number, now: .test()).isEmpty)
        }
    }
}
