import APNs
import PostgreSQL
import PushStore
import Recurrence
import Testing

/// What several nodes do to one database at the same time.
@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .timeLimit(.minutes(10)))
struct SharedStoreTests {
    /// Two stores on one schema, with an app.
    private struct World: Sendable {
        let one: PostgreSQLStore
        let two: PostgreSQLStore
        let address: ConnectionString
        let app: App

        var stores: [PostgreSQLStore] { [one, two] }

        func session() throws -> Session { try Session(Session.Configuration(connectionString: address)) }
    }

    private func withWorld<Success>(
        isNode: Bool = false, _ body: (World) async throws -> Success
    ) async throws -> Success {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let secret = StoreSecret.random()
        let address = try await folder.schema()
        func open() async throws -> PostgreSQLStore {
            try await PostgreSQLStore.open(
                address, secret: secret,
                configuration: PostgreSQLStore.Configuration(readerCount: 2, writerCount: 2, isNode: isNode))
        }
        // Both find nothing and make the tables: one waits for the other.
        async let opening = open()
        let one = try await open()
        let two = try await opening
        let result: Result<Success, any Error>
        do {
            let app = try await one.makeApp()
            result = .success(try await body(World(one: one, two: two, address: address, app: app)))
        } catch {
            result = .failure(error)
        }
        await one.close()
        await two.close()
        return try result.get()
    }

