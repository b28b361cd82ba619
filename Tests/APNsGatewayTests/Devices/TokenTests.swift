import APNs
import APNsGateway
import Testing

/// Tokens: who gets which, and what a push for them is answered. Apple: Registering your app with APNs.
struct TokenTests {
    var world = World()

    @Test(arguments: [8, 32, 54, 80, 100])
    mutating func `a token has the configured size`(byteCount: Int) throws {
        world = World { $0.tokenByteCount = byteCount }
        let (_, token) = try world.addApp()
        #expect(token.byteCount == byteCount)
        #expect(world.isAccepted(token))
    }

    @Test(arguments: [-1, 0, 7, 101])
    mutating func `a size outside 8 to 100 bytes is refused`(byteCount: Int) throws {
        world = World { $0.tokenByteCount = byteCount }
        let device = try world.addPhone()
        let error = #expect(throws: GatewayError.self) { try world.register(device) }
        #expect(error?.code == .invalidField)
        #expect(error?.field == "token_bytes")
    }

    @Test mutating func `a token that was never issued is unknown`() throws {
        _ = try world.addApp()
        #expect(world.verdict(try DeviceToken(hex: "00ff")) == .unknown)
        #expect(World().verdict(try DeviceToken(hex: "00ff")) == .unknown)
        let decision = world.push(try DeviceToken(hex: "00ff"))
        #expect(decision == .noDevice)
        #expect(decision.text == "accepted: no such device (open gateway)")
    }

    @Test mutating func `a token is good in its environment only`() throws {
        let device = try world.addPhone()
        let sandbox = try world.register(device, World.topic, .sandbox)
        let production = try world.register(device, World.topic, .production)
        #expect(sandbox != production)
        #expect(world.verdict(sandbox, World.topic, .production) == .otherEnvironment)
        #expect(world.verdict(production, World.topic, .sandbox) == .otherEnvironment)
        #expect(world.isAccepted(sandbox))
    }

    @Test(arguments: ["com.example.other", "com.example.app.voip", "com.example.ap", "com.example.app2"])
    mutating func `a token is good for its topic only`(topic: String) throws {
        let (_, token) = try world.addApp()
        #expect(world.verdict(token, World.topic(topic)) == .notForTopic)
    }

    @Test mutating func `the other environment is found before the other topic`() throws {
        let (_, token) = try world.addApp()
        #expect(world.verdict(token, World.topic("com.example.other"), .production) == .otherEnvironment)
    }

    @Test mutating func `every app and family on a phone has a token of its own`() throws {
        let device = try world.addPhone()
        var tokens = Set<DeviceToken>()
        for bundleID in ["a.b", "a.c"] {
            for family in TokenFamily.allCases {
                let topic = World.topic(bundleID + family.pushType.topicSuffix)
                tokens.insert(try world.register(device, topic, family: family))
                if family == .controls {
                    tokens.insert(try world.register(device, topic, family: family, instance: "second"))
                }
            }
        }
        #expect(tokens.count == 2 * (TokenFamily.allCases.count + 1))
    }

    @Test(arguments: [
        ("a.b", TokenFamily.app), ("a.b.voip", .voip), ("a.b.voip-ptt", .pushtotalk),
        ("a.b.push-type.liveactivity", .liveactivity), ("a.b.push-type.widgets", .widgets),
        ("a.b.push-type.controls", .controls), ("a.b.pushkit.fileprovider", .fileprovider),
        ("a.b.location-query", .location), ("a.b.complication", .complication),
    ])
    func `the suffix of a topic tells the family`(topic: String, family: TokenFamily) {
        #expect(TokenFamily(topic: World.topic(topic)) == family)
    }

