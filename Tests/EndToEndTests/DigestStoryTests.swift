import APNs
import BelfryKit
import Foundation
import News
import Testing
import VirtualPhone

/// The example News with a real service: what is read in the evening decides what comes in the morning.
@Suite(.timeLimit(.minutes(5))) struct DigestStoryTests {
    final class ReaderApp: BelfryApp {
        static let manifest = AppManifest(bundleIdentifier: World.topic, name: "News")
        var belfry: Belfry?
        var reader: NewsReader?
        private let address: PushServiceAddress

        init() {
            address = PushServiceAddress(
                url: URL(fileURLWithPath: "/"), applicationID: "", applicationKey: "")
        }
        init(_ address: PushServiceAddress) { self.address = address }

        func makeBelfry(_ application: Application) -> Belfry {
            let transport = PhoneTransport(application)
            let belfry = Belfry(service: address, application: application, transport: transport)
            reader = NewsReader(belfry: belfry)
            return belfry
        }
    }

    @Test func `who reads about tennis gets the final at nine, and a tap opens it`() async throws {
        try await World.run { world in
            let (phone, address) = (world.phone, world.address)
            try await phone.advance(toNext: "20:00")
            try await phone.install(ReaderApp.manifest) { ReaderApp(address) }
            try await phone.open(World.topic)
            let reader = try #require(await phone.app(ReaderApp.self)?.reader)
            try await reader.setNotifications(true)
            await phone.settle()
            try await reader.read(Article(id: "semifinal", tags: ["tennis", "sports"]))
            await phone.settle()
            #expect(await phone.app(ReaderApp.self)?.belfry?.events.pendingCount == 0)

            // The editor plans the morning: nine by each reader's own clock.
            _ = try await world.push([
                "data": ["alert": "Good morning"],
                "schedule": ["rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;COUNT=1", "timezone": "device"],
                "digest": [
                    "articles": [
                        [
                            "id": "budget", "tags": ["politics"],
                            "data": ["alert": "The budget", "article": "budget"],
                        ],
                        [
                            "id": "final", "tags": ["tennis"],
                            "data": ["alert": "The final", "article": "final"],
                        ],
                    ]
                ],
            ])
            await phone.goHome()
            try await phone.terminate(World.topic)
            await phone.lock()
            #expect(phone.state.list == [])
            // Where the day begins first it is nine already: the service plans the audience.
            try await phone.advance(toNext: "03:30")
            try await world.work()
            #expect(phone.state.list == [])
            try await phone.advance(toNext: "09:00")
            try await world.work()
            await world.waitForList(["The final"])
            #expect(phone.state.time.hasSuffix("T09:00:00"))
            try await phone.tap(try #require(phone.state.lockScreen.first).id)
            #expect(await phone.app(ReaderApp.self)?.reader?.openArticle == "final")
        }
    }
}
