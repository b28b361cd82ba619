import APNs
import PostgreSQL
import PushStore
import Recurrence
import SQLite
import Testing

/// What a push says was left out of it, whatever is done to it afterwards.
@Suite(.timeLimit(.minutes(10)))
struct StoreConformanceNoteTests {
    private static let due = Instant(iso8601: "2026-12-02T09:15:00Z") ?? .test()

    /// A push for nine o'clock on each device's clock, which was too late for Tokyo and is being sent in London.
    private static func withSkippedZone(
        _ kind: StoreUnderTest, _ body: (PushWorld, Push, ClaimedBatch) async throws -> Void
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1, ["timeZone": "Asia/Tokyo"])
            try await world.install(2, ["timeZone": "Europe/London"])
            let nine = try #require(CivilDateTime(iso8601: "2026-12-02T09:00:00"))
            let push = try await world.push {
                $0.time = .local(nine)
                $0.lateMinutesMax = 30
            }
            try await world.plan(at: due)
            let batch = try #require(try await world.claim(at: due))
            try await body(world, push, batch)
        }
    }

    private static func set(_ state: Push.State, _ push: Push, _ world: PushWorld) async throws -> Push {
        try #require(
            try await world.store.setState(state, push: push.objectID, app: push.app, now: due))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `zones that were skipped are still named after the push was paused, stopped, resumed and cancelled`(
        kind: StoreUnderTest
    ) async throws {
        try await Self.withSkippedZone(kind) { world, push, batch in
            func check(_ push: Push, error: String?) async throws {
                #expect(push.error == error)
                #expect(push.notes?.contains("skipped in Asia/Tokyo") == true)
                let said = try #require(try await world.record(push)?.errors)
                #expect(said.contains("skipped in Asia/Tokyo"))
                #expect(error.map(said.contains) ?? true)
            }
            try await check(try await Self.set(.paused, push, world), error: nil)
            try await check(try await Self.set(.running, push, world), error: nil)
            let report = BatchReport(outcomes: batch.outcomes, next: .stop("TopicDisallowed"))
            #expect(try await world.store.store(report, of: batch, now: Self.due) == .paused)
            let stopped = try #require(
                try await world.store.push(objectID: push.objectID, app: push.app))
            try await check(stopped, error: "TopicDisallowed")
            try await check(try await Self.set(.running, push, world), error: nil)
            try await check(try await Self.set(.cancelled, push, world), error: nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push that was paused by hand is not given up after a day because a zone was skipped`(
        kind: StoreUnderTest
    ) async throws {
        try await Self.withSkippedZone(kind) { world, push, batch in
            _ = try await Self.set(.paused, push, world)
            let later = Self.due.advanced(bySeconds: 2 * 86_400)
            #expect(try await world.store.advance(now: later).ended.isEmpty)
            #expect(try await world.state(push) == .paused)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what the first release noted in the column of errors is kept`(kind: StoreUnderTest) async throws {
        try await Self.withSkippedZone(kind) { world, push, batch in
            // It knows no other column, and works beside this release during a rolling upgrade.
            try await Self.execute(
                "UPDATE pushes SET error = 'skipped in Asia/Seoul' WHERE number = \(push.number)", world)
            let paused = try await Self.set(.paused, push, world)
            #expect(paused.error == nil)
            #expect(paused.notes?.contains("Asia/Tokyo") == true)
            #expect(paused.notes?.hasSuffix("; skipped in Asia/Seoul") == true)
            try await Self.execute(
                "UPDATE pushes SET error = 'TopicDisallowed' WHERE number = \(push.number)", world)
            #expect(try await Self.set(.running, push, world).notes == paused.notes)
            try await Self.execute(
                "UPDATE pushes SET notes = NULL, error = 'skipped in Asia/Seoul' WHERE number = \(push.number)",
                world)
            let report = BatchReport(outcomes: batch.outcomes, next: .stop("TopicDisallowed"))
            #expect(try await world.store.store(report, of: batch, now: Self.due) == .paused)
            let stopped = try await world.store.push(objectID: push.objectID, app: push.app)
            #expect(stopped?.remarks == "TopicDisallowed; skipped in Asia/Seoul")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a schedule's push that says what was missed says so after it was paused and resumed`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            _ = try await world.push {
                $0.schedule = PushSchedule(rule: "FREQ=HOURLY", zone: .named("UTC"), count: 20)
            }
            try await world.plan(at: 6 * 3_600)
            let records = try await world.store.records(limit: 10, skip: 0, app: world.app.number)
            let push = try #require(records.flatMap(\.pushes).first { $0.notes != nil })
            #expect(push.error == nil && push.state == .running)
            _ = try await world.set(.paused, push, at: 6 * 3_600)
            let resumed = try await world.set(.running, push, at: 6 * 3_600)
            #expect(resumed?.notes == push.notes && resumed?.state == .running)
        }
    }

    private static func execute(_ sql: String, _ world: PushWorld) async throws {
        if let store = world.store as? SQLiteStore {
            try await store.write { database in _ = try database.execute(sql) }
        } else if let store = world.store as? PostgreSQLStore {
            try await store.write { session in _ = try session.execute(sql) }
        }
    }
}
