import APNs
import APNsGateway
import Crypto
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct SendTests {
    @Test(arguments: [APNs.Environment.sandbox, .production])
    func `notifications with a provider token reach registered devices, in order`(
        environment: APNs.Environment
    ) async throws {
        try await GatewayWorld.run { world in
            let tokens = try world.register(100, environment: environment)
            let ids = (0..<100).map { NotificationID(high: 99, low: $0) }
            let client = try world.client(environment)
            let outcomes = await client.send(
                try zip(tokens, ids).map { try Sample.notification($0, id: $1) })
            #expect(outcomes.count == 100)
            #expect(outcomes.allSatisfy { $0.isAccepted && $0.attemptCount == 1 })
            #expect(outcomes.map(\.id) == ids)
            #expect(outcomes.allSatisfy { $0.latencyMicroseconds > 0 })
            let delivered = world.journal.filter { $0.decision == .delivered }
            #expect(Set(delivered.compactMap(\.token)) == Set(tokens))
            #expect(delivered.count == 100)
        }
    }

    @Test func `the sandbox tells a unique id and production none`()
        async throws
    {
        try await GatewayWorld.run { world in
            let sandbox = try world.register(1)
            let production = try world.register(1, environment: .production)
            let one = try await world.client(.sandbox).send(try Sample.notification(sandbox[0]))
            let other = try await world.client(.production).send(try Sample.notification(production[0]))
            #expect(one.uniqueID != nil && one.uniqueID != one.id)
            #expect(other.isAccepted && other.uniqueID == nil)
            #expect(one.id != nil && other.id != nil, "APNs makes an id when none is sent")
        }
    }

    @Test(arguments: [APNs.Environment.sandbox, .production])
    func `notifications with a certificate reach registered devices`(
        environment: APNs.Environment
    ) async throws {
        try await GatewayWorld.run { world in
            let identity = try world.gateway.identity.issueClient(
                bundleID: GatewayWorld.topic, now: WallClock.system.secondsSince1970)
            let tokens = try world.register(100, environment: environment)
            let client = try world.client(environment, credential: .certificate(identity))
            let outcomes = await client.send(try tokens.map { try Sample.notification($0) })
            #expect(outcomes.count == 100)
            #expect(outcomes.allSatisfy { $0.isAccepted })
            // A certificate starts with all streams; no first answer has to be waited for.
            #expect(world.journal.count { $0.decision == .delivered } == 100)
        }
    }

    @Test func `a certificate for sandbox only is refused by production as APNs names it`() async throws {
        try await GatewayWorld.run { world in
            let identity = try world.gateway.identity.issueClient(
                bundleID: GatewayWorld.topic, isProduction: false,
                now: WallClock.system.secondsSince1970)
            let tokens = try world.register(1, environment: .production)
            let outcome = try await world.client(.production, credential: .certificate(identity))
                .send(try Sample.notification(tokens[0]))
            #expect(outcome.reason == .badCertificateEnvironment)
            #expect(outcome.attemptCount == 1)
        }
    }

    @Test func `every refusal APNs documents comes back with its status and reason, in its place`()
        async throws
    {
        try await GatewayWorld.run(configure: { $0.policy.connections.errorThrottle = nil }) { world in
            let rows = TestToken.all.filter {
                !$0.reason.requiresNewConnection && $0.reason.disposition != .later
            }
            #expect(rows.count >= 20)
            let good = try world.register(rows.count)
            // Refused and accepted in turn, so that a shifted outcome would show.
            let notifications = try zip(rows, good).flatMap { row, token in
                [
                    try Sample.notification(try DeviceToken(hex: row.exampleDigits)),
                    try Sample.notification(token),
                ]
            }
            let outcomes = try await world.client().send(notifications)
            #expect(outcomes.count == notifications.count)
            for (index, row) in rows.enumerated() {
                guard case .rejected(let status, let reason, _) = outcomes[2 * index].result else {
                    Issue.record("\(row.reason) was not refused but \(outcomes[2 * index].result)")
                    continue
                }
                #expect(status == row.status)
                #expect(reason == row.reason)
                #expect(outcomes[2 * index].attemptCount == 1, "\(reason) must not be tried again")
                #expect(outcomes[2 * index + 1].isAccepted)
            }
        }
    }

    @Test(arguments: ["fa11041001", "fa11041002"])
    func `410 brings the time since when the token is dead`(prefix: String) async throws {
        try await GatewayWorld.run { world in
            let token = try DeviceToken(hex: prefix + String(repeating: "0", count: 54))
            let before = WallClock.system.millisecondsSince1970
            let outcome = try await world.client().send(try Sample.notification(token))
            let after = WallClock.system.millisecondsSince1970
            guard case .rejected(410, let reason, let timestamp) = outcome.result else {
                Issue.record("found \(outcome.result)")
                return
            }
            #expect(reason == (prefix == "fa11041001" ? .unregistered : .expiredToken))
            let day: Int64 = 86_400_000
            #expect(timestamp.map { (before - day...after - day).contains($0) } == true)
            #expect(outcome.disposition == .never)
        }
    }

    @Test func `real faults of a request are told apart`() async throws {
        try await GatewayWorld.run(configure: { $0.policy.connections.errorThrottle = nil }) { world in
            let token = try world.register(1)[0]
            let elsewhere = try world.register(1, environment: .production)[0]
            let otherApp = try world.register(1, topic: "com.example.other")[0]
            var empty = try Sample.notification(token)
            empty.payload = []
            var large = try Sample.notification(token)
            large.payload = Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#.utf8)
            var wrongTopic = try Sample.notification(token)
            wrongTopic.pushType = .voip
            let outcomes = try await world.client().send([
                try Sample.notification(Sample.token(1)), try Sample.notification(elsewhere),
                try Sample.notification(otherApp), empty, large, wrongTopic,
                try Sample.notification(token),
            ])
            #expect(
                outcomes.map(\.reason) == [
                    .badDeviceToken, .badDeviceToken, .deviceTokenNotForTopic, .payloadEmpty,
                    .payloadTooLarge, .badTopic, nil,
                ])
        }
    }

    @Test(arguments: [0, 1, 10_000])
    func `a batch has exactly one outcome for each notification`(count: Int) async throws {
        try await GatewayWorld.run(configure: { $0.isOpen = true }) { world in
            let notifications = try Sample.notifications(count)
            let outcomes = try await world.client().send(notifications)
            #expect(outcomes.count == count)
            #expect(outcomes.allSatisfy { $0.isAccepted })
            #expect(outcomes.map(\.id) == notifications.map(\.id))
            #expect(world.gateway.journal.counters.accepted == UInt64(count))
        }
    }

    @Test func `many batches at once each get their own outcomes`() async throws {
        try await GatewayWorld.run(configure: { $0.isOpen = true }) { world in
            let client = try world.client()
            try await withThrowingTaskGroup { group in
                for part in 0..<20 {
                    group.addTask {
                        let notifications = try Sample.notifications(part * 100..<part * 100 + 100)
                        let outcomes = await client.send(notifications)
                        #expect(outcomes.map(\.id) == notifications.map(\.id))
                        #expect(outcomes.allSatisfy { $0.isAccepted })
                    }
                }
                try await group.waitForAll()
            }
            #expect(world.gateway.journal.counters.accepted == 2000)
        }
    }
}