    @Test mutating func `a topic that does not fit the family is refused with the one that does`() throws {
        let device = try world.addPhone()
        let error = #expect(throws: GatewayError.self) {
            try world.register(device, World.topic("a.b.voip"), family: .widgets)
        }
        #expect(error?.message.contains("allowed: a.b.push-type.widgets") == true)
    }

    @Test mutating func `registering again gives the same token`() throws {
        let (device, token) = try world.addApp()
        world.wait(World.day)
        #expect(try world.register(device) == token)
        #expect(world.devices.tokenCount == 1)
    }

    @Test mutating func `an app on a phone without connection gets no token`() throws {
        let device = try world.addPhone()
        try world.setOnline(device, false)
        let error = #expect(throws: GatewayError.self) { try world.register(device) }
        #expect(error?.code == .deviceOffline)
    }

    @Test mutating func `a Live Activity token runs out and registering again renews it`() throws {
        let device = try world.addPhone()
        let topic = World.topic("com.example.app.push-type.liveactivity")
        let end = world.now + 1_000
        let token = try world.register(device, topic, instance: "one", expires: end)
        world.wait(999)
        #expect(world.verdict(token, topic) == .accepted(device: 0))
        world.wait(1)
        #expect(world.verdict(token, topic) == .expired(sinceMilliseconds: end))
        world.wait(World.day)
        #expect(world.verdict(token, topic) == .expired(sinceMilliseconds: end))
        #expect(try world.register(device, topic, instance: "one") == token)
        #expect(world.verdict(token, topic) == .accepted(device: 0))
        try world.registries.devices.unregister(device, token, at: world.now)
        #expect(world.verdict(token, topic) == .expired(sinceMilliseconds: world.now))
    }

    @Test mutating func `a limit per token refuses in its window and the next window is free again`() throws {
        world = World { $0.pushesPerToken = .init(count: 3, milliseconds: 1_000) }
        let (device, token) = try world.addApp()
        let other = try world.register(device, World.topic("com.example.other"))
        for _ in 0..<3 {
            #expect(world.isAccepted(token))
            _ = world.push(token)
        }
        #expect(world.verdict(token) == .tooManyRequests)
        #expect(world.verdict(other, World.topic("com.example.other")) != .tooManyRequests)
        world.wait(999)
        #expect(world.verdict(token) == .tooManyRequests)
        world.wait(1)
        #expect(world.isAccepted(token))
    }

    @Test mutating func `without a limit a token takes any number of pushes`() throws {
        let (_, token) = try world.addApp()
        for _ in 0..<10_000 { _ = world.push(token) }
        #expect(world.isAccepted(token))
    }

    @Test mutating func `tokens never begin like test tokens`() throws {
        let device = try world.addPhone()
        var generator = FixedThenRandom(bytes: [0xfa, 0x11])
        let issued = try world.registries.devices.register(
            device, RegistrationRequest(topic: World.topic, environment: .sandbox), at: world.now,
            using: &generator)
        #expect(!issued.token.hexString.hasPrefix("fa11"))
    }

    @Test
    mutating func `the oldest dead token of a full phone is forgotten and a phone full of live ones refuses`()
        throws
    {
        world = World { $0.tokensPerDeviceMax = 3 }
        let (device, first) = try world.addApp()
        for _ in 0..<3 {
            _ = try world.registries.devices.reinstall(
                device, app: nil, at: world.now, using: &world.generator)
        }
        #expect(world.devices.tokenCount == 3)
        #expect(world.verdict(first) == .unknown)
        for number in 0..<2 { _ = try world.register(device, World.topic("live\(number)")) }
        let error = #expect(throws: GatewayError.self) { try world.register(device, World.topic("live9")) }
        #expect(error?.code == .limitReached)
    }

    @Test mutating func `more devices or apps than allowed are refused`() throws {
        world = World {
            $0.deviceCountMax = 2
            $0.appsPerDeviceMax = 2
        }
        let device = try world.addPhone()
        _ = try world.addPhone()
        #expect(#expect(throws: GatewayError.self) { try world.addPhone() }?.code == .limitReached)
        _ = try world.register(device, World.topic("one"))
        _ = try world.register(device, World.topic("two"))
        #expect(
            #expect(throws: GatewayError.self) { try world.register(device, World.topic("three")) }?.code
                == .limitReached)
        try world.registries.devices.forget(device, at: world.now)
        _ = try world.addPhone()
    }
}

/// Gives some bytes first, as a generator whose first token would begin with them.
private struct FixedThenRandom: RandomNumberGenerator {
    var bytes: [UInt8]
    var rest = SplitMix(seed: 9)

    mutating func next() -> UInt64 {
        guard !bytes.isEmpty else { return rest.next() }
        // UInt8.random takes the low bits.
        return UInt64(bytes.removeFirst())
    }
}
