import FoundationEssentials
import PostgreSQL
import Recurrence
import Synchronization
import Testing

@testable import PushStore

/// What becomes of a running node under which a newer one changes the schema.
@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .timeLimit(.minutes(10)))
struct PostgreSQLCompatibilityTests {
    private static let known = PostgreSQLStore.knownSchemaVersion

    /// A step that this program does not know; taken back whatever the body does, for the schema is used again.
    private func withNewerStep(
        compatibleVersion: Int, _ store: PostgreSQLStore, _ body: () async throws -> Void
    ) async throws {
        try await store.write { session in
            try session.execute(
                "INSERT INTO schema_version (version, name, compatible_version) VALUES ($1, 'later', $2)",
                [.integer(Self.known + 1), .integer(compatibleVersion)])
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try await store.write { session in
            try session.execute("DELETE FROM schema_version WHERE name = 'later'")
        }
        try result.get()
    }

    /// Lets a store look, as it does by itself after a second.
    private func advance(_ store: PostgreSQLStore) async throws {
        store.leaseRenewal.withLock { $0 = nil }
        _ = try await store.advance(now: .test())
    }

    @Test func `a running node under which a newer one makes a step it cannot work with takes no more work`()
        async throws
    {
        try await PushWorld.with(.postgresql) { world in
            let store = try #require(world.store as? PostgreSQLStore)
            try await world.installMany(4_000)
            let push = try await world.push()
            try await world.plan()
            let held = try #require(try await world.claim())
            #expect(store.incompatibility == nil)
            let later = try await world.push()
            try await withNewerStep(compatibleVersion: Self.known + 1, store) {
                try await advance(store)
                let reason = try #require(store.incompatibility)
                #expect(reason.contains("version \(Self.known + 1)"))
                #expect(reason.contains("up to \(Self.known)"))
                #expect(try await world.claim() == nil)
                #expect(try await store.nextBatchTime(held: []) == nil)
                #expect(try await !store.planChunk(now: .test()))
                #expect(try await world.state(later) == .scheduled)
                // A node that knows the step takes the lease over.
                let isRenewed = try await store.write { session in
                    try session.execute("UPDATE leases SET until = clock_timestamp() - interval '1 second'")
                    return try session.query("SELECT until > clock_timestamp() FROM leases")[0].boolean(0)
                }
                try await advance(store)
                #expect(
                    try await store.read {
                        try $0.query("SELECT until > clock_timestamp() FROM leases")[0].boolean(0)
                    } == isRenewed)
                // What is on the wire has its outcomes all the same.
                #expect(try await world.finish(held) == .running)
                #expect(try await world.record(push)?.outcomes[.accepted] == held.count)
            }
            // The step was taken back.
            try await advance(store)
            #expect(store.incompatibility == nil)
            try await world.plan()
            #expect(try await world.sendAll(at: .test()).count == 8_000 - held.count)
        }
    }

    @Test func `a running node goes on beside a newer one whose step allows it`() async throws {
        try await PushWorld.with(.postgresql) { world in
            let store = try #require(world.store as? PostgreSQLStore)
            try await world.install(1)
            try await withNewerStep(compatibleVersion: Self.known, store) {
                try await advance(store)
                #expect(store.incompatibility == nil)
                #expect(try await world.reached().count == 1)
            }
        }
    }

    @Test func `webhooks are told nothing by a node that cannot work with the schema`() async throws {
        try await PushWorld.with(.postgresql) { world in
            let store = try #require(world.store as? PostgreSQLStore)
            let webhook = Webhook(
                url: "https://example.com/hook", secret: "secret-0123456789", kinds: [.open],
                createdAt: .test())
            _ = try await store.addWebhook(webhook, app: world.app.number)
            try await store.recordWebhookEvent(
                .opened(pushID: "p", installationID: nil, at: .test()), app: world.app.number, now: .test())
            func claim() async throws -> Int {
                try await store.claimWebhookDeliveries(
                    busy: [], webhookLimit: 1, limitPerWebhook: 1, createdAfter: .test(-10),
                    leaseUntil: .test(), now: .test()
                ).count
            }
            #expect(try await claim() == 1)
            try await withNewerStep(compatibleVersion: Self.known + 1, store) {
                try await advance(store)
                #expect(try await claim() == 0)
            }
            try await advance(store)
            #expect(try await claim() == 1)
        }
    }

    @Test func `a command does not bring the schema further than the nodes that run know it`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        // A schema of its own: those of other tests have all steps.
        let name = "older_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
        let session = try Session(Session.Configuration(connectionString: try TestServer.connectionString()))
        try session.execute("CREATE SCHEMA \(name)")
        defer { _ = try? session.execute("DROP SCHEMA \(name) CASCADE") }
        let address = try TestServer.address(ofSchema: name)
        let secret = StoreSecret.random()
        do {
            let older = try Session(Session.Configuration(connectionString: address))
            try older.migrate(Array(PostgreSQLSchema.migrations.dropLast()))
        }
        let error = await #expect(throws: StoreError.self) {
            try await PostgreSQLStore.open(address, secret: secret, configuration: .command)
        }
        #expect(error?.message.contains("schema version \(Self.known - 1) ") == true)
        #expect(error?.message.contains("works with \(Self.known)") == true)
        let node = try await PostgreSQLStore.open(address, secret: secret)
        #expect(node.serverMilliseconds != nil, "the server's clock counts from the first moment")
        let command = try await PostgreSQLStore.open(address, secret: secret, configuration: .command)
        #expect(try await command.apps().isEmpty)
        await command.close()
        await node.close()
    }
}