    @Test func `two nodes never hold one batch`() async throws {
        try await withWorld { world in
            let pushes = PushWorld(store: world.one, app: world.app)
            try await pushes.installMany(8_000)
            _ = try await pushes.push { $0.devicesPerSecondMax = 400_000 }
            for _ in 0..<3 { _ = try await pushes.push() }
            try await pushes.plan(at: 1)
            let app = world.app
            let senders = (0..<6).map { (name: "node\($0)", store: world.stores[$0 % 2]) }
            let numbers = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for sender in senders {
                    group.addTask {
                        let own = PushWorld(store: sender.store, app: app)
                        var numbers: [Int64] = []
                        while let batch = try await own.claim(sender.name, at: 60) {
                            numbers.append(batch.number)
                            try await own.finish(batch, at: 61)
                        }
                        return numbers
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(numbers.count == 32)
            #expect(Set(numbers).count == 32)
            let (ended, _) = try await world.one.advance(now: .test(62))
            #expect(ended.count == 4)
        }
    }

    @Test func `a sender that another took over from stores nothing`() async throws {
        try await withWorld { world in
            let pushes = PushWorld(store: world.one, app: world.app)
            let row = try await pushes.install(1)
            let push = try await pushes.push()
            try await pushes.plan()
            let stalled = try #require(try await pushes.claim("one"))
            let other = PushWorld(store: world.two, app: world.app)
            #expect(try await other.claim("two", at: 59) == nil)
            let taken = try #require(try await other.claim("two", at: 60))
            #expect(taken.number == stalled.number)
            var report = BatchReport(
                outcomes: [DeviceOutcome(refusedFor: Reason("Unregistered"))], next: .finish)
            report.deadTokens = [
                .init(
                    installation: row.number, deviceToken: PushWorld.token(1), reason: "Unregistered",
                    at: .test(50))
            ]
            for next in [BatchReport.Next.finish, .goOn(leaseUntil: .test(200)), .giveBack] {
                report.next = next
                let error = await #expect(throws: StoreError.self) {
                    try await world.one.store(report, of: stalled, now: .test(61))
                }
                #expect(error?.code == .leaseLost)
            }
            // Nor does what it reports about devices have an effect.
            #expect(try await world.one.count(world.app) == 1)
            try await other.finish(taken, at: 62)
            try await pushes.plan(at: 62)
            #expect(try await pushes.record(push)?.outcomes == [.accepted: 1])
        }
    }

    @Test func `pushes on both nodes keep to the frequency cap exactly`() async throws {
        try await withWorld { world in
            let pushes = PushWorld(store: world.one, app: world.app)
            var numbers: [Int64] = []
            for index in 1...60 { numbers.append(try await pushes.install(index).number) }
            let all = numbers
            let taken = try await withThrowingTaskGroup(of: Set<Int64>.self) { group in
                for push in 1...24 {
                    group.addTask {
                        // Each asks twice: a push holds one place however often it asks.
                        let store = world.stores[push % 2]
                        let refused = try await store.takeSends(
                            all, push: Int64(push), countMax: 5, since: .test(-10), now: .test())
                        let taken = Set(all).subtracting(refused)
                        let again = try await store.takeSends(
                            taken.sorted(), push: Int64(push), countMax: 5, since: .test(-10), now: .test(1))
                        #expect(again.isEmpty)
                        return taken
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for number in all {
                #expect(taken.count { $0.contains(number) } == 5)
            }
            let rows = try world.session().query("SELECT count(*), min(at) FROM sent_pushes")[0]
            #expect(try rows.integer(0) == 300)
            #expect(try rows.integer(1) == Instant.test(1).millisecondsSince1970, "asking again is later")
        }
    }

    @Test func `apps share evenly whichever node sends`() async throws {
        try await withWorld { world in
            let pushes = PushWorld(store: world.one, app: world.app)
            let other = try await world.one.makeApp("other")
            try await pushes.installMany(12_000)
            try await pushes.installMany(6_000, app: other)
            let one = try await pushes.push()
            try await pushes.plan()
            let nodes = world.stores.map { PushWorld(store: $0, app: world.app) }
            for turn in 0..<4 {
                let batch = try #require(try await nodes[turn % 2].claim())
                #expect(batch.push.number == one.number)
                try await nodes[turn % 2].finish(batch)
            }
            let two = try await pushes.push(app: other)
            try await pushes.plan()
            var counts: [Int64: Int] = [:]
            for turn in 0..<8 {
                let batch = try #require(try await nodes[turn % 2].claim())
                counts[batch.push.number, default: 0] += 1
                try await nodes[turn % 2].finish(batch)
            }
            #expect(counts == [one.number: 4, two.number: 4])
        }
    }

    @Test func `batches that become due are made ready once, by whichever node`() async throws {
        try await withWorld { world in
            let pushes = PushWorld(store: world.one, app: world.app)
            try await pushes.installMany(4_000)
            // Forty batches, each at its own time.
            let push = try await pushes.push { $0.devicesPerSecondMax = 400 }
            try await pushes.plan()
            let app = world.app
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for sender in 0..<8 {
                    let store = world.stores[sender % 2]
                    group.addTask {
                        let own = PushWorld(store: store, app: app)
                        var count = 0
                        while let batch = try await own.claim("node\(sender)", at: 30) {
                            count += batch.count
                            try await own.finish(batch, at: 30)
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            // A sender that found all of them locked has gone; what it left is there for the next.
            let rest = try await pushes.sendAll(at: .test(31)).count
            #expect(count + rest == 4_000)
            let session = try world.session()
            let turns = try session.query("SELECT count(DISTINCT turn), count(*) FROM batches")[0]
            #expect(try turns.integer(0) == turns.integer(1), "no turn is given twice")
            let spent = try session.query(
                "SELECT turn FROM pushes WHERE number = $1", [.integer(push.number)])
            #expect(
                try spent[0].integer(0)
                    == session.query("SELECT sum(device_count + 50)::bigint FROM batches")[0].integer(0))
        }
    }

    @Test func `one node plans, and another takes over when it ends or is not heard of`() async throws {
        try await withWorld { world in
            let first = PushWorld(store: world.one, app: world.app)
            let second = PushWorld(store: world.two, app: world.app)
            try await first.install(1)
            _ = try await world.one.advance(now: .test())
            _ = try await first.push()
            try await second.plan(at: 1)
            #expect(try await second.claim(at: 1) == nil, "the other one plans")
            // By the server's clock, which a test does not wait for.
            try world.session().execute("UPDATE leases SET until = clock_timestamp() - interval '1 second'")
            try await second.plan(at: 1)
            #expect(try await second.claim(at: 1) != nil)
            await world.two.close()
            #expect(
                try world.session().query("SELECT 1 FROM leases").isEmpty, "who ends gives its lease back")
        }
    }

    @Test func `a lease farther ahead than any can be is taken over, for the server's clock was set back`()
        async throws
    {
        try await withWorld { world in
            let second = PushWorld(store: world.two, app: world.app)
            try await second.install(1)
            _ = try await world.one.advance(now: .test())
            _ = try await second.push()
            try world.session().execute(
                "UPDATE leases SET until = clock_timestamp() + interval '1 hour', owner = 'gone'")
            try await second.plan(at: 1)
            #expect(try await second.claim(at: 1) != nil)
        }
    }

    @Test func `a request that reaches both nodes at once is one push`() async throws {
        try await withWorld { world in
            let made = try await withThrowingTaskGroup(of: (Int64, Bool).self) { group in
                for index in 0..<24 {
                    group.addTask {
                        var request = PushRequest(data: ["alert": "hello"])
                        request.requestID = "r1"
                        let result = try await world.stores[index % 2].createPush(
                            request, app: world.app, now: .test())
                        return (result.push.number, result.isNew)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(made.map(\.0)).count == 1)
            #expect(made.count { $0.1 } == 1)
        }
    }

    @Test func `changes of one row by both nodes are all kept`() async throws {
        try await withWorld { world in
            let row = try await world.one.save(["deviceType": "ios", "deviceToken": "ab"], world.app, at: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        _ = try await world.stores[index % 2].update(
                            row.installation,
                            [
                                "count": ["__op": "Increment", "amount": 1],
                                "list": ["__op": "Add", "objects": [.integer(Int64(index))]],
                            ], world.app, at: 1)
                    }
                }
                try await group.waitForAll()
            }
            let after = try #require(
                try await world.two.installation(objectID: row.installation.objectID, app: world.app.number))
            #expect(after.attributes["count"] == 200)
            guard case .array(let list)? = after.attributes["list"] else {
                Issue.record("no list")
                return
            }
            #expect(Set(list).count == 200)
        }
    }

    @Test func `a token that both nodes register at once has one row`() async throws {
        try await withWorld { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<120 {
                    group.addTask {
                        _ = try await world.stores[index % 2].save(
                            [
                                "deviceType": "ios", "deviceToken": .string("a\(index % 5)"),
                                "installationId": .string("i\(index % 7)"), "channels": ["news"],
                            ], world.app, at: Int64(index))
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await world.one.installations(
                InstallationFind(), app: world.app.number, now: .test())
            let tokens = rows.compactMap(\.deviceToken)
            #expect(Set(tokens).count == tokens.count)
            #expect(tokens.count <= 5)
            // The tables beside the rows say the same as the rows.
            let session = try world.session()
            func count(_ sql: String) throws -> Int64 { try session.query(sql)[0].integer(0) }
            #expect(try count("SELECT count(*) FROM installations") == Int64(rows.count))
            #expect(
                try count(
                    """
                    SELECT count(*) FROM installation_keys AS k JOIN installations AS i ON i.number = k.installation
                    WHERE k.key = CASE k.kind WHEN 0 THEN i.object_id ELSE i.device_token END
                    """) == Int64(rows.count + tokens.count))
            #expect(try count("SELECT count(*) FROM installation_keys") == Int64(rows.count + tokens.count))
            #expect(try count("SELECT count(*) FROM installation_channels") == Int64(rows.count))
            #expect(
                try count("SELECT count(*) FROM installation_ids")
                    == Int64(rows.count { $0.installationID != nil }))
        }
    }

    @Test func `a node hears that another has work, and goes by the server's clock`() async throws {
        try await withWorld(isNode: true) { world in
            let (woken, continuation) = AsyncStream.makeStream(of: Void.self)
            world.two.onWork { continuation.yield() }
            var events = woken.makeAsyncIterator()
            // Once it listens it says so; until then nothing can be heard.
            if world.two.serverMilliseconds == nil { await events.next() }
            _ = try await PushWorld(store: world.one, app: world.app).push()
            await events.next()
            let server = try world.session().query(
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0].integer(0)
            let own = try #require(world.two.serverMilliseconds)
            #expect(abs(server - own) < 30_000)
        }
    }

    @Test func `work goes on after connections were cut`() async throws {
        try await withWorld { world in
            let session = try world.session()
            for round in 0..<3 {
                for store in world.stores {
                    let identifiers = await store.sessionIdentifiers()
                    for identifier in identifiers {
                        try session.query("SELECT pg_terminate_backend($1::int)", [.integer(identifier)])
                    }
                }
                _ = try await world.one.save(
                    ["deviceType": "ios", "deviceToken": .string("c\(round)")], world.app, at: 0)
                #expect(try await world.one.count(world.app) == round + 1)
                #expect(try await world.two.count(world.app) == round + 1)
            }
        }
    }

    @Test func `the parts of days come and go`() async throws {
        try await withWorld { world in
            let pushes = PushWorld(store: world.one, app: world.app)
            try await pushes.install(1)
            _ = try await world.one.removeOldRecords(now: .test(), limit: 10)
            func days() throws -> [String] {
                try world.session().query(
                    "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'batches'::regclass"
                ).map { try $0.string(0) }.sorted()
            }
            #expect(try days().contains("batches_20787"))
            #expect(try await pushes.reached(at: 1).count == 1)
            try await pushes.plan(at: 2)
            #expect(try world.session().query("SELECT count(*) FROM batches_other")[0].integer(0) == 0)
            // Who began yesterday may still write to its part.
            _ = try await world.one.removeOldRecords(now: .test(86_400), limit: 10)
            #expect(try days().contains("batches_20786") == false && days().contains("batches_20787"))
            // Ten days later the record is gone, and with it the day it was in.
            _ = try await world.one.removeOldRecords(now: .test(10 * 86_400), limit: 10)
            _ = try await world.one.removeOldRecords(now: .test(10 * 86_400), limit: 10)
            #expect(try !days().contains("batches_20787"))
            #expect(try days().contains("batches_20797"))
        }
    }

    @Test func `nodes that offer provider tokens at once use one of them`() async throws {
        try await withWorld { world in
            let used = try await withThrowingTaskGroup(of: SharedProviderToken.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await world.stores[number % 2].shareProviderToken(
                            SharedProviderToken(issuedAt: 1_000 + Int64(number % 3), text: "token \(number)"),
                            key: [7], issuedAfter: 0)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(used.count == 20)
            #expect(Set(used).count == 1)
        }
    }

    @Test func `nodes together take no more requests than are allowed`() async throws {
        try await withWorld { world in
            let began = ContinuousClock.now
            let granted = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        var count = 0
                        for _ in 0..<50 {
                            let grant = try await world.stores[number % 2].takeRequests(
                                3, perSecond: 60, app: world.app.number)
                            count += try #require(grant).count
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            let seconds = began.duration(to: .now) / .seconds(1)
            #expect(granted >= 60)
            #expect(Double(granted) <= 60 + 60 * seconds)
            let grant = try await world.one.takeRequests(60, perSecond: 60, app: world.app.number)
            #expect(try #require(grant).count < 60)
            // A limit that was lowered holds at once.
            let lowered = try await world.one.takeRequests(60, perSecond: 2, app: world.app.number)
            #expect(try #require(lowered).count <= 2)
        }
    }
}
