import PostgreSQL
import Recurrence
import Synchronization
import Testing

@testable import PushStore

/// Two nodes that find one schedule due, when the lease has just gone from one to the other.
@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .timeLimit(.minutes(10)))
struct PostgreSQLScheduleRaceTests {
    @Test(arguments: [1, 2])
    func `a node that finds a schedule due which another has just fired neither fires nor cancels it`(
        occurrenceCount: Int
    ) async throws {
        try await PushWorld.with(.postgresql) { world in
            let slow = try #require(world.store as? PostgreSQLStore)
            try await world.install(1)
            let made = try await world.push {
                $0.schedule = PushSchedule(rule: "FREQ=HOURLY", zone: .named("UTC"), count: occurrenceCount)
            }
            // The slower one has read the schedule when the other comes.
            let seen = try #require(try await slow.push(objectID: made.objectID, app: made.app))
            let due = seen.dueAt
            try await world.plan(at: due)
            let fired = try #require(try await slow.push(objectID: made.objectID, app: made.app))
            #expect(fired.state == (occurrenceCount == 1 ? .done : .scheduled))
            try await slow.start(seen, now: due)
            let after = try #require(try await slow.push(objectID: made.objectID, app: made.app))
            #expect(after == fired)
            let records = try await slow.records(limit: 10, skip: 0, app: made.app)
            #expect(records.flatMap(\.pushes).count { $0.number != made.number } == 1)
            #expect(try await world.sendAll(at: due).count == 1)
        }
    }

    @Test func `two nodes that both believe to have the lease fire each schedule once`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let (address, secret) = (try await folder.schema(), StoreSecret.random())
        var stores: [PostgreSQLStore] = []
        for _ in 0..<2 {
            stores.append(
                try await PostgreSQLStore.open(
                    address, secret: secret,
                    configuration: PostgreSQLStore.Configuration(
                        readerCount: 2, writerCount: 2, isNode: false)))
        }
        let (one, two) = (stores[0], stores[1])
        let world = PushWorld(store: one, app: try await one.makeApp())
        try await world.install(1)
        for _ in 0..<20 {
            _ = try await world.push {
                $0.schedule = PushSchedule(rule: "FREQ=HOURLY", zone: .named("UTC"), count: 2)
            }
        }
        let due = try #require(try await one.scheduledPushes(app: world.app.number).last?.dueAt)
        // The first has renewed its lease; it ran out since, by the server's clock, and the second takes it.
        _ = try await one.advance(now: .test(-1))
        try await two.write { session in
            _ = try session.execute("UPDATE leases SET until = clock_timestamp() - interval '1 second'")
        }
        one.leaseRenewal.withLock { $0 = .max / 2 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { _ = try await store.advance(now: due) } }
            try await group.waitForAll()
        }
        let pushes = try await one.records(limit: 100, skip: 0, app: world.app.number).flatMap(\.pushes)
        #expect(
            pushes.count { $0.request.schedule != nil && $0.state == .scheduled && $0.error == nil } == 20)
        #expect(pushes.count { $0.request.schedule == nil } == 20)
        for store in stores { await store.close() }
    }
}
