import APNs
import Recurrence
import SQLite
import Testing

@testable import PushStore

/// What is particular to the SQLite store's queue: damaged rows, indexes, older files.
@Suite(.timeLimit(.minutes(10)))
struct SQLiteQueueTests {
    private func withWorld(_ body: (PushWorld, SQLiteStore) async throws -> Void) async throws {
        try await PushWorld.with(.sqlite) { world in
            try await body(world, try #require(world.store as? SQLiteStore))
        }
    }

    // MARK: Damage

    @Test(arguments: [
        "installations = x'ff'", "installations = x'0101'", "installations = NULL", "outcomes = x'00'",
        "outcomes = x''", "badges = x'ff'", "badges = x'01'", "articles = x'01'",
        "installations = NULL, tokens = '['", "installations = NULL, tokens = '[1,2]'", "tokens = '[\"aa\"]'",
    ])
    func `a batch that cannot be read is set aside and the others are sent`(damage: String) async throws {
        try await withWorld { world, store in
            try await world.installMany(3_000)
            let push = try await world.push()
            try await world.plan()
            try await store.write { database in
                try database.execute(
                    "UPDATE batches SET \(damage) WHERE number = (SELECT min(number) FROM batches)")
            }
            #expect(try await world.sendAll(at: .test()).count == 2_000)
            try await world.plan()
            let record = try #require(try await world.record(push))
            #expect(record.outcomes == [.accepted: 2_000, .damaged: 1_000])
            #expect(record.deviceCount == 3_000 && record.status == "done")
            #expect(record.errors?.contains("1000 devices were not sent to") == true)
        }
    }

    @Test(arguments: ["request = '{'", "request = '[]'", "state = 'lost'", "request = '{\"time\": 7}'"])
    func `a push that cannot be read holds up no other`(damage: String) async throws {
        for stage in 0..<3 {
            try await withWorld { world, store in
                try await world.installMany(1_500)
                let other = try await world.store.makeApp("other")
                try await world.install(1, app: other)
                let bad = try await world.push()
                if stage > 0 { _ = try await world.store.advance(now: .test()) }
                if stage > 1 { while try await world.store.planChunk(now: .test()) {} }
                try await store.write { database in
                    try database.execute(
                        "UPDATE pushes SET \(damage) WHERE number = ?", [.integer(bad.number)])
                }
                let good = try await world.push()
                let elsewhere = try await world.push(app: other)
                try await world.plan()
                _ = try await world.sendAll(at: .test())
                try await world.plan()
                #expect(try await world.record(good)?.outcomes == [.accepted: 1_500])
                #expect(try await world.record(elsewhere)?.outcomes == [.accepted: 1])
                // A row in a state nobody knows is in nobody's way; one without a request is ended.
                if stage > 1 || damage.hasPrefix("request") {
                    let ended = try await store.read { database in
                        try database.first(
                            "SELECT state, error, (SELECT sum(pending_count) FROM batches WHERE push = number) FROM pushes WHERE number = ?",
                            [.integer(bad.number)]
                        ) { row throws(SQLiteError) in
                            (try row.string(0), try row.optionalString(1), try row.optionalInteger(2))
                        }
                    }
                    #expect(ended?.0 == "cancelled" && ended?.1?.contains("cannot be read") == true)
                    #expect((ended?.2 ?? 0) == 0, "each of its devices has an outcome")
                }
            }
        }
    }

    @Test func `a push whose audience cannot be found is stopped and says so, and others go on`() async throws
    {
        try await withWorld { world, store in
            for number in 1...3 { try await world.install(number, ["level": 1, "channels": ["news"]]) }
            // A row that is no JSON: whoever looks into it fails.
            try await store.write { database in
                try database.execute("UPDATE installations SET attributes = '{' WHERE number = 2")
            }
            let bad = try await world.push { $0.filter = try WhereClause(["level": ["$gte": 1]]) }
            let good = try await world.push { $0.channels = ["news"] }
            _ = try await world.store.advance(now: .test())
            var failures: [StoreError] = []
            for _ in 0..<10 {
                do throws(StoreError) { _ = try await world.store.planChunk(now: .test()) } catch {
                    failures.append(error)
                }
            }
            #expect(failures.count == 3)
            #expect(failures.allSatisfy { $0.push?.objectID == bad.objectID && $0.push?.app == world.app.id })
            // The last one has stopped it, and says with which words.
            #expect(failures.map { $0.push?.stop != nil } == [false, false, true])
            #expect(failures.last?.push?.stop == (try await world.record(bad)?.errors))
            #expect(try await world.state(bad) == .paused)
            #expect(try await world.record(bad)?.errors?.contains("audience") == true)
            #expect(try await world.sendAll(at: .test()).count == 3)
            try await world.plan()
            #expect(try await world.state(good) == .done)
        }
    }

    // MARK: Indexes

    private func plan(
        _ store: SQLiteStore, _ sql: String, _ values: [Value] = []
    ) async throws -> [String] {
        try await store.read { database in
            try database.all("EXPLAIN QUERY PLAN \(sql)", values) { row throws(SQLiteError) in
                try row.string(3)
            }
        }
    }

    @Test func `choosing what is next walks no table`() async throws {
        try await withWorld { world, store in
            try await world.installMany(2_000)
            _ = try await world.push()
            try await world.plan()
            let queries: [(String, [Value])] = [
                (FairTurn.nextAppQuery, []), (FairTurn.nextBatchQuery, [.integer(1)]),
                (SQLiteStore.appsWithSegmentsQuery, [.integer(0)]),
                ("SELECT EXISTS (SELECT 1 FROM batches WHERE state = 4 AND not_before <= ?)", [.integer(0)]),
                ("SELECT EXISTS (SELECT 1 FROM batches WHERE state = 1 AND lease_until <= ?)", [.integer(0)]),
                ("SELECT min(not_before) FROM batches WHERE state = 4", []),
                ("SELECT min(lease_until) FROM batches WHERE state = 1", []),
            ]
            for (sql, values) in queries {
                let steps = try await plan(store, sql, values)
                let tables = steps.filter { $0.contains("batches") || $0.contains("segments") }
                #expect(!tables.isEmpty)
                for step in tables {
                    #expect(step.hasPrefix("SEARCH") && step.contains("INDEX"), "\(sql): \(step)")
                }
                #expect(!steps.contains { $0.hasPrefix("SCAN apps") || $0.hasPrefix("SCAN a ") }, "\(steps)")
            }
            let batch = try await plan(store, FairTurn.nextBatchQuery, [.integer(1)])
            #expect(!batch.contains { $0.contains("TEMP B-TREE") }, "\(batch)")
        }
    }

    // MARK: Older files

    @Test func `batches of a file from before turns are sent`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file(SQLiteStore.fileName)
        try makeOldFile(path)
        let store = try await SQLiteStore.open(path: path, secret: .random())
        let world = PushWorld(store: store, app: try #require(try await store.apps().first))
        func claim(_ seconds: Int64) async throws -> Int64? {
            try await world.claim(at: Instant(secondsSince1970: seconds), lease: 1_000)?.number
        }
        #expect(try await claim(1) == 1)
        #expect(try await claim(1) == nil)
        #expect(try await claim(2) == 3, "the lease has run out")
        #expect(try await claim(49) == nil)
        #expect(try await claim(50) == 2)
        _ = try await store.setState(.paused, push: "p", app: 7, now: .test())
        _ = try await store.setState(.running, push: "p", app: 7, now: .test())
        #expect(try await claim(60) == 5)
        #expect(try await store.planChunk(now: Instant(secondsSince1970: 99)))
        await store.close()
    }

    private func makeOldFile(_ path: String) throws {
        let old = try Database(path: path)
        try old.migrate(Array(SQLiteSchema.migrations.prefix(4)))
        try old.executeScript(
            """
            INSERT INTO apps (number, id, name, topic, settings, created_at) VALUES (7, 'a', 'A', 'a.b', '{}', 0);
            INSERT INTO records (number, app, object_id, created_at) VALUES (1, 7, 'p', 0);
            INSERT INTO pushes (number, app, record, object_id, request, state, created_at, updated_at, due_at, began_at)
                VALUES (3, 7, 1, 'p', '{}', 'running', 0, 0, 0, 0);
            INSERT INTO segments (push, kind, due_at) VALUES (3, 'everybody', 99000);
            """)
        for (state, notBefore) in [(0, 1_000), (0, 50_000), (1, 1_000), (2, 1_000), (3, 1_000)] {
            try old.execute(
                """
                INSERT INTO batches (push, state, not_before, due_at, lease_until, first, last, device_count,
                    pending_count, installations, outcomes) VALUES (3, ?, ?, 0, 2000, 5, 5, 1, 1, x'05', x'00')
                """, [.integer(Int64(state)), .integer(Int64(notBefore))])
        }
        let request = try PushRow.text(PushRequest(data: ["alert": "a"]))
        try old.execute("UPDATE pushes SET request = ?", [.text(request)])
    }
}
