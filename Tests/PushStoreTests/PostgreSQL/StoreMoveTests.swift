import APNs
import PostgreSQL
import PushStore
import Recurrence
import Testing

@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .timeLimit(.minutes(10)))
struct StoreMoveTests {
    @Test func `everything of a SQLite store is in PostgreSQL afterwards, and work goes on there`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let secret = StoreSecret.random()
        let old = try await StoreUnderTest.sqlite.open(folder, secret)
        let app = try await old.makeApp()
        let before = PushWorld(store: old, app: app)
        let row = try await before.install(
            9_000_001,
            [
                "channels": ["", "news", "体育"], "level": .number(0.1), "nested": ["a": [1, "é\"", nil]],
                "installationId": "i-1", "timeZone": "Asia/Shanghai", "valid": true, "badge": 3,
            ])
        try await before.installMany(6_000)
        _ = try await old.addCredential(
            PushCredential(
                secret: .key(p8: "-----BEGIN PRIVATE KEY-----", keyID: "ABCDE12345", teamID: "TEAM123456"),
                environments: [.production], teamID: "TEAM123456", createdAt: .test(1)), app: app.number)
        _ = try await old.addWebhook(
            Webhook(url: "https://example.com/h", secret: "0123456789abcdef", createdAt: .test()),
            app: app.number)
        _ = try await old.recordEvents(
            [
                BehaviourEvent(
                    source: .objectID(row.objectID), name: "read", tags: ["sports": 1], article: "a",
                    at: .test())
            ], app: app.number, now: .test())
        let done = try await before.push { $0.channels = ["news"] }
        try await before.plan()
        _ = try await before.sendAll(at: .test())
        try await before.plan()
        let later = try await before.push { $0.time = .at(.test(100)) }
        let formerRow = try await old.installation(objectID: row.objectID, app: app.number)
        let formerRecord = try await before.record(done)
        let formerKeys = try await old.keys(app: app.number, now: .test())
        let formerCredentials = try await old.credentials(app: app.number)
        let formerWebhooks = try await old.webhooks(app: app.number)
        for key in 1...20 {
            _ = try await old.shareProviderToken(
                SharedProviderToken(issuedAt: 1_000, text: "token \(key)"), key: [UInt8(key)], issuedAfter: 0)
        }
        await old.close()

        let move = StoreMove(
            fromFile: folder.file("belfry.sqlite"), to: try await folder.schema(), secret: secret)
        let report = try await move.run()
        #expect(report.tables.first { $0.name == "installations" }?.rowCount == 6_001)

        let error = await #expect(throws: StoreError.self) { try await move.run() }
        #expect(error?.code == .conflict)

        let new = try await StoreUnderTest.postgresql.open(folder, secret)
        let after = PushWorld(store: new, app: app)
        #expect(try await new.apps() == [app])
        #expect(Set(try await new.keys(app: app.number, now: .test())) == Set(formerKeys))
        #expect(try await new.credentials(app: app.number) == formerCredentials)
        #expect(try await new.webhooks(app: app.number) == formerWebhooks)
        #expect(try await new.installation(objectID: row.objectID, app: app.number) == formerRow)
        #expect(try await new.count(app) == 6_001)
        #expect(try await after.record(done) == formerRecord)
        #expect(
            try await new.interests(objectID: row.objectID, app: app.number, now: .test()).map(\.tag) == [
                "sports"
            ])
        // A row is found by each of its keys, and new rows get new numbers.
        let saved = try await new.save(["deviceToken": .string(PushWorld.token(9_000_001))], app, at: 5)
        #expect(!saved.wasCreated)
        let made = try await after.install(9_999_999, at: 5)
        #expect(made.number > row.number)
        try await after.plan(at: 100)
        #expect(try await after.sendAll(at: .test(100)).count == 6_002)
        try await after.plan(at: 101)
        #expect(try await after.state(later) == .done)
        for key in 1...21 {
            let used = try await new.shareProviderToken(
                SharedProviderToken(issuedAt: 1_001, text: "new"), key: [UInt8(key)], issuedAfter: 0)
            #expect(used.text == (key < 21 ? "token \(key)" : "new"))
        }
        await new.close()
    }
}
