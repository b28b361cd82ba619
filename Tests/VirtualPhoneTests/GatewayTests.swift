import APNs
import Testing
import UserNotifications

@testable import APNsGateway
@testable import VirtualPhone

/// Phones linked to a real gateway, with pushes of a real client.
@Suite(.timeLimit(.minutes(5))) struct GatewayTests {
    @Test func `a push goes all the way: sent, shown, tapped, told to the app`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            try await bench.bring(to: .suspended)
            #expect(try await world.send("Hello", to: bench.phone.token) == "accepted")
            await bench.phone.waitForList(["Hello"])
            let banner = try #require(bench.phone.state.banner)
            #expect(banner.isRemote)
            try await bench.phone.tap(banner.id)
            #expect(bench.story.take() == ["enters foreground", "tap Hello", "active"])
            await bench.phone.disconnect()
        }
    }

    @Test func `a push in each app state reaches the screen`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            for state in [AppState.active, .background, .suspended, .notRunning] {
                if bench.phone.state.app(Bench.app)?.state != .active {
                    try await bench.phone.open(Bench.app)
                }
                try await bench.bring(to: state)
                await bench.phone.clearAll()
                #expect(try await world.send("In \(state)", to: bench.phone.token) == "accepted")
                await bench.phone.waitForList(["In \(state)"])
            }
            await bench.phone.disconnect()
        }
    }

    @Test func `in airplane mode the last push waits at the gateway, and comes when it is over`() async throws
    {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            try await bench.bring(to: .suspended)
            await bench.phone.setAirplane(true)
            for number in 1...3 { try await world.send("Number \(number)", to: bench.phone.token) }
            #expect(bench.bodies == [])
            await bench.phone.setAirplane(false)
            await bench.phone.waitForList(["Number 3"])
            // And nothing was lost or repeated on the way back.
            try await world.send("Number 4", to: bench.phone.token)
            await bench.phone.waitForList(["Number 4", "Number 3"])
            await bench.phone.disconnect()
        }
    }

    @Test func `a push with the same collapse id takes the place of the first`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            try await bench.bring(to: .suspended)
            try await world.send("1 : 0", to: bench.phone.token, collapseID: "score")
            await bench.phone.waitForList(["1 : 0"])
            try await world.send("2 : 0", to: bench.phone.token, collapseID: "score")
            await bench.phone.waitForList(["2 : 0"])
            #expect(bench.phone.state.list.first?.identifier == "score")
            await bench.phone.disconnect()
        }
    }

    @Test func `the token of a deleted app is answered 410 in the end`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            let token = try bench.phone.token
            try await bench.phone.uninstall(Bench.app)
            // This one is how APNs notices.
            #expect(try await world.send("Anybody?", to: token) == "accepted")
            try world.advance(milliseconds: 120_000)
            #expect(try await world.send("Anybody?", to: token) == "410 Unregistered")
            await bench.phone.disconnect()
        }
    }

    @Test func `an app that is installed again gets another token, and asks again after a day`() async throws
    {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            let token = try bench.phone.token
            try await bench.phone.reinstall(Bench.app)
            #expect(bench.phone.state.app(Bench.app)?.token == nil)
            try await bench.phone.open(Bench.app)
            #expect(try bench.phone.token != token)
            try await world.send("To the new one", to: bench.phone.token)
            await bench.phone.waitForList(["To the new one"])
            await bench.phone.disconnect()
        }
    }

    @Test func `a restored phone has the apps and what they kept, and other tokens`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            let token = try bench.phone.token
            try bench.phone.storage(of: Bench.app).setString("Ada", forKey: "user")
            let new = try await bench.phone.restore(toPhoneNamed: "New iPhone")
            #expect(new.isLocked)
            #expect(try new.storage(of: Bench.app).string(forKey: "user") == "Ada")
            #expect(bench.phone.state.apps == [])
            _ = bench.story.take()
            try await new.open(Bench.app)
            #expect(try new.token != token)
            // Restored with the backup, the permission needs no question.
            #expect(new.journal(.asked) == [])
            try await world.send("To the new phone", to: new.token)
            await new.waitForList(["To the new phone"])
            await new.disconnect()
        }
    }

    @Test func `an app whose notifications are off gets no visible push from the gateway`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            try await bench.phone.changeSettings(of: Bench.app) { $0.allowsNotifications = false }
            try await world.send("Unwanted", to: bench.phone.token)
            try await bench.phone.changeSettings(of: Bench.app) { $0.allowsNotifications = true }
            try await world.send("Wanted", to: bench.phone.token)
            await bench.phone.waitForList(["Wanted"])
            #expect(bench.phone.journal(.received).count == 1)
            await bench.phone.disconnect()
        }
    }

    @Test func `an app that gave its token up gets nothing`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            let token = try bench.phone.token
            await bench.phone.application(Bench.app)?.unregisterForRemoteNotifications()
            await bench.phone.settle()
            try await world.send("Too late", to: token)
            await bench.phone.application(Bench.app)?.registerForRemoteNotifications()
            await bench.phone.settle()
            try await world.send("Again", to: bench.phone.token)
            await bench.phone.waitForList(["Again"])
            await bench.phone.disconnect()
        }
    }

    @Test func `a gateway that is not there is said so`() async throws {
        let phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "UTC")
        let link = GatewayLink(control: "http://127.0.0.1:1", name: "iPhone")
        let error = await #expect(throws: PhoneError.self) { try await phone.connect(link) }
        #expect(error?.code == .link)
        #expect(error?.message.contains("http://127.0.0.1:1") == true)
    }

    @Test func `one phone has several apps, each with its own pushes`() async throws {
        try await GatewayWorld.run { world in
            let bench = try await Bench(link: world.link())
            var other = TestApp.manifest
            other.bundleIdentifier = "com.example.Other"
            other.name = "Other"
            let story = Story()
            try await bench.phone.install(other) { TestApp(story: story, behaviour: Behaviour()) }
            try await bench.phone.open("com.example.Other")
            let tokens = bench.phone.state.apps.compactMap(\.token)
            #expect(Set(tokens).count == 2)
            _ = bench.story.take()
            _ = story.take()
            try await world.send("For the first", to: bench.phone.token)
            await bench.phone.waitForList(["For the first"])
            #expect(bench.story.take() == [])
            #expect(story.take() == [])
            await bench.phone.disconnect()
        }
    }
}

extension GatewayWorld {
    /// Puts the gateway's clock forward.
    func advance(milliseconds: Int64) throws {
        let clock = try #require(gateway.hub.clock as? VirtualGatewayClock)
        try clock.advance(byMilliseconds: milliseconds)
        gateway.hub.advance()
    }
}
