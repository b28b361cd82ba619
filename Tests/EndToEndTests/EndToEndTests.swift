import APNs
import BelfryKit
import PushStore
import Testing
import VirtualPhone

/// The whole way: an app with the app library on a phone, the push service over HTTP, APNs over HTTP/2, and back.
@Suite(.timeLimit(.minutes(5)), .serialized) struct EndToEndTests {
    enum Place: String, CaseIterable {
        case foreground, background, suspended, notRunning, forceQuit, locked, airplane
    }

    private func bring(_ phone: VirtualPhone, to place: Place) async throws {
        switch place {
        case .foreground: break
        case .background: await phone.goHome()
        case .suspended:
            await phone.goHome()
            await phone.advance(by: .seconds(10))
            #expect(phone.state.app(World.topic)?.state == .suspended)
        case .notRunning:
            await phone.goHome()
            try await phone.terminate(World.topic)
        case .forceQuit: try await phone.forceQuit(World.topic)
        case .locked: await phone.lock()
        case .airplane:
            await phone.goHome()
            await phone.setAirplane(true)
        }
    }

    @Test(arguments: Place.allCases)
    func `a push shows wherever the app is, and its tap is counted as one open`(place: Place) async throws {
        try await World.run { world in
            let (phone, installation) = (world.phone, try await world.openApp())
            let row = try await world.master("GET", "/1.1/installations/\(installation)")
            #expect(row["apnsTopic"] == .string(World.topic))
            #expect(row["environment"] == "production")
            #expect(row["timeZone"] == "Asia/Shanghai")
            #expect(row["appVersion"] == "2.4")

            try await bring(phone, to: place)
            let push = try await world.push("Hello")
            if place == .airplane {
                #expect(phone.state.list == [])
                await phone.setAirplane(false)
            }
            await world.waitForList(["Hello"])
            #expect(phone.journal(.received).count == 1)
            #expect(phone.journal(.banner, .lockScreen).isEmpty == false)

            try await phone.tap(try #require(phone.state.list.first).id)
            try await world.belfry.settle()
            #expect(await phone.app(EndToEndApp.self)?.opened == ["Hello"])
            #expect(try await world.record(push)["opens"] == 1)
            // A second report of the same open, as an SDK that repeats itself would make it, from another process.
            try await phone.terminate(World.topic)
            try await phone.open(World.topic)
            try await world.belfry.opens.record(pushID: push)
            try await world.belfry.settle()
            #expect(try await world.record(push)["opens"] == 1)

            let steps = try await world.explain(push, installation)
            // Only in front does a push without `mutable-content` reach any code of the app before it is tapped.
            let isReceived = place == .foreground
            #expect(try await world.record(push)["receipts"] == .integer(isReceived ? 1 : 0))
            #expect(
                steps
                    == [
                        "push", "installation", "audience", "valid", "token", "environment", "credential",
                        "batch", "request", "answer", "received", "opened",
                    ].map { $0 + (isReceived || $0 != "received" ? " passed" : " open") })
        }
    }

    @Test(arguments: [Place.foreground, .suspended, .forceQuit, .locked])
    func `a push that the service extension sees is received, opened or not`(place: Place) async throws {
        try await World.run { world in
            let (phone, installation) = (world.phone, try await world.openApp())
            try await bring(phone, to: place)
            let push = try await world.push(["data": ["alert": "Hello", "mutable-content": 1]])
            await world.waitForList(["Hello"])
            if place == .foreground { try await world.belfry.settle() }
            #expect(phone.journal(.extensionFinished).count == 1)
            let record = try await world.record(push)
            #expect(record["receipts"] == 1 && record["opens"] == 0)
            #expect(
                try await world.explain(push, installation).suffix(3)
                    == ["answer passed", "received passed", "opened open"])

            try await phone.tap(try #require(phone.state.list.first).id)
            try await world.belfry.settle()
            #expect(try await world.record(push)["receipts"] == 1)
            #expect(try await world.record(push)["opens"] == 1)
        }
    }

    @Test func `who signed out gets no push, and after the next sign-in they come again`() async throws {
        try await World.run { world in
            let (phone, installation) = (world.phone, try await world.openApp())
            try await world.belfry.signIn(attributes: ["user": "ann"], channels: ["news"])
            await phone.settle()
            await phone.goHome()
            _ = try await world.push("For Ann")
            await world.waitForList(["For Ann"])

            try await world.belfry.signOut()
            await phone.settle()
            #expect(phone.state.list == [], "what Ann got is not for the next one to read")
            let unseen = try await world.push("For nobody")
            #expect(try await world.explain(unseen, installation).contains("valid failed"))
            try await phone.open(World.topic)
            try await world.belfry.signIn(attributes: ["user": "bob"])
            await phone.settle()
            await phone.goHome()
            _ = try await world.push("For Bob")
            await world.waitForList(["For Bob"])
            #expect(phone.journal(.received).count == 2)
        }
    }

    @Test func `an app that is installed again gets one copy, and the old token goes`() async throws {
        try await World.run { world in
            let (phone, old) = (world.phone, try await world.openApp())
            try await phone.reinstall(World.topic)
            let new = try await world.register()
            #expect(new != old)
            await phone.goHome()
            let first = try await world.push("Once")
            await world.waitForList(["Once"])
            #expect(try await world.explain(first, new).contains("answer passed"))
            #expect(try await world.record(first)["reasons"]?["Unregistered"] == 1)
            #expect(try await world.explain(first, old).contains("installation failed"))
            // The old row is not sent to any more.
            let second = try await world.push("Again")
            await world.waitForList(["Again", "Once"])
            #expect(phone.journal(.received).count == 2)
            #expect(try await world.record(second)["successes"] == 1)
            let steps = try await world.explain(second, old)
            #expect(!steps.contains("batch passed"))
        }
    }

    @Test func `a service that is away when the app starts is told later, and the push comes`() async throws {
        try await World.run { world in
            let phone = world.phone
            await phone.setAirplane(true)
            let address = world.address
            try await phone.install(EndToEndApp.manifest) { EndToEndApp(address) }
            try await phone.open(World.topic)
            _ = try await world.belfry.permission.request()
            await phone.settle()
            #expect(try await world.belfry.registration.state.objectID == nil)
            await phone.setAirplane(false)
            await phone.settle()
            // The library tries again by itself.
            await phone.advance(by: .seconds(120))
            #expect(try await world.belfry.registration.state.fault == nil)
            _ = try await world.push("Hello")
            await world.waitForList(["Hello"])
        }
    }
}
