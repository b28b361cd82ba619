import APNs
import APNsGateway
import Testing

/// Broadcast channels. Apple: Sending channel management requests to APNs; Setting up broadcast push notifications.
struct ChannelTests {
    var world = World()
    let bundleID = "com.example.app"
    static let hour: Int64 = 3_600_000

    private mutating func create(
        _ policy: MessageStoragePolicy = .mostRecentMessage, bundleID: String = "com.example.app",
        _ environment: Environment = .sandbox
    ) throws -> ChannelID {
        try #require(
            world.registries.channels.create(
                bundleID: bundleID, environment: environment, storagePolicy: policy, at: world.now,
                using: &world.generator))
    }

    private mutating func publish(
        _ channel: ChannelID, _ number: UInt64 = 1, priority: Priority = .high,
        expiration: Expiration = .unspecified
    ) -> BroadcastDecision? {
        world.registries.publish(
            BroadcastMessage(
                id: NotificationID(high: 0xcccc, low: number), priority: priority, expiration: expiration,
                payload: [], receivedAtMilliseconds: world.now),
            to: channel, bundleID: bundleID, environment: .sandbox, at: world.now)
    }

    private func message(_ number: UInt64) -> NotificationID { NotificationID(high: 0xcccc, low: number) }

    @Test mutating func `a channel belongs to one app in one environment`() throws {
        let id = try create()
        let channels = world.registries.channels
        #expect(
            channels.channel(id, bundleID: bundleID, environment: .sandbox)?.storagePolicy
                == .mostRecentMessage)
        #expect(channels.channel(id, bundleID: bundleID, environment: .production) == nil)
        #expect(channels.channel(id, bundleID: "com.example.other", environment: .sandbox) == nil)
        #expect(channels.list(bundleID: bundleID, environment: .sandbox) == [id])
        #expect(channels.list(bundleID: bundleID, environment: .production) == [])
    }

    @Test mutating func `channels are listed by age and their ids are base64`() throws {
        let ids = try (0..<20).map { _ in try create() }
        #expect(world.registries.channels.list(bundleID: bundleID, environment: .sandbox) == ids)
        #expect(Set(ids).count == 20)
        #expect(ids.allSatisfy { $0.rawValue.count == 24 && $0.rawValue.hasSuffix("==") })
    }

    @Test mutating func `an app has at most 10000 channels in an environment`() throws {
        #expect(ChannelList.channelCountMax == 10_000)
        world.registries.channels = ChannelRegistry(channelCountMax: 3)
        let ids = try (0..<3).map { _ in try create() }
        let more = world.registries.channels.create(
            bundleID: bundleID, environment: .sandbox, storagePolicy: .noMessage, at: 0,
            using: &world.generator)
        #expect(more == nil)
        _ = try create(.noMessage, .production)
        _ = try create(bundleID: "com.example.other")
        #expect(world.registries.channels.delete(ids[0], bundleID: bundleID, environment: .sandbox) == true)
        _ = try create()
    }

    @Test mutating func `a deleted channel is gone and only its app can delete it`() throws {
        let id = try create()
        #expect(
            world.registries.channels.delete(id, bundleID: "com.example.other", environment: .sandbox)
                == false)
        #expect(world.registries.channels.delete(id, bundleID: bundleID, environment: .production) == false)
        #expect(world.registries.channels.delete(id, bundleID: bundleID, environment: .sandbox) == true)
        #expect(world.registries.channels.delete(id, bundleID: bundleID, environment: .sandbox) == false)
        #expect(publish(id) == nil)
        #expect(world.registries.channels.channelCount == 0)
    }

    @Test mutating func `switching broadcasts off deletes the app's channels in that environment`() throws {
        let id = try create()
        let production = try create(.noMessage, .production)
        world.registries.channels.setBroadcastEnabled(false, bundleID: bundleID, environment: .sandbox)
        #expect(!world.registries.channels.isBroadcastEnabled(bundleID: bundleID, environment: .sandbox))
        #expect(world.registries.channels.isBroadcastEnabled(bundleID: bundleID, environment: .production))
        #expect(publish(id) == nil)
        #expect(world.registries.channels.list(bundleID: bundleID, environment: .production) == [production])
        world.registries.channels.setBroadcastEnabled(true, bundleID: bundleID, environment: .sandbox)
        #expect(world.registries.channels.isBroadcastEnabled(bundleID: bundleID, environment: .sandbox))
        #expect(world.registries.channels.list(bundleID: bundleID, environment: .sandbox) == [])
    }

    @Test mutating func `a publication reaches every device that follows the channel`() throws {
        let id = try create(.noMessage)
        let other = try create(.noMessage)
        var followers: [DeviceID] = []
        for number in 0..<5 {
            let (device, token) = try world.addApp()
            if number < 3 {
                try world.registries.subscribe(device, token, to: id)
                followers.append(device)
            } else {
                try world.registries.subscribe(device, token, to: other)
            }
        }
        let decision = try #require(publish(id))
        #expect(decision.text == "broadcast: delivered to 3")
        for device in followers { #expect(world.received(device) == [message(1)]) }
        let deliveries = world.devices.contents.deliveries
        #expect(deliveries.count == 3)
        #expect(deliveries.allSatisfy { $0.delivery.channel == id })
        #expect(
            deliveries.allSatisfy {
                $0.delivery.notification.topic.rawValue == "com.example.app.push-type.liveactivity"
            })
    }

    @Test mutating func `subscribing needs a live token of the channel's app and environment`() throws {
        let id = try create()
        let device = try world.addPhone()
        let production = try world.register(device, World.topic, .production)
        let other = try world.register(device, World.topic("com.example.other"))
        for token in [production, other] {
            let error = #expect(throws: GatewayError.self) {
                try world.registries.subscribe(device, token, to: id)
            }
            #expect(error?.code == .channelNotFound)
        }
        let (stranger, token) = try world.addApp()
        #expect(
            #expect(throws: GatewayError.self) { try world.registries.subscribe(device, token, to: id) }?.code
                == .tokenNotFound)
        try world.registries.devices.uninstall(stranger, app: nil, at: world.now)
        #expect(throws: GatewayError.self) { try world.registries.subscribe(stranger, token, to: id) }
    }

    @Test(arguments: [(MessageStoragePolicy.noMessage, false), (.mostRecentMessage, true)])
    mutating func `a device that was offline gets the latest message only if the channel stores it`(
        policy: MessageStoragePolicy, isStored: Bool
    ) throws {
        let id = try create(policy)
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.setOnline(device, false)
        _ = publish(id, 1)
        let decision = try #require(publish(id, 2))
        #expect(
            decision.text
                == (isStored
                    ? "broadcast: delivered to 0, stored for 1" : "broadcast: delivered to 0, 1 missed it"))
        try world.setOnline(device, true)
        #expect(world.received(device) == (isStored ? [message(2)] : []))
        try world.setOnline(device, false)
        try world.setOnline(device, true)
        #expect(world.received(device).count == (isStored ? 1 : 0), "once")
    }

    /// Seconds from now (nil: no header), and for how long the message is stored.
    @Test(
        arguments: [(nil, 8 * 3_600), (60, 60), (9 * 3_600, 8 * 3_600), (-5, 0), (0, 0)] as [(Int64?, Int64)])
    mutating func `a channel stores a message until its expiration and 8 hours at most`(
        seconds: Int64?, stored: Int64
    )
        throws
    {
        let id = try create()
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.setOnline(device, false)
        let now = world.now / 1_000
        let decision = try #require(
            publish(id, expiration: seconds.map { .at(secondsSince1970: now + $0) } ?? .unspecified))
        #expect(decision.storedUntilMilliseconds == (stored == 0 ? nil : world.now + stored * 1_000))
        var late = world
        world.wait(max(0, stored * 1_000 - 1))
        try world.setOnline(device, true)
        #expect(world.received(device).count == (stored == 0 ? 0 : 1))
        late.wait(stored * 1_000)
        try late.setOnline(device, true)
        #expect(late.received(device) == [])
    }

    @Test mutating func `expiration 0 is never stored`() throws {
        let id = try create()
        #expect(try #require(publish(id, expiration: .never)).storedUntilMilliseconds == nil)
        #expect(
            try #require(publish(id, expiration: .at(secondsSince1970: .max))).storedUntilMilliseconds != nil)
        #expect(
            try #require(publish(id, expiration: .at(secondsSince1970: .min))).storedUntilMilliseconds == nil)
    }

    @Test mutating func `a new follower does not get what was published before`() throws {
        let id = try create()
        _ = publish(id, 1)
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.setOnline(device, false)
        try world.setOnline(device, true)
        #expect(world.received(device) == [])
        _ = publish(id, 2)
        #expect(world.received(device) == [message(2)])
    }

    @Test mutating func `power saving holds messages of low priority`() throws {
        let id = try create()
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.registries.devices.setPowerSaving(device, true, at: world.now)
        _ = publish(id, 1, priority: .normal)
        #expect(world.received(device) == [])
        try world.registries.devices.setPowerSaving(device, false, at: world.now)
        world.registries.deliverStoredBroadcasts(to: device, at: world.now)
        #expect(world.received(device) == [message(1)])
    }

    @Test mutating func `an app that was deleted follows nothing`() throws {
        let id = try create()
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.registries.devices.uninstall(device, app: nil, at: world.now)
        #expect(try #require(publish(id)).text == "broadcast: delivered to 0")
        #expect(world.registries.channels.subscriptions(of: token) == [])
    }

    @Test mutating func `a forgotten device follows nothing`() throws {
        let id = try create()
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.registries.forget(device, at: world.now)
        #expect(world.registries.channels.subscriptions(of: token) == [])
        #expect(world.registries.channels.all.first?.subscribers.isEmpty == true)
    }

    @Test mutating func `a subscription ends when the app says so`() throws {
        let id = try create()
        let (device, token) = try world.addApp()
        try world.registries.subscribe(device, token, to: id)
        try world.registries.subscribe(device, token, to: id)
        #expect(world.registries.channels.subscriptions(of: token) == [id])
        #expect(world.registries.channels.unsubscribe(token, from: id) == true)
        #expect(world.registries.channels.unsubscribe(token, from: id) == false)
        _ = publish(id)
        #expect(world.received(device) == [])
    }

    @Test mutating func `an unknown channel is nobody's`() throws {
        let id = try ChannelID(bytes: [1, 2, 3])
        #expect(publish(id) == nil)
        #expect(world.registries.channels.subscribe(try DeviceToken(hex: "aa"), to: id) == false)
    }
}
