import APNs
import PostgreSQL
import Recurrence
import Testing

@testable import PushStore

/// What is particular to the PostgreSQL store's queue: damaged rows, indexes, deadlines.
@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .timeLimit(.minutes(10)))
struct PostgreSQLQueueTests {
    private func withWorld(_ body: (PushWorld, PostgreSQLStore) async throws -> Void) async throws {
        try await PushWorld.with(.postgresql) { world in
            try await body(world, try #require(world.store as? PostgreSQLStore))
        }
    }

    // MARK: Races

    // Found by an hour of mixed load: the open was answered with "the database failed".
    @Test func `an open of a record that is just being removed is dropped and is no error`() async throws {
        try await withWorld { world, store in
            try await world.install(1)
            let push = try await world.push()
            let (removed, removal) = AsyncStream.makeStream(of: Void.self)
            async let removing: Void = store.write { session in
                let count = try session.execute(
                    "DELETE FROM records WHERE object_id = $1", [.text(push.recordID)])
                #expect(count == 1)
                removal.finish()
                // Until the open waits for this transaction.
                while try session.query(
                    "SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid"
                ).isEmpty {}
            }
            for await _ in removed {}
            _ = try await store.countOpen(
                record: push.recordID, installation: "one", app: world.app.number, now: .test())
            try await removing
            #expect(
                try await store.countOpen(
                    record: push.recordID, installation: "one", app: world.app.number, now: .test()) == false)
        }
    }

    // MARK: Damage

    @Test(arguments: [
        #"installations = '\xff'"#, #"installations = '\x0101'"#, "installations = NULL",
        #"outcomes = '\x00'"#, #"outcomes = ''"#, #"badges = '\xff'"#, #"badges = '\x01'"#,
        #"articles = '\x01'"#, "installations = NULL, tokens = '['",
        "installations = NULL, tokens = '[1,2]'", "tokens = '[\"aa\"]'",
    ])
    func `a batch that cannot be read is set aside and the others are sent`(damage: String) async throws {
        try await withWorld { world, store in
            try await world.installMany(3_000)
            let push = try await world.push()
            try await world.plan()
            try await store.write { session in
                let changed = try session.execute(
                    "UPDATE batches SET \(damage) WHERE number = (SELECT min(number) FROM batches)")
                #expect(changed == 1)
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
                try await store.write { session in
                    try session.execute(
                        "UPDATE pushes SET \(damage) WHERE number = $1", [.integer(bad.number)])
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
                    let ended = try await store.read { session in
                        let row = try session.query(
                            """
                            SELECT state, error, coalesce(
                                (SELECT sum(pending_count) FROM batches WHERE push = pushes.number), 0)::bigint
                            FROM pushes WHERE number = $1
                            """, [.integer(bad.number)])[0]
                        return (try row.string(0), try row.optionalString(1), try row.integer(2))
                    }
                    #expect(ended.0 == "cancelled" && ended.1?.contains("cannot be read") == true)
                    #expect(ended.2 == 0, "each of its devices has an outcome")
                }
            }
        }
    }

    // MARK: Broken connections

