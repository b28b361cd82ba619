import APNs
import APNsClient
import APNsGateway
import Crypto
import PushStore
import Recurrence
import SQLite
import Testing
import Transport

@testable import PushService

/// Pushes on broadcast channels, through the service to devices that follow them.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryBroadcastTests {
    private static let topic = DeliveryWorld.topic + ".push-type.liveactivity"

    private func client(_ world: DeliveryWorld, _ environment: APNs.Environment) throws -> BroadcastClient {
        let addresses = world.gateway.addresses
        let url = environment == .production ? addresses.production : addresses.sandbox
        let endpoint = try Endpoint(
            url: url ?? "", trust: .certificates([world.gateway.identity.authority.certificate]))
        let source = try ProviderTokenSource(
            keyID: addresses.keyID, teamID: addresses.teamID, signingKey: world.gateway.identity.signingKey)
        return try BroadcastClient(management: endpoint, publishing: endpoint, credential: .token(source))
    }

    private func channel(
        _ world: DeliveryWorld, _ environment: APNs.Environment = .production,
        policy: MessageStoragePolicy = .mostRecentMessage
    ) async throws -> ChannelID {
        try await client(world, environment).createChannel(
            bundleID: DeliveryWorld.topic, storagePolicy: policy)
    }

    private func follow(_ world: DeliveryWorld, _ phone: DeliveryWorld.Phone, _ channel: ChannelID) throws {
        try world.gateway.hub.withRegistries { registries, _, _ in
            try registries.subscribe(phone.device, phone.token, to: channel)
        }
    }

    private func data(_ channel: ChannelID, event: String = "update", score: Int64 = 1) -> [String: JSONValue]
    {
        [
            "apns-channel-id": .string(channel.rawValue), "apns-push-type": "liveactivity",
            "event": .string(event), "timestamp": 1_796_000_000, "content-state": ["score": .integer(score)],
        ]
    }

    /// Checked as a request is.
    private func push(
        _ world: DeliveryWorld, _ data: [String: JSONValue],
        _ change: (inout PushRequest) throws -> Void = { _ in }
    ) async throws -> Push {
        var request = PushRequest(data: data)
        try change(&request)
        let checked = try PushMessageCheck.checked(request, app: try await world.app, now: world.now)
        return try await world.store.createPush(checked, app: try await world.app, now: world.now).push
    }

    @Test(arguments: [APNs.Environment.production, .sandbox])
    func `a broadcast reaches whoever follows its channel and counts as one request`(
        environment: APNs.Environment
    ) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3, environment, topic: Self.topic)
            let channel = try await channel(world, environment)
            for phone in phones.prefix(2) { try follow(world, phone, channel) }
            let service = try world.service()
            let update = try await push(world, data(channel)) { $0.fallbackEnvironment = environment }
            try await world.work(service)
            #expect(try await world.record(update).deviceCount == 1)
            #expect(try await world.outcomes(update) == [.accepted: 1])
            #expect(try await world.state(update)?.state == .done)
            #expect(world.payload(phones[0])?["aps"]?["content-state"]?["score"] == 1)
            let end = try await push(world, data(channel, event: "end", score: 2)) {
                $0.fallbackEnvironment = environment
            }
            try await world.work(service)
            #expect(try await world.outcomes(end) == [.accepted: 1])
            #expect(phones.map { world.deliveries($0).count } == [2, 2, 0])
            #expect(world.deliveries(phones[1]).allSatisfy { $0.channel == channel })
            #expect(world.journal.count { $0.operation == .publish } == 2)
            #expect(world.journal.count { $0.operation == .push } == 0)
            let audience = try await world.store.audience(
                of: update.request, app: try await world.app, now: world.now)
            #expect(audience.total == 1)
        }
    }

    @Test func `a channel nobody made ends with APNs' reason and stops nothing`() async throws {
        try await DeliveryWorld.run { world in
            let service = try world.service()
            let push = try await push(world, data(try ChannelID("dHN0LXNyY2gtY2hubA==")))
            try await world.work(service)
            #expect(try await world.state(push)?.state == .done)
            #expect(try await world.outcomes(push) == [.refusedOtherwise: 1])
            let details = try await world.store.read { database in
                try database.first("SELECT details FROM batches") { row throws(SQLiteError) in
                    try row.optionalString(0)
                }
            }
            #expect((details ?? nil)?.contains("Channel") == true)
        }
    }

    @Test(arguments: [Reason.tooManyRequests, .serviceUnavailable])
    func `a broadcast that is refused for now is tried again`(reason: Reason) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1, topic: Self.topic)
            let channel = try await channel(world)
            try follow(world, phones[0], channel)
            let service = try world.service()
            try world.gateway.faults.add(FaultRule(.reason(reason, status: nil), count: 1))
            let push = try await push(world, data(channel))
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.pending: 1])
            world.advance(seconds: 902)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 1])
            #expect(world.deliveries(phones[0]).count == 1)
        }
    }

    @Test func `without a credential it waits, and with one it goes out`() async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            let channel = try await channel(world)
            let service = try world.service()
            let push = try await push(world, data(channel))
            try await world.work(service)
            #expect(try await world.state(push)?.state == .paused)
            #expect(try await world.state(push)?.error?.contains("credential") == true)
            try await world.addCredential()
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 1])
        }
    }

    @Test func `a schedule in a named zone publishes at its time`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1, topic: Self.topic)
            let channel = try await channel(world)
            try follow(world, phones[0], channel)
            let service = try world.service()
            let nine = Instant(
                secondsSince1970: (world.now.secondsSince1970 / 86_400 + 1) * 86_400 + 9 * 3_600)
            world.setTime(nine.advanced(bySeconds: -20 * 3_600))
            _ = try await push(world, data(channel)) {
                $0.schedule = PushSchedule(
                    rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", zone: .named("UTC"))
            }
            for _ in 0..<2 {
                world.advance(seconds: 20 * 3_600)
                try await world.work(service)
                world.advance(seconds: 4 * 3_600)
            }
            #expect(world.deliveries(phones[0]).count == 2)
        }
    }

    @Test func `what a broadcast cannot have is refused while somebody listens`() async throws {
        try await DeliveryWorld.run { world in
            let app = try await world.app
            let base = PushRequest(data: data(try ChannelID("dHN0LXNyY2gtY2hubA==")))
            let changes: [(inout PushRequest) throws -> Void] = [
                { $0.filter = try WhereClause(["deviceType": "ios"]) }, { $0.channels = ["a"] },
                { $0.deviceTokens = ["aa"] }, { $0.isTest = true },
                { $0.time = .local(CivilDateTime(iso8601: "2027-01-01T09:00:00")!) },
                { $0.schedule = PushSchedule(rule: "FREQ=DAILY") },
                { $0.data["event"] = "start" }, { $0.data = ["alert": "a", "apns-channel-id": "AAEC"] },
            ]
            for change in changes {
                var request = base
                try change(&request)
                let wrong = request
                let error = #expect(throws: ChangeError.self) {
                    try PushMessageCheck.checked(wrong, app: app, now: world.now)
                }
                #expect(error?.message.contains("apns-channel-id") == true, "\(error?.message ?? "")")
            }
            #expect(try PushMessageCheck.checked(base, app: app, now: world.now).broadcastChannel != nil)
        }
    }
}
