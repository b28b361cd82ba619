import APNs
import APNsGateway
import Testing

/// When a token dies: Apple's delayed 410.
struct RemovalTests {
    var world = World { $0.unregisteredGraceMilliseconds = 10_000 }

    private mutating func uninstall(_ device: DeviceID) throws {
        try world.registries.devices.uninstall(device, app: nil, at: world.now)
    }

    @Test
    mutating func
        `a deleted app answers 410 only after one more push reached the phone and the grace period`()
        throws
    {
        let (device, token) = try world.addApp()
        try uninstall(device)
        world.wait(100 * World.day)
        #expect(world.isAccepted(token), "no push has reached the phone yet")
        let noticed = world.now
        #expect(world.push(token) == .discarded(.removalNoticed))
        world.wait(9_999)
        #expect(world.isAccepted(token))
        #expect(world.push(token) == .discarded(.deadToken))
        world.wait(1)
        #expect(world.verdict(token) == .unregistered(sinceMilliseconds: noticed))
        world.wait(World.day)
        #expect(world.verdict(token) == .unregistered(sinceMilliseconds: noticed))
        #expect(world.received(device) == [])
    }

    @Test
    mutating func `a push to a phone that is offline does not notice the deletion until the phone is back`()
        throws
    {
        let (device, token) = try world.addApp()
        try uninstall(device)
        try world.setOnline(device, false)
        #expect(world.push(token) == .discarded(.removalUnnoticed(.offline)))
        world.wait(World.day)
        #expect(world.isAccepted(token))
        try world.setOnline(device, true)
        let noticed = world.now
        world.wait(10_000)
        #expect(world.verdict(token) == .unregistered(sinceMilliseconds: noticed))
        #expect(world.received(device) == [])
    }

    @Test(arguments: [Expiration.never, .at(secondsSince1970: 300)])
    mutating func `a push that may not be stored notices nothing on a phone that is offline`(
        expiration: Expiration
    )
        throws
    {
        let (device, token) = try world.addApp()
        try uninstall(device)
        try world.setOnline(device, false)
        #expect(world.push(token, expiration: expiration) == .discarded(.notStorable(.offline)))
        try world.setOnline(device, true)
        world.wait(World.day)
        #expect(world.isAccepted(token))
    }

    @Test mutating func `a stored push that expires before the phone is back notices nothing`() throws {
        let (device, token) = try world.addApp()
        try uninstall(device)
        try world.setOnline(device, false)
        _ = world.push(token, expiration: world.seconds(after: 5_000))
        world.wait(5_000)
        try world.setOnline(device, true)
        world.wait(World.day)
        #expect(world.isAccepted(token))
    }

