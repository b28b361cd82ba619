import APNs
import APNsGateway
import Testing

/// A linked device takes one notification at a time, and devices ration background pushes.
struct DeviceLinkRuleTests {
    var world = World()

    private mutating func addLinkedApp() throws -> (device: DeviceID, token: DeviceToken) {
        let app = try world.addApp()
        try world.registries.devices.setLinked(app.device, true, at: world.now)
        return app
    }

    @Test mutating func `a linked device gets the next push after it acknowledged the last`() throws {
        let (device, token) = try addLinkedApp()
        #expect(world.push(token) == .delivered(sequence: 1))
        let decision = world.push(token)
        #expect(decision.text == "stored: an earlier notification is in flight")
        #expect(world.received(device) == [world.id(1)])
        try world.registries.devices.acknowledge(device, upTo: 1, at: world.now)
        #expect(world.received(device) == [world.id(1), world.id(2)])
        guard case .stored = world.push(token) else {
            Issue.record("the second is not acknowledged")
            return
        }
    }

    @Test mutating func `fast pushes overwrite each other while one is in flight`() throws {
        let (device, token) = try addLinkedApp()
        for _ in 0..<5 { _ = world.push(token) }
        try world.registries.devices.acknowledge(device, upTo: 1, at: world.now)
        #expect(world.received(device) == [world.id(1), world.id(5)])
    }

    @Test mutating func `an attempt without storage waits for a busy device and not for one that is gone`()
        throws
    {
        let (device, token) = try addLinkedApp()
        _ = world.push(token)
        guard case .stored(.inFlight, nil, let end) = world.push(token, expiration: .never) else {
            Issue.record("not waiting")
            return
        }
        #expect(end == world.now + 60_000)
        var patient = world
        try world.registries.devices.acknowledge(device, upTo: 1, at: world.now)
        #expect(world.received(device) == [world.id(1), world.id(2)])
        var late = patient
        try patient.setOnline(device, false)
        #expect(patient.devices.takeOutcomes().map(\.decision) == [.discarded(.notStorable(.offline))])
        late.wait(60_000)
        #expect(late.devices.takeOutcomes().map(\.decision) == [.discarded(.expired)])
    }

    @Test(arguments: [-1, 2, .max] as [Int64])
    mutating func `an acknowledgement for what was never delivered is refused`(sequence: Int64) throws {
        let (device, token) = try addLinkedApp()
        _ = world.push(token)
        let error = #expect(throws: GatewayError.self) {
            try world.registries.devices.acknowledge(device, upTo: sequence, at: world.now)
        }
        #expect(error?.field == "sequence")
        #expect(error?.message.contains("allowed: 0 to 1") == true)
    }

    @Test mutating func `a device that gives up its link gets what waited`() throws {
        let (device, token) = try addLinkedApp()
        _ = world.push(token)
        _ = world.push(token)
        try world.registries.devices.setLinked(device, false, at: world.now)
        #expect(world.received(device) == [world.id(1), world.id(2)])
        #expect(world.push(token) == .delivered(sequence: 3))
    }

    @Test mutating func `a restart breaks the link, and the phone gets what waited when it links again`()
        throws
    {
        let (device, token) = try addLinkedApp()
        for _ in 0..<2 { _ = world.push(token) }
        world.devices = DeviceRegistry(policy: world.devices.policy, contents: world.devices.contents)
        #expect(world.push(token).text.hasPrefix("stored: device offline; replaced"))
        try world.registries.devices.setLinked(device, true, at: world.now)
        try world.setOnline(device, true)
        #expect(world.received(device) == [world.id(1)])
        try world.registries.devices.acknowledge(device, upTo: 1, at: world.now)
        #expect(world.received(device) == [world.id(1), world.id(3)])
    }

    @Test mutating func `without the rule a linked device gets everything at once`() throws {
        world = World { $0.hasOneInFlight = false }
        let (device, token) = try addLinkedApp()
        for _ in 0..<3 { _ = world.push(token) }
        #expect(world.received(device).count == 3)
    }

    // MARK: Background pushes. Apple: Pushing background updates to your App.

    private mutating func addRationedApp() throws -> (device: DeviceID, token: DeviceToken) {
        world = World { $0.backgroundPushesPerApp = .init(count: 2, milliseconds: 3_600_000) }
        return try world.addApp()
    }

    private mutating func background(_ token: DeviceToken) -> Decision {
        world.push(token, priority: .normal, pushType: .background)
    }

    @Test
    mutating func `background pushes above the budget are held, the newest only, until the budget allows it`()
        throws
    {
        let (device, token) = try addRationedApp()
        let release = world.now + 3_600_000
        for _ in 0..<2 { _ = background(token) }
        #expect(background(token) == .held(replacing: nil, untilMilliseconds: release))
        #expect(background(token) == .held(replacing: world.id(3), untilMilliseconds: release))
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.replaced(by: world.id(4)))])
        #expect(world.registries.devices.nextDeadline() == release)
        #expect(world.push(token) == .delivered(sequence: 3), "alerts are not rationed")
        world.wait(3_599_999)
        #expect(world.received(device).count == 3)
        world.wait(1)
        #expect(world.received(device) == [1, 2, 5, 4].map(world.id))
        #expect(background(token) == .delivered(sequence: 5), "the released one counted")
        guard case .held = background(token) else {
            Issue.record("the budget is two")
            return
        }
    }

    @Test mutating func `launching the app delivers the held push at once`() throws {
        let (device, token) = try addRationedApp()
        for _ in 0..<3 { _ = background(token) }
        try world.registries.devices.launch(device, app: nil, at: world.now)
        #expect(world.received(device) == [1, 2, 3].map(world.id))
        world.wait(World.day)
        #expect(world.received(device).count == 3, "once")
    }

    @Test mutating func `forcing the app to quit discards the held push`() throws {
        let (device, token) = try addRationedApp()
        for _ in 0..<3 { _ = background(token) }
        try world.registries.devices.forceQuit(device, app: nil, at: world.now)
        #expect(world.devices.takeOutcomes().map(\.decision) == [.discarded(.forceQuit)])
        world.wait(World.day)
        #expect(world.received(device).count == 2)
    }

    @Test mutating func `without a budget background pushes are delivered like others`() throws {
        let (device, token) = try world.addApp()
        for _ in 0..<50 { _ = background(token) }
        #expect(world.received(device).count == 50)
    }
}