    @Test func `a connection that breaks while a push is being kept leaves no half of it and says so`()
        async throws
    {
        try await withWorld { world, store in
            try await store.write { session in
                try session.executeScript(
                    """
                    CREATE SEQUENCE cuts;
                    CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        IF nextval('cuts') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                        RETURN NULL; END $$;
                    CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON pushes DEFERRABLE INITIALLY DEFERRED
                        FOR EACH ROW EXECUTE FUNCTION cut()
                    """)
            }
            let error = await #expect(throws: StoreError.self) {
                try await world.push { $0.requestID = "once" }
            }
            #expect(error?.code == .uncertain)
            let first = try await world.push { $0.requestID = "once" }
            let second = try await world.push { $0.requestID = "once" }
            #expect(first.objectID == second.objectID)
            let count = try await store.read { session in
                try session.query("SELECT count(*) FROM pushes")[0].integer(0)
            }
            #expect(count == 1)
        }
    }

    // MARK: Deadlines

    @Test func `a query that takes too long is given up and says so, and others go on`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await PostgreSQLStore.open(
            try await folder.schema(), secret: .random(),
            configuration: PostgreSQLStore.Configuration(
                readerCount: 2, writerCount: 1, isNode: false, queryMillisecondsMax: 200))
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) {
                try await store.readLimited { session, _ in try session.query("SELECT pg_sleep(3000)").count }
            }
            #expect(error?.code == .tooCostly)
        }
        // The time is that of all statements together.
        let error = await #expect(throws: StoreError.self) {
            try await store.readLimited { session, deadline in
                while true {
                    try deadline.apply(to: session)
                    try session.query("SELECT pg_sleep(0.02)")
                }
            }
        }
        #expect(error?.code == .tooCostly)
        // What the deadline was for one query is none for the next on the same connection.
        let timeout = try await store.readLimited { session, _ in
            try session.query("SELECT current_setting('transaction_isolation')")[0].string(0)
        }
        #expect(timeout == "repeatable read")
        for _ in 0..<4 {
            let left = try await store.read { session in
                try session.query("SELECT current_setting('statement_timeout')")[0].string(0)
            }
            #expect(left == "0")
        }
        await store.close()
    }

    @Test func `a client's condition has a deadline, a push's audience has none`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await PostgreSQLStore.open(
            try await folder.schema(), secret: .random(),
            configuration: PostgreSQLStore.Configuration(
                readerCount: 2, writerCount: 1, isNode: false, queryMillisecondsMax: 0))
        let world = PushWorld(store: store, app: try await store.makeApp())
        try await world.installMany(10)
        for filter in [
            try WhereClause(["deviceType": "ios"]), try WhereClause(["deviceToken": ["$regex": "."]]),
        ] {
            let count = await #expect(throws: StoreError.self) {
                _ = try await store.installationCount(filter, app: world.app.number, now: .test())
            }
            let find = await #expect(throws: StoreError.self) {
                var find = InstallationFind()
                find.filter = filter
                _ = try await store.installations(find, app: world.app.number, now: .test())
            }
            let scan = await #expect(throws: StoreError.self) {
                _ = try await store.scanInstallations(
                    filter, after: 0, limit: 5, app: world.app.number, now: .test())
            }
            #expect([count, find, scan].allSatisfy { $0?.code == .tooCostly })
        }
        _ = try await world.push { $0.filter = try WhereClause(["deviceToken": ["$regex": "."]]) }
        try await world.plan()
        #expect(try await world.sendAll(at: .test()).count == 10)
        await store.close()
    }

    // MARK: Indexes

    @Test func `choosing what is next walks no table`() async throws {
        try await withWorld { world, store in
            try await world.installMany(2_000)
            _ = try await world.push()
            try await world.plan()
            let batch = PostgreSQLTurn.nextBatchQuery.replacing("$4", with: "$1")
            for sql in [PostgreSQLTurn.nextAppsQuery, batch] {
                let steps = try await store.write { session in
                    try session.query("EXPLAIN (COSTS OFF) \(sql)", [.integer(1)], isKept: false).map {
                        try $0.string(0)
                    }
                }
                let scans = steps.filter { $0.contains("batches") && $0.contains("Scan") }
                #expect(!scans.isEmpty)
                for scan in scans { #expect(scan.contains("app_turn_number_idx"), "\(scan)") }
                if sql == batch {
                    #expect(!steps.contains { $0.contains("Sort Key") && !$0.contains("turn") })
                }
            }
        }
    }

    @Test(arguments: ["merge", "hash", "nestloop"])
    func `a page of a channel's members reads neither table from its first row`(join: String) async throws {
        try await withWorld { world, store in
            try await world.installMany(4_000)
            let app = world.app.number
            let query = PostgreSQLWhere(
                try WhereClause(["channels": "all"]), app: app, now: .test(), purpose: .walk)
            try await store.write { session in
                try session.execute(
                    """
                    INSERT INTO installation_channels (app, channel, installation)
                    SELECT app, 'all', number FROM installations
                    """)
            }
            let (steps, numbers) = try await store.write { session -> ([String], [Int64]) in
                // However the server joins them; which way it would take by itself depends on how many rows there are.
                for method in ["mergejoin", "hashjoin", "nestloop"] {
                    let isOn = method.hasPrefix(join)
                    try session.executeScript("SET LOCAL enable_\(method) = \(isOn ? "on" : "off")")
                }
                let last = try session.query(
                    "SELECT number FROM installations ORDER BY number OFFSET 3000 LIMIT 1")[0].integer(0)
                var sql = PostgreSQLFragment("SELECT i.number FROM ")
                sql.append(query.source)
                sql.append(" WHERE ")
                sql.append(query.condition)
                sql.append(query.onward(after: last))
                sql.append(" LIMIT 100")
                let statement = sql.statement
                let steps = try session.query(
                    "EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) \(statement.sql)",
                    statement.values, isKept: false
                ).map { try $0.string(0) }
                let page = try session.query(statement.sql, statement.values, isKept: false)
                return (steps, try page.map { try $0.integer(0) - last })
            }
            #expect(numbers == Array(1...100))
            let scans = steps.filter { $0.contains("Scan") && !$0.contains("never executed") }
            #expect(scans.contains { $0.contains("installations_") })
            #expect(scans.contains { $0.contains("installation_channels_") })
            // Each part has an eighth of 4,000 rows; a quarter of them lies behind the page's start.
            for scan in scans {
                let count = scan.split(separator: "rows=").last?.prefix { $0.isNumber }.description ?? ""
                #expect((Int(count) ?? .max) < 200, "\(scan)")
            }
        }
    }

    @Test func `a channel's members are counted, with another condition and without`() async throws {
        try await withWorld { world, store in
            let app = world.app.number
            for number in 0..<6 {
                _ = try await store.save(
                    [
                        "deviceToken": .string("0\(number)ab"), "deviceType": number < 4 ? "ios" : "macos",
                        "channels": number % 3 == 0 ? ["a", "b"] : ["b"],
                    ], world.app, at: 0)
            }
            let counts: [([String: JSONValue], Int)] = [
                (["channels": "a"], 2), (["channels": "b"], 6), (["channels": "c"], 0),
                (["channels": ["$all": ["a", "b"]]], 2), (["channels": ["$all": ["b"]]], 6),
                (["channels": ["$in": ["a", "c"]]], 2), (["channels": ["$ne": "a"]], 4),
                (["channels": "b", "deviceType": "macos"], 2),
                (["channels": "b", "$or": [["deviceType": "macos"], ["channels": "a"]]], 4),
                (["$and": [["channels": "b"], ["channels": "a"]]], 2),
            ]
            for (json, count) in counts {
                let clause = try WhereClause(.object(json))
                #expect(try await store.installationCount(clause, app: app, now: .test()) == count, "\(json)")
            }
        }
    }
}