    @Test mutating func `what was stored for an app that is then deleted finds it gone`() throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        _ = world.push(token)
        try uninstall(device)
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.appDeleted)])
        try world.setOnline(device, true)
        let noticed = world.now
        world.wait(10_000)
        #expect(world.verdict(token) == .unregistered(sinceMilliseconds: noticed))
        #expect(world.received(device) == [])
    }

    @Test mutating func `a reinstalled app has another token and the old one dies by the same rule`() throws {
        let (device, old) = try world.addApp()
        let issued = try world.registries.devices.reinstall(
            device, app: nil, at: world.now, using: &world.generator)
        let new = try #require(issued.first).token
        #expect(issued.count == 1 && new != old && issued[0].isNew)
        #expect(world.isAccepted(new) && world.isAccepted(old))
        #expect(world.push(new) == .delivered(sequence: 1))
        world.wait(World.day)
        #expect(world.isAccepted(old), "pushes for the new token say nothing about the old one")
        #expect(world.push(old) == .discarded(.removalNoticed))
        world.wait(10_000)
        #expect(world.verdict(old) == .unregistered(sinceMilliseconds: world.now - 10_000))
        #expect(world.isAccepted(new))
        #expect(try world.register(device) == new)
    }

    @Test mutating func `a deleted app that is installed again gets a new token`() throws {
        let (device, old) = try world.addApp()
        try uninstall(device)
        let new = try world.register(device)
        #expect(new != old)
        #expect(world.push(new) == .delivered(sequence: 1))
        #expect(world.push(old) == .discarded(.removalNoticed))
    }

    @Test mutating func `reinstalling brings back lasting families and not those of a session`() throws {
        let device = try world.addPhone()
        for family in TokenFamily.allCases {
            _ = try world.register(device, World.topic("a.b" + family.pushType.topicSuffix), family: family)
        }
        let issued = try world.registries.devices.reinstall(
            device, app: AppSelector(bundleID: "a.b"), at: world.now, using: &world.generator)
        #expect(issued.count == TokenFamily.allCases.filter(\.outlivesReinstall).count)
        #expect(
            TokenFamily.allCases.filter { !$0.outlivesReinstall } == [.pushtotalk, .liveactivity, .controls])
    }

    @Test mutating func `a token that an app gave up dies, and is good again when the app registers`() throws
    {
        let (device, token) = try world.addApp()
        try world.registries.devices.unregister(device, token, at: world.now)
        #expect(world.push(token) == .discarded(.removalNoticed))
        let noticed = world.now
        world.wait(10_000)
        #expect(world.verdict(token) == .unregistered(sinceMilliseconds: noticed))
        #expect(try world.register(device) == token)
        #expect(world.isAccepted(token))
        #expect(world.push(token) == .delivered(sequence: 1))
    }

    @Test mutating func `a token given up before its app was deleted does not come back`() throws {
        let (device, token) = try world.addApp()
        try world.registries.devices.unregister(device, token, at: world.now)
        try uninstall(device)
        #expect(try world.register(device) != token)
    }

    @Test mutating func `a backup restored on a new phone has the same apps and other tokens`() throws {
        let (old, token) = try world.addApp()
        let voip = try world.register(old, World.topic("com.example.app.voip"))
        let new = try world.registries.devices.restore(
            old, toDeviceNamed: "new phone", at: world.now, using: &world.generator)
        let tokens = world.devices.contents.tokens.filter { $0.device == new }
        #expect(tokens.map(\.topic.rawValue).sorted() == ["com.example.app", "com.example.app.voip"])
        #expect(Set(tokens.map(\.token)).isDisjoint(with: [token, voip]))
        #expect(world.push(token) == .discarded(.removalNoticed))
        #expect(world.received(new) == [])
    }

    @Test mutating func `the grace period starts at the deletion when the policy says so`() throws {
        world = World {
            $0.noticesRemovalOnPush = false
            $0.unregisteredGraceMilliseconds = 0
        }
        let (device, token) = try world.addApp()
        try uninstall(device)
        #expect(world.verdict(token) == .unregistered(sinceMilliseconds: world.now))
    }

    @Test mutating func `a forgotten device leaves no token behind`() throws {
        let (device, token) = try world.addApp()
        try world.setOnline(device, false)
        _ = world.push(token)
        try world.registries.devices.forget(device, at: world.now)
        #expect(world.verdict(token) == .unknown)
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.deviceForgotten)])
        #expect(world.registries.devices.nextDeadline() == nil)
        #expect(world.devices.contents == RegistryContents())
        #expect(throws: GatewayError.self) { try world.setOnline(device, true) }
    }

    @Test mutating func `the number of a verdict leads nowhere after its token was forgotten`() throws {
        let (device, token) = try world.addApp()
        guard case .accepted(let number) = world.verdict(token) else {
            Issue.record("not accepted")
            return
        }
        let notification = world.notification(token)
        try world.registries.devices.forget(device, at: world.now)
        let (other, _) = try world.addApp()
        #expect(world.registries.devices.accept(notification, device: number, at: world.now) == .noDevice)
        #expect(world.received(other) == [])
    }

    @Test mutating func `uninstalling an app the device does not have names those it has`() throws {
        let (device, _) = try world.addApp()
        let error = #expect(throws: GatewayError.self) {
            try world.registries.devices.uninstall(device, app: AppSelector(bundleID: "x.y"), at: world.now)
        }
        #expect(error?.code == .appNotFound)
        #expect(error?.message.contains("com.example.app (sandbox)") == true)
    }
}
