import APNs
import APNsGateway
import Crypto
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct BroadcastClientTests {
    private static let bundleID = GatewayWorld.topic
    private static let payload = Array(
        #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#.utf8)

    private static func client(_ world: GatewayWorld, credential: Credential? = nil) throws -> BroadcastClient
    {
        let endpoint = try world.endpoint()
        return try BroadcastClient(
            management: endpoint, publishing: endpoint, credential: credential ?? .token(world.tokens))
    }

    /// The reason a call was refused with, and its status.
    private static func refusal(
        _ call: () async throws(BroadcastClient.Failure) -> Void
    ) async -> (status: Int, reason: Reason)? {
        do throws(BroadcastClient.Failure) {
            try await call()
        } catch {
            guard case .rejected(let rejection) = error else { return nil }
            return rejection.requestID == nil ? nil : (rejection.status, rejection.reason)
        }
        return nil
    }

    @Test(arguments: MessageStoragePolicy.allCases)
    func `a channel is made, read, listed, published on and deleted`(
        policy: MessageStoragePolicy
    ) async throws {
        try await GatewayWorld.run { world in
            let client = try Self.client(world)
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [])
            let one = try await client.createChannel(bundleID: Self.bundleID, storagePolicy: policy)
            let two = try await client.createChannel(bundleID: Self.bundleID, storagePolicy: policy)
            #expect(one != two)
            #expect(
                try await client.readChannel(one, bundleID: Self.bundleID)
                    == ChannelConfiguration(storagePolicy: policy))
            #expect(Set(try await client.listChannels(bundleID: Self.bundleID)) == [one, two])
            let id = try await client.publish(Self.payload, on: one, bundleID: Self.bundleID)
            #expect(id != nil)
            try await client.deleteChannel(one, bundleID: Self.bundleID)
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [two])
            let operations = world.journal.map(\.operation)
            #expect(
                operations == [
                    .listChannels, .createChannel, .createChannel, .readChannel, .listChannels, .publish,
                    .deleteChannel, .listChannels,
                ])
        }
    }

    @Test func `a broadcast is stored for its channel as it was sent`() async throws {
        try await GatewayWorld.run { world in
            let client = try Self.client(world)
            let channel = try await client.createChannel(
                bundleID: Self.bundleID, storagePolicy: .mostRecentMessage)
            try await client.publish(
                Self.payload, on: channel, bundleID: Self.bundleID, priority: .normal,
                expiration: .at(secondsSince1970: WallClock.system.secondsSince1970 + 3600))
            let stored = world.gateway.hub.read { registries in
                registries.channels.channel(
                    channel, bundleID: Self.bundleID, environment: .sandbox)?.storedMessage
            }
            #expect(stored?.message.payload == Self.payload)
            #expect(stored?.message.priority == .normal)
        }
    }

    @Test func `a certificate may manage and publish too`() async throws {
        try await GatewayWorld.run { world in
            let identity = try world.gateway.identity.issueClient(
                bundleID: Self.bundleID, now: WallClock.system.secondsSince1970)
            let client = try Self.client(world, credential: .certificate(identity))
            let channel = try await client.createChannel(
                bundleID: Self.bundleID, storagePolicy: .noMessage)
            try await client.publish(Self.payload, on: channel, bundleID: Self.bundleID)
        }
    }

    @Test func `each refusal comes back with its status, reason and request id`() async throws {
        try await GatewayWorld.run(configure: { $0.policy.broadcasts.channelCountMax = 1 }) { world in
            let client = try Self.client(world)
            let channel = try await client.createChannel(
                bundleID: Self.bundleID, storagePolicy: .noMessage)
            let unknown = try ChannelID(bytes: [1, 2, 3])

            func expect(
                _ reason: Reason, _ call: () async throws(BroadcastClient.Failure) -> Void,
                location: SourceLocation = #_sourceLocation
            ) async {
                let found = await Self.refusal(call)
                #expect(found?.reason == reason, sourceLocation: location)
                #expect(found?.status == reason.status, sourceLocation: location)
            }
            await expect(.cannotCreateChannelConfig) { () async throws(BroadcastClient.Failure) in
                _ = try await client.createChannel(bundleID: Self.bundleID, storagePolicy: .noMessage)
            }
            await expect(.channelNotRegistered) { () async throws(BroadcastClient.Failure) in
                _ = try await client.readChannel(unknown, bundleID: Self.bundleID)
            }
            await expect(.channelNotRegistered) { () async throws(BroadcastClient.Failure) in
                _ = try await client.readChannel(channel, bundleID: "com.example.other")
            }
            await expect(.channelNotRegistered) { () async throws(BroadcastClient.Failure) in
                try await client.deleteChannel(unknown, bundleID: Self.bundleID)
            }
            await expect(.channelNotRegistered) { () async throws(BroadcastClient.Failure) in
                try await client.publish(Self.payload, on: unknown, bundleID: Self.bundleID)
            }
            await expect(.badExpirationDate) { () async throws(BroadcastClient.Failure) in
                try await client.publish(
                    Self.payload, on: channel, bundleID: Self.bundleID,
                    expiration: .at(secondsSince1970: WallClock.system.secondsSince1970 + 60))
            }
            await expect(.payloadEmpty) { () async throws(BroadcastClient.Failure) in
                try await client.publish([], on: channel, bundleID: Self.bundleID)
            }
            await expect(.payloadTooLarge) { () async throws(BroadcastClient.Failure) in
                try await client.publish(
                    [UInt8](repeating: 0x20, count: 5121), on: channel, bundleID: Self.bundleID)
            }
            await expect(.topicDisallowed) { () async throws(BroadcastClient.Failure) in
                _ = try await client.listChannels(bundleID: "com.example.belfry.voip")
            }
        }
    }

    @Test func `a credential that does not cover the app is refused`() async throws {
        try await GatewayWorld.run { world in
            let identity = try world.gateway.identity.issueClient(
                bundleID: "com.example.other", now: WallClock.system.secondsSince1970)
            let client = try Self.client(world, credential: .certificate(identity))
            let found = await Self.refusal { () async throws(BroadcastClient.Failure) in
                _ = try await client.listChannels(bundleID: Self.bundleID)
            }
            #expect(found?.reason == .topicMismatch)
        }
    }

    @Test(arguments: ["", "a b", "../apps", "com.example/x", "com.example?x"])
    func `a bundle id that would change the path is refused before anything is sent`(
        bundleID: String
    ) async throws {
        try await GatewayWorld.run { world in
            let client = try Self.client(world)
            await #expect(throws: BroadcastClient.Failure.invalidBundleID(bundleID)) {
                try await client.listChannels(bundleID: bundleID)
            }
            #expect(world.journal.isEmpty)
        }
    }

    @Test func `nobody to reach is a transport failure`() async throws {
        let endpoint = ScriptedTrust.endpoint(host: "127.0.0.1", port: 1)
        let client = try BroadcastClient(
            management: endpoint, publishing: endpoint, credential: .token(ScriptedTrust.source()))
        await #expect {
            try await client.listChannels(bundleID: Self.bundleID)
        } throws: { error in
            guard case BroadcastClient.Failure.transport(let transport) = error else { return false }
            return transport.code == .connect
        }
    }

    @Test func `calls go on after the connection was told to go`() async throws {
        try await GatewayWorld.run { world in
            let client = try Self.client(world)
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [])
            try world.gateway.faults.add(FaultRule(.goAway(.idleTimeout, errorCode: 0), count: 1))
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [])
            try world.gateway.faults.add(FaultRule(.drop, count: 1))
            _ = try? await client.listChannels(bundleID: Self.bundleID)
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [])
        }
    }

    @Test func `an expired token is renewed and the call repeated on a new connection`() async throws {
        let time = ManualClock()
        try await GatewayWorld.run(clock: time.clock, configure: { $0.hasVirtualClock = true }) { world in
            let client = try Self.client(world)
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [])
            try world.gateway.hub.clock.advance(byMilliseconds: 61 * 60_000)
            time.advance(minutes: 25)
            #expect(try await client.listChannels(bundleID: Self.bundleID) == [])
            #expect(Set(world.journal.map(\.connection)).count == 2)
        }
    }
}
