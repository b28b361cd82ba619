import APNs
import PostgreSQL
import PushStore
import Recurrence
import Testing

/// The connection breaks after the server has kept a transaction and before it has said so.
@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .timeLimit(.minutes(10)))
struct UncertainCommitTests {
    private func withWorld(_ body: (PushWorld, CuttingProxy) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let address = try await folder.schema()
        let port = try Session(Session.Configuration(connectionString: address)).query("SHOW port")[0].string(
            0)
        let proxy = try CuttingProxy(serverPort: try #require(UInt16(port)))
        defer { proxy.close() }
        let store = try await PostgreSQLStore.open(
            address.setting("host", to: "127.0.0.1").setting("port", to: String(proxy.port)),
            secret: .random(),
            configuration: PostgreSQLStore.Configuration(readerCount: 1, writerCount: 1, isNode: false))
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(PushWorld(store: store, app: try await store.makeApp()), proxy))
        } catch {
            result = .failure(error)
        }
        await store.close()
        try result.get()
    }

    @Test func `a push that was kept without the store hearing of it is looked up and is new`() async throws {
        try await withWorld { world, proxy in
            proxy.cutNextCommit()
            let made = try await world.store.createPush(
                PushRequest(data: ["alert": "hello"]), app: world.app, now: .test())
            #expect(proxy.cutCount == 1)
            #expect(made.isNew)
            let records = try await world.store.records(limit: 10, skip: 0, app: world.app.number)
            #expect(records.flatMap(\.pushes).map(\.objectID) == [made.push.objectID])
        }
    }

    @Test func `a batch whose claim was kept without the store hearing of it is its claimer's`() async throws
    {
        try await withWorld { world, proxy in
            let row = try await world.install(1)
            let push = try await world.push()
            try await world.plan()
            proxy.cutNextCommit()
            let batch = try #require(try await world.claim())
            #expect(proxy.cutCount == 1)
            #expect(batch.installations == [row.number])
            // It is theirs: nobody else gets it, and they may store what they find out.
            #expect(try await world.claim("other", at: 1) == nil)
            try await world.finish(batch, at: 1)
            try await world.plan(at: 1)
            #expect(try await world.record(push)?.outcomes == [.accepted: 1])
        }
    }

    @Test func `another change that was kept without the store hearing of it is said to be uncertain`()
        async throws
    {
        try await withWorld { world, proxy in
            let push = try await world.push()
            proxy.cutNextCommit()
            let error = await #expect(throws: StoreError.self) { try await world.set(.paused, push) }
            #expect(error?.code == .uncertain && proxy.cutCount == 1)
            #expect(try await world.state(push) == .paused)
        }
    }

    @Test func `saves that were kept together without the store hearing of it are not done again`()
        async throws
    {
        try await withWorld { world, proxy in
            let row = try await world.install(1)
            let app = world.app
            for round in 1...10 {
                // Most of those that wait for the first transaction share the second.
                proxy.cutNextCommit(after: round % 2)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            _ = try? await world.store.save(
                                InstallationChange(
                                    target: .existing(objectID: row.objectID),
                                    body: ["counter": ["__op": "Increment", "amount": 1]]),
                                app: app.number, now: .test(1))
                        }
                    }
                }
                // Each was done once, also those of which nobody knows it.
                let after = try await world.store.installation(objectID: row.objectID, app: app.number)
                #expect(after?.attributes["counter"] == .integer(Int64(50 * round)))
            }
            #expect(proxy.cutCount >= 5)
        }
    }
}
