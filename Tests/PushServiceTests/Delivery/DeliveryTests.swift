import APNs
import APNsGateway
import PushStore
import Recurrence
import Testing

@testable import PushService

/// From a request to phones, through a real store, real connections and a real gateway.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryTests {
    private let badToken = DeviceOutcome(refusedFor: .badDeviceToken)

    @Test func `every device has one outcome and the gateway saw each once`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(2_300)
            let service = try world.service()
            let push = try await world.push()
            try await world.work(service)
            let record = try await world.record(push)
            #expect(record.outcomes == [.accepted: 2_300] && record.status == "done")
            #expect(record.answering != nil)
            let journal = world.journal
            #expect(journal.count == 2_300)
            #expect(Set(journal.compactMap(\.token)) == Set(phones.map(\.token)))
            #expect(Set(journal.map(\.id)).count == 2_300, "each with an id of its own")
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
            let delivery = try #require(world.deliveries(phones[0]).first)
            #expect(delivery.requestIdentifier == push.objectID)
            #expect(try await world.row(phones[0])?.environment == .production)
        }
    }

    @Test func `a dead token's row goes and one that registered again stays`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3)
            try world.uninstall(phones[0])
            try world.uninstall(phones[1])
            // APNs will name the moment of the deletion; this row is saved again after it.
            world.advance(seconds: 60)
            try await world.save(phones[1].token.hexString)
            let push = try await world.push()
            try await world.work(try world.service())
            #expect(
                try await world.outcomes(push) == [
                    .accepted: 1, DeviceOutcome(refusedFor: .unregistered): 2,
                ])
            #expect(try await world.row(phones[0]) == nil)
            #expect(try await world.row(phones[1]) != nil)
            #expect(try await world.row(phones[2]) != nil)
        }
    }

    @Test func `BadDeviceToken teaches the environment and never deletes`() async throws {
        try await DeliveryWorld.run { world in
            let production = try await world.addPhones(1)
            let sandbox = try await world.addPhones(2, .sandbox)
            let mistaken = try await world.addPhones(1, .sandbox, fields: ["environment": "production"])
            let nowhere = try await world.save(String(repeating: "ab", count: 32))
            let service = try world.service()
            let push = try await world.push()
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 4, badToken: 1])
            #expect(world.journal.count == 9, "one at once and the other four in both environments")
            for phone in sandbox + mistaken { #expect(try await world.row(phone)?.environment == .sandbox) }
            #expect(try await world.row(production[0])?.environment == .production)
            let app = try await world.app
            let row = try await world.store.installation(objectID: nowhere.objectID, app: app.number)
            #expect(row != nil && row?.environment == nil)
            let before = world.journal.count
            try await world.push()
            try await world.work(service)
            #expect(world.journal.count == before + 4 + 2, "what was learned is used")
        }
    }

    @Test func `an operator's fault pauses with a reason, touches no row, and mended it reaches everybody`()
        async throws
    {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1_200)
            let service = try world.service()
            try world.gateway.faults.add(FaultRule(.reason(.topicDisallowed, status: nil)))
            let push = try await world.push()
            try await world.work(service)
            let stopped = try await world.state(push)
            #expect(stopped?.state == .paused)
            #expect(stopped?.error?.contains("TopicDisallowed") == true)
            #expect(try await world.outcomes(push) == [.pending: 1_200])
            #expect(world.journal.count <= 1_200, "nobody is tried twice")
            #expect(try await world.store.installationCount(nil, app: push.app, now: world.now) == 1_200)
            world.advance(seconds: 600)
            try await world.work(service)
            #expect(try await world.state(push)?.state == .paused)
            world.gateway.faults.removeAll()
            _ = try await world.store.setState(
                .running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 1_200])
            #expect(try await world.record(push).errors == nil)
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test func `a topic mended in the app is used when the push is resumed`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3)
            var app = try await world.app
            app.topic = "com.example.wrong"
            try await world.store.updateApp(app, now: world.now)
            let service = try world.service()
            var sender = service.makeSender()
            let push = try await world.push()
            try await service.scheduleOnce()
            try world.gateway.faults.add(FaultRule(.reason(.topicDisallowed, status: nil)))
            while try await service.sendOnce(&sender) {}
            #expect(try await world.state(push)?.state == .paused)
            world.gateway.faults.removeAll()
            app.topic = DeliveryWorld.topic
            try await world.store.updateApp(app, now: world.now)
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            while try await service.sendOnce(&sender) {}
            try await service.scheduleOnce()
            #expect(try await world.outcomes(push) == [.accepted: 3])
            #expect(phones.allSatisfy { world.shownCount($0) == 1 })
        }
    }

    @Test func `what is under way is sent once also when the clock is put forward`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3)
            let service = try world.service()
            let push = try await world.push()
            try await service.scheduleOnce()
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 1_000)))
            let sending = Task {
                var sender = service.makeSender()
                return try await service.sendOnce(&sender)
            }
            while phones.contains(where: { world.deliveries($0).isEmpty }) {
                try await Task.sleep(for: .milliseconds(2))
            }
            world.advance(seconds: 3_600)
            var other = service.makeSender()
            #expect(try await service.sendOnce(&other) == false, "the same service has it in hand")
            #expect(try await sending.value)
            try await service.scheduleOnce()
            #expect(try await world.outcomes(push) == [.accepted: 3])
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test func `no credential stops the push until there is one`() async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            let phones = try await world.addPhones(2)
            let service = try world.service()
            let push = try await world.push()
            try await world.work(service)
            #expect(try await world.state(push)?.state == .paused)
            #expect(try await world.state(push)?.error?.contains("credential") == true)
            try await world.addCredential()
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 2])
            #expect(phones.allSatisfy { world.shownCount($0) == 1 })
        }
    }

    @Test(
        arguments: [
            ["apnsTopic": "com.example.other"], ["apnsTopic": "not a topic\n"], ["apnsTeamId": "OTHERTEAM1"],
            ["deviceProfile": "nobodys"],
        ] as [[String: JSONValue]])
    func `an installation's own wrong fields stop nobody else's push`(
        fields: [String: JSONValue]
    ) async throws {
        try await DeliveryWorld.run { world in
            // A batch of its own: were it the measure of the set-up, the push would stop.
            try await world.save(String(repeating: "cd", count: 32), fields)
            let alone = try await world.push { $0.filter = try WhereClause(["deviceType": "ios"]) }
            let service = try world.service()
            try await world.work(service)
            #expect(try await world.state(alone)?.state == .done)
            #expect(try await world.record(alone).deviceCount == 1)
            #expect(try await world.record(alone).successCount == 0)
            let phones = try await world.addPhones(3)
            let push = try await world.push()
            try await world.work(service)
            #expect(try await world.record(push).successCount == 3)
            #expect(try await world.record(push).deviceCount == 4)
            #expect(phones.allSatisfy { world.shownCount($0) == 1 })
        }
    }

    @Test func `a push past its lifetime is sent to nobody and every device says so`() async throws {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(5)
            let push = try await world.push { $0.lifetime = .seconds(10) }
            world.advance(seconds: 10)
            try await world.work(try world.service())
            #expect(try await world.outcomes(push) == [.expired: 5])
            #expect(world.journal.isEmpty)
            #expect(try await world.state(push)?.state == .done)
        }
    }

    @Test func `an installation that opted out after planning is skipped`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3)
            let service = try world.service()
            let push = try await world.push()
            try await service.scheduleOnce()
            try await world.save(phones[1].token.hexString, ["valid": false])
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 2, .skipped: 1])
        }
    }

    @Test func `device tokens given with a push are sent to, bad ones are named and ids stay the same`()
        async throws
    {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(4)
            try world.gateway.faults.add(FaultRule(.reason(.tooManyRequests, status: nil), count: 2))
            let service = try world.service()
            let push = try await world.push {
                $0.deviceTokens = phones.map(\.token.hexString) + ["no token"]
            }
            try await world.work(service)
            world.advance(seconds: 10)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 4, .malformedToken: 1])
            var ids: [DeviceToken: Set<ResponseID>] = [:]
            for record in world.journal {
                if let token = record.token { ids[token, default: []].insert(record.id) }
            }
            #expect(ids.count == 4 && ids.values.allSatisfy { $0.count == 1 })
            #expect(Set(ids.values).count == 4)
        }
    }
}
