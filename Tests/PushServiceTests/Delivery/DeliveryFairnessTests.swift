import APNs
import APNsGateway
import PushStore
import Recurrence
import SQLite
import Testing

@testable import PushService

/// Small pushes while large ones are under way, with a service that runs by itself.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryFairnessTests {
    private static let count = 12_000

    /// Adds rows that a gateway refuses, many at once.
    private func addRows(_ world: DeliveryWorld, app: App) async throws {
        let rows = (0..<Self.count).map { number in
            let digits = String(number, radix: 16)
            return ImportedInstallation(fields: [
                "objectId": .string("row\(number)"), "updatedAt": .string(world.now.iso8601),
                "deviceType": "ios", "environment": "production", "channels": ["all"],
                "deviceToken": .string("f" + String(repeating: "0", count: 63 - digits.count) + digits),
            ])
        }
        for start in stride(from: 0, to: rows.count, by: 2_000) {
            _ = try await world.store.importInstallations(
                Array(rows[start..<start + 2_000]), app: app.number, now: world.now)
        }
    }

    private func until(_ isMet: () async throws -> Bool) async throws {
        while try await !isMet() { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test(arguments: [20, 400])
    func `a small push overtakes a large one, and the large one is whole`(latency: Int) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1)
            try await addRows(world, app: try await world.app)
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: latency)))
            let large = try await world.push { $0.channels = ["all"] }
            let service = try world.service()
            try await world.running(service) {
                try await until { world.journal.count >= 500 }
                var pendingCounts: [Int] = []
                for _ in 0..<5 {
                    let token: JSONValue = .string(phones[0].token.hexString)
                    let small = try await world.push {
                        $0.filter = try WhereClause(["deviceToken": token])
                    }
                    service.wakeUp()
                    try await until { try await world.record(small).successCount == 1 }
                    pendingCounts.append(try await world.outcomes(large)[.pending] ?? 0)
                }
                // On a slow machine the large one may be through before the last small one.
                #expect(try #require(pendingCounts.first) > 0, "\(pendingCounts)")
                world.gateway.faults.removeAll()
                try await until { try await world.state(large)?.state == .done }
                return true
            }
            #expect(world.deliveries(phones[0]).count == 5)
            let outcomes = try await world.outcomes(large)
            #expect(outcomes == [DeviceOutcome(refusedFor: .badDeviceToken): Self.count])
        }
    }

    @Test func `an app's large pushes do not hold up another app's small one`() async throws {
        try await DeliveryWorld.run { world in
            let other = try await world.store.createApp(
                id: "other", name: "Other", topic: DeliveryWorld.topic, appKey: "other-key-0123456789",
                masterKey: "other-master-0123456789", now: world.now)
            try await world.addCredential(app: other.number)
            try await addRows(world, app: other)
            let phones = try await world.addPhones(1)
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 20)))
            var large: [Push] = []
            for _ in 0..<3 {
                large.append(
                    try await world.store.createPush(
                        PushRequest(data: ["alert": "all"]), app: other, now: world.now
                    ).push)
            }
            let service = try world.service()
            try await world.running(service) {
                try await until { world.journal.count >= 500 }
                let small = try await world.push()
                service.wakeUp()
                try await until { try await world.record(small).successCount == 1 }
                var pending = 0
                for push in large { pending += try await world.outcomes(push)[.pending] ?? Self.count }
                #expect(pending > Self.count)
                return true
            }
            #expect(world.deliveries(phones[0]).count == 1)
        }
    }

    @Test func `a damaged batch ends its devices and nobody else's`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(2_500)
            let service = try world.service()
            let push = try await world.push()
            try await service.scheduleOnce()
            try await world.store.write { database in
                try database.execute(
                    "UPDATE batches SET installations = x'ffff' WHERE number = (SELECT min(number) FROM batches)"
                )
            }
            let next = try await world.push()
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 1_500, .damaged: 1_000])
            #expect(try await world.record(push).errors?.contains("cannot be read") == true)
            #expect(try await world.outcomes(next) == [.accepted: 2_500])
            #expect(phones.count { world.deliveries($0).count == 2 } == 1_500)
        }
    }
}
