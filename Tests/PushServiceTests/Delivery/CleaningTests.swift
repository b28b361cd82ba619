import APNs
import PushStore
import Recurrence
import Testing

@testable import PushService

@Suite(.timeLimit(.minutes(5)), .serialized)
struct CleaningTests {
    private static let day: Int64 = 86_400

    @Test func `all that is old goes in one run, however much more it is than one call removes`() async throws
    {
        try await DeliveryWorld.run { world in
            let service = try world.service()
            let old = try await Self.saveMany(5, "0a", world)
            for _ in 0..<5 { try await world.push { $0.channels = ["nobody"] } }
            try await world.work(service)
            for row in old { try await Self.report(row, world) }
            world.advance(seconds: 91 * Self.day)
            let recent = try await Self.saveMany(3, "0b", world)
            for row in recent { try await Self.report(row, world) }
            let push = try await world.push { $0.channels = ["nobody"] }
            try await world.work(service)

            try await Cleaning(store: world.store, countMax: 2).run { world.now }

            let app = try await world.app
            for row in old {
                #expect(try await world.store.installation(objectID: row.objectID, app: app.number) == nil)
            }
            #expect(
                try await world.store.records(limit: 10, skip: 0, app: app.number).map(\.objectID) == [
                    push.objectID
                ])
            for row in recent {
                #expect(
                    try await world.store.recentEvents(objectID: row.objectID, limit: 10, app: app.number)
                        .count == 1)
            }
        }
    }

    @Test func `events that are too old to show go in one run too`() async throws {
        try await DeliveryWorld.run { world in
            let row = try await world.save("0a01")
            for _ in 0..<7 { try await Self.report(row, world) }
            world.advance(seconds: 31 * Self.day)
            try await Cleaning(store: world.store, countMax: 2).run { world.now }
            let app = try await world.app
            #expect(
                try await world.store.recentEvents(objectID: row.objectID, limit: 10, app: app.number).isEmpty
            )
            #expect(
                try await world.store.removeFadedInterests(
                    seenBefore: world.now, now: world.now, limit: 10) <= 1,
                "only the interest itself may be left")
        }
    }

    @Test func `entries of the audit log that are too old go in one run too`() async throws {
        try await DeliveryWorld.run { world in
            let app = try await world.app.number
            func act(_ detail: String, _ app: Int64?) async throws {
                try await world.store.recordAudit(
                    AuditEntry(at: world.now, app: app, actor: "a", action: "b", detail: detail))
            }
            for index in 0..<5 { try await act("old \(index)", index.isMultiple(of: 2) ? app : nil) }
            world.advance(seconds: 399 * Self.day)
            try await act("new", app)
            world.advance(seconds: Self.day + 1)
            try await Cleaning(store: world.store, countMax: 2).run { world.now }
            #expect(try await world.store.auditLog(app: nil, limit: 10).map(\.detail) == ["new"])
        }
    }

    @Test(arguments: [
        (Duration.zero, Duration.seconds(600)), (.seconds(6), .seconds(600)), (.seconds(7), .seconds(700)),
        (.seconds(60), .seconds(6_000)), (.seconds(864), .seconds(86_400)),
        (.seconds(5_000), .seconds(86_400)),
    ])
    func `a run is followed by a rest of a hundred times its time, ten minutes at least and a day at most`(
        took: Duration, rest: Duration
    ) {
        #expect(Cleaning.rest(after: took) == rest)
    }

    private static func saveMany(
        _ count: Int, _ prefix: String, _ world: DeliveryWorld
    ) async throws -> [Installation] {
        var rows: [Installation] = []
        for index in 0..<count { rows.append(try await world.save(prefix + "0\(index)")) }
        return rows
    }

    private static func report(_ row: Installation, _ world: DeliveryWorld) async throws {
        let event = BehaviourEvent(
            source: .objectID(row.objectID), name: "read", tags: ["sport": 1], article: "a", properties: [:],
            at: world.now)
        let found = try await world.store.recordEvents(
            [event], app: try await world.app.number, now: world.now)
        #expect(found == [true])
    }
}
