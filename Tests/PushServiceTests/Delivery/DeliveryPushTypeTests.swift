import APNs
import APNsGateway
import PushStore
import Recurrence
import Testing

@testable import PushService

/// Every kind of notification, from `data` to the phone, with the topic and the headers APNs wants for it.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryPushTypeTests {
    /// What a push's `data` becomes.
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var data: [String: JSONValue]
        /// What the app's topic has at its end for such tokens.
        var suffix = ""
        var type: PushType
        var priority: Priority?
        /// A part of the payload that tells it was the right one.
        var aps: [String: JSONValue] = [:]
        var testDescription: String { name }
    }

    static let kinds: [Kind] = [
        Kind(name: "alert", data: ["alert": "a"], type: .alert, aps: ["alert": "a"]),
        Kind(
            name: "silent", data: ["content-available": 1, "id": 7], type: .background, priority: .normal,
            aps: ["content-available": 1]),
        Kind(
            name: "silent with priority 10", data: ["content-available": 1, "apns-priority": 10],
            type: .background, priority: .normal),
        Kind(
            name: "silent, whole aps", data: ["aps": ["content-available": 1]], type: .background,
            priority: .normal),
        Kind(
            name: "time-sensitive", data: ["alert": "a", "interruption-level": "time-sensitive"],
            type: .alert,
            aps: ["interruption-level": "time-sensitive"]),
        Kind(
            name: "passive and light",
            data: ["alert": "a", "interruption-level": "passive", "apns-priority": 1],
            type: .alert, priority: Priority(rawValue: 1), aps: ["interruption-level": "passive"]),
        Kind(
            name: "critical",
            data: [
                "alert": "a", "interruption-level": "critical",
                "sound": ["critical": 1, "name": "alarm.caf", "volume": 0.5],
            ], type: .alert,
            aps: [
                "interruption-level": "critical",
                "sound": ["critical": 1, "name": "alarm.caf", "volume": 0.5],
            ]),
        Kind(
            name: "mutable",
            data: ["alert": "a", "mutable-content": 1, "picture": "https://example.com/a.png"],
            type: .alert, aps: ["mutable-content": 1]),
        Kind(
            name: "voip", data: ["apns-push-type": "voip", "caller": "Ada"], suffix: ".voip", type: .voip),
        Kind(
            name: "live activity started",
            data: [
                "apns-push-type": "liveactivity", "event": "start", "timestamp": 1_796_000_000,
                "content-state": ["score": 0], "attributes-type": "Game", "attributes": ["home": "A"],
                "alert": ["title": "t", "body": "b"],
            ], suffix: ".push-type.liveactivity", type: .liveactivity,
            aps: ["event": "start", "attributes-type": "Game", "content-state": ["score": 0]]),
        Kind(
            name: "live activity updated",
            data: [
                "event": "update", "timestamp": 1_796_000_001, "content-state": ["score": 1],
                "apns-priority": 5,
            ], suffix: ".push-type.liveactivity", type: .liveactivity, priority: .normal,
            aps: ["event": "update", "content-state": ["score": 1]]),
        Kind(
            name: "live activity ended",
            data: [
                "event": "end", "timestamp": 1_796_000_002, "content-state": ["score": 2],
                "dismissal-date": 1_796_000_100,
            ], suffix: ".push-type.liveactivity", type: .liveactivity,
            aps: ["event": "end", "dismissal-date": 1_796_000_100]),
        Kind(
            name: "location", data: ["apns-push-type": "location"], suffix: ".location-query", type: .location
        ),
        Kind(
            name: "complication", data: ["apns-push-type": "complication", "steps": 3],
            suffix: ".complication", type: .complication),
        Kind(
            name: "file provider", data: ["apns-push-type": "fileprovider", "container-identifier": "c"],
            suffix: ".pushkit.fileprovider", type: .fileprovider),
        Kind(
            name: "push to talk", data: ["apns-push-type": "pushtotalk", "speaker": "Ada"],
            suffix: ".voip-ptt",
            type: .pushtotalk, priority: .high),
        Kind(
            name: "widgets", data: ["apns-push-type": "widgets", "content-changed": true],
            suffix: ".push-type.widgets", type: .widgets, aps: ["content-changed": true]),
        Kind(
            name: "controls", data: ["apns-push-type": "controls", "content-changed": true],
            suffix: ".push-type.controls", type: .controls, aps: ["content-changed": true]),
    ]

    private func check(
        _ kind: Kind, _ world: DeliveryWorld, _ phone: DeliveryWorld.Phone, _ push: Push
    ) async throws {
        #expect(try await world.outcomes(push) == [.accepted: 1])
        let delivery = try #require(world.deliveries(phone).last)
        #expect(delivery.notification.topic.rawValue == DeliveryWorld.topic + kind.suffix)
        #expect(delivery.notification.pushType == kind.type)
        let sent = try #require(world.journal.last { $0.status == 200 })
        #expect(sent.priority == kind.priority)
        let payload = try #require(world.payload(phone))
        for (key, value) in kind.aps { #expect(payload["aps"]?[key] == value, "\(key)") }
    }

    /// As LeanCloud's `push/devices` and our API take them: tokens of other kinds belong to no installation.
    @Test(arguments: kinds)
    func `a notification to given tokens has the topic and headers of its kind`(kind: Kind) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1, topic: DeliveryWorld.topic + kind.suffix)
            let push = try await world.push(kind.data) {
                $0.deviceTokens = [phones[0].token.hexString]
                $0.badgeIncrement = try Message(data: kind.data).badgeIncrement
            }
            try await world.work(try world.service())
            try await check(kind, world, phones[0], push)
        }
    }

    /// As apps register them: with the suffix in the installation's `apnsTopic`, or without it.
    @Test(arguments: kinds, [true, false])
    func `a notification to installations has the topic and headers of its kind`(
        kind: Kind, hasSuffix: Bool
    ) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(
                1, topic: DeliveryWorld.topic + kind.suffix,
                fields: [
                    "apnsTopic": .string(DeliveryWorld.topic + (hasSuffix ? kind.suffix : "")),
                    "environment": "production",
                ])
            let push = try await world.push(kind.data)
            try await world.work(try world.service())
            try await check(kind, world, phones[0], push)
        }
    }

    @Test func `a call to a token of alerts is refused for that device and touches nobody else`() async throws
    {
        try await DeliveryWorld.run { world in
            let alerts = try await world.addPhones(1)
            let calls = try await world.addPhones(2, topic: DeliveryWorld.topic + ".voip")
            let push = try await world.push(["apns-push-type": "voip"])
            try await world.work(try world.service())
            #expect(
                try await world.outcomes(push) == [
                    .accepted: 2, DeviceOutcome(refusedFor: .deviceTokenNotForTopic): 1,
                ])
            #expect(calls.allSatisfy { world.deliveries($0).count == 1 })
            #expect(world.deliveries(alerts[0]).isEmpty)
            #expect(try await world.row(alerts[0]) != nil)
        }
    }

    @Test func `a call that is not answered is sent once, since it would ring twice`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(
                1, topic: DeliveryWorld.topic + ".voip", fields: ["environment": "production"])
            try world.gateway.faults.add(FaultRule(.reset(errorCode: 2), count: 1))
            let push = try await world.push(["apns-push-type": "voip"])
            let service = try world.service()
            try await world.work(service)
            world.advance(seconds: 60)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.unanswered: 1])
            #expect(world.journal.count == 1 && world.deliveries(phones[0]).count <= 1)
        }
    }
}
