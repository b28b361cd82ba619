import APNs
import APNsGateway
import Testing

/// Store and forward. Apple: Viewing the status of push notifications; Sending notification requests to APNs.
struct StorageRuleTests {
    var world = World()

    @Test mutating func `a push for a device that is online is delivered at once`() throws {
        let (device, token) = try world.addApp()
        #expect(world.push(token) == .delivered(sequence: 1))
        #expect(world.push(token) == .delivered(sequence: 2))
        #expect(world.received(device) == [world.id(1), world.id(2)])
    }

    @Test mutating func `a push for a device that is offline is stored and delivered when it comes online`()
        throws
    {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        let decision = world.push(token)
        #expect(decision == .stored(.offline, replacing: nil, untilMilliseconds: world.now + 30 * World.day))
        #expect(decision.text == "stored: device offline")
        #expect(world.received(device) == [])
        world.wait(3_600_000)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1)])
        #expect(world.devices.takeOutcomes().map(\.decision) == [.delivered(sequence: 1)])
        try world.setOnline(device, false)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1)], "once")
    }

    @Test mutating func `a newer push replaces the stored one of the same app`() throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        _ = world.push(token)
        let decision = world.push(token)
        #expect(
            decision.text == "stored: device offline; replaced stored notification \(world.id(1).uuidString)")
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.replaced(by: world.id(2)))])
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(2)])
    }

    @Test mutating func `different collapse ids do not multiply storage`() throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        for collapseID in ["a", "b", "c"] { _ = world.push(token, collapseID: collapseID) }
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(3)])
    }

    @Test
    mutating func `each app of a device has a stored push of its own, and the oldest is delivered first`()
        throws
    {
        let device = try world.addPhone()
        let tokens = try ["a.b", "a.c", "a.d"].map { try world.register(device, World.topic($0)) }
        try world.setOnline(device, false)
        for token in [tokens[2], tokens[0], tokens[1], tokens[2]] {
            _ = world.push(token)
            world.wait(1)
        }
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(2), world.id(3), world.id(4)])
    }

    @Test mutating func `an alert and a voip push of one app share the storage`() throws {
        let (device, token) = try world.addApp()
        let voip = try world.register(device, World.topic("com.example.app.voip"))
        try world.setOnline(device, false)
        _ = world.push(token)
        _ = world.push(voip)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(2)])
    }

    @Test mutating func `sandbox and production store apart`() throws {
        let (device, token) = try world.addApp()
        let production = try world.register(device, World.topic, .production)
        try world.setOnline(device, false)
        _ = world.push(token)
        _ = world.push(production)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1), world.id(2)])
    }

    /// Seconds from now (nil: no header; 0: the value 0), and for how long the push is stored.
    @Test(
        arguments: [
            (nil, 30 * 86_400), (60, 60), (30 * 86_400, 30 * 86_400), (31 * 86_400, 30 * 86_400),
            (1_000_000_000_000, 30 * 86_400),
        ] as [(Int64?, Int64)])
    mutating func `a push is stored until its expiration and 30 days at most`(
        seconds: Int64?, stored: Int64
    ) throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        let now = world.now / 1_000
        let expiration = seconds.map { Expiration.at(secondsSince1970: now + $0) } ?? .unspecified
        let end = world.now + stored * 1_000
        #expect(
            world.push(token, expiration: expiration)
                == .stored(.offline, replacing: nil, untilMilliseconds: end))
        #expect(world.registries.devices.nextDeadline() == end)
        var late = world
        world.now = end - 1
        world.registries.devices.advance(to: world.now)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1)], "one millisecond before it expires")
        late.now = end
        late.registries.devices.advance(to: end)
        #expect(late.devices.takeOutcomes().map(\.decision) == [.discarded(.expired)])
        try late.setOnline(device, true)
        #expect(late.received(device) == [], "at its expiration")
    }

    @Test(arguments: [Int64.max, .max / 1_000, .max / 1_000 + 1] as [Int64])
    mutating func `an expiration in the far future is cut to 30 days without overflow`(seconds: Int64) throws
    {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        #expect(
            world.push(token, expiration: .at(secondsSince1970: seconds))
                == .stored(.offline, replacing: nil, untilMilliseconds: world.now + 30 * World.day))
    }

    @Test mutating func `expiration 0 means one attempt and no storage`() throws {
        let (device, token) = try world.addApp()
        #expect(world.push(token, expiration: .never) == .delivered(sequence: 1))
        try world.setOnline(device, false)
        let decision = world.push(token, expiration: .never)
        #expect(decision == .discarded(.notStorable(.offline)))
        #expect(decision.text == "discarded: device offline, expiration 0")
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1)])
    }

    @Test(arguments: [1, 300, 1_800_000_000, .min, -1] as [Int64])
    mutating func `an expiration in the past allows the immediate attempt only`(seconds: Int64) throws {
        let (device, token) = try world.addApp()
        let expiration = Expiration.at(secondsSince1970: seconds)
        #expect(world.push(token, expiration: expiration) == .delivered(sequence: 1))
        try world.setOnline(device, false)
        let decision = world.push(token, expiration: expiration)
        #expect(decision == .discarded(.expired))
        #expect(decision.text == "discarded: expired")
    }

    @Test mutating func `a push that may not be stored leaves the stored one alone`() throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        _ = world.push(token)
        _ = world.push(token, expiration: .never)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1)])
    }

    @Test mutating func `a stored push whose time has come is not replaced but expired`() throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        _ = world.push(token, expiration: world.seconds(after: 1_000))
        world.now += 1_000
        guard case .stored(.offline, nil, _) = world.push(token) else {
            Issue.record("replaced")
            return
        }
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.expired)])
    }

    @Test(arguments: [(Priority.high, false), (.normal, true), (.low, true)])
    mutating func `power saving holds priority 5 and 1 until it is lifted`(
        priority: Priority, isHeld: Bool
    ) throws {
        let (device, token) = try world.addApp()
        try world.registries.devices.setPowerSaving(device, true, at: world.now)
        let decision = world.push(token, priority: priority)
        if isHeld {
            #expect(decision.text == "stored: device saves power")
            #expect(world.received(device) == [])
            try world.setOnline(device, false)
            try world.setOnline(device, true)
            #expect(world.received(device) == [], "a connection does not lift it")
            try world.registries.devices.setPowerSaving(device, false, at: world.now)
        }
        #expect(world.received(device) == [world.id(1)])
    }

    @Test mutating func `a priority 10 push passes one that power saving holds`() throws {
        let (device, token) = try world.addApp()
        try world.registries.devices.setPowerSaving(device, true, at: world.now)
        _ = world.push(token, priority: .normal)
        #expect(world.push(token, priority: .high) == .delivered(sequence: 1))
        try world.registries.devices.setPowerSaving(device, false, at: world.now)
        #expect(world.received(device) == [world.id(2), world.id(1)])
    }

    @Test mutating func `expiration 0 and priority 5 are lost on a device that saves power`() throws {
        let (device, token) = try world.addApp()
        try world.registries.devices.setPowerSaving(device, true, at: world.now)
        #expect(
            world.push(token, priority: .normal, expiration: .never) == .discarded(.notStorable(.powerSaving))
        )
    }

    @Test mutating func `pushes for an app whose notifications are off are discarded`() throws {
        let (device, token) = try world.addApp()
        try world.registries.devices.setEnabled(device, app: nil, false)
        #expect(world.isAccepted(token))
        #expect(world.push(token) == .discarded(.disabled))
        try world.registries.devices.setEnabled(device, app: nil, true)
        #expect(world.push(token) == .delivered(sequence: 1))
    }

    @Test mutating func `what was stored before notifications were switched off is discarded on arrival`()
        throws
    {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        _ = world.push(token)
        try world.registries.devices.setEnabled(device, app: nil, false)
        try world.setOnline(device, true)
        #expect(world.received(device) == [])
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.disabled)])
    }

    @Test mutating func `the collapse id is the request identifier, else the apns-id`() throws {
        let (device, token) = try world.addApp()
        _ = world.push(token, collapseID: "score")
        _ = world.push(token)
        let deliveries = world.devices.contents.deliveries.filter { $0.device == device }.map(\.delivery)
        #expect(deliveries.map(\.requestIdentifier) == ["score", world.id(2).uuidString])
    }

    @Test mutating func `the newest deliveries of a device are kept, and so many in all`() throws {
        world = World {
            $0.deliveriesPerDeviceMax = 3
            $0.deliveriesMax = 4
        }
        let (first, firstToken) = try world.addApp()
        let (second, secondToken) = try world.addApp()
        for _ in 0..<5 { _ = world.push(firstToken) }
        #expect(world.received(first) == [3, 4, 5].map(world.id))
        for _ in 0..<2 { _ = world.push(secondToken) }
        #expect(world.received(first) == [4, 5].map(world.id))
        #expect(world.received(second) == [6, 7].map(world.id))
        for _ in 0..<9 { _ = world.push(secondToken) }
        #expect(world.received(first) == [])
        #expect(world.received(second) == [14, 15, 16].map(world.id))
        #expect(world.push(firstToken) == .delivered(sequence: 6))
    }
}
