import APNs
import PushStore
import Recurrence
import SQLite
import Synchronization
import Testing
import Transport

@testable import PushService

@Suite(.timeLimit(.minutes(5)))
struct WebhookSenderTests {
    @Test func `an event arrives signed, with all that tells it from others`() async throws {
        try await WebhookWorld.run { world in
            let number = try await world.add("/hook")
            let event = WebhookEvent.pushDone(
                objectID: "abc", status: "done", deviceCount: 3, successCount: 2, invalidTokenCount: 1)
            try await world.store.recordWebhookEvent(event, app: world.app.number, now: world.now)
            #expect(try await world.sender().sendDue() == 1)
            let arrival = try #require(world.arrivals.first)
            #expect(world.arrivals.count == 1)
            let body = try JSONValue(parsing: arrival.body)
            #expect(body["event"] == "push.done")
            #expect(body["app"] == "news")
            #expect(body["createdAt"] == .string(WebhookWorld.start.iso8601))
            #expect(
                body["data"] == [
                    "objectId": "abc", "status": "done", "devices": 3, "successes": 2, "invalidTokens": 1,
                ])
            #expect(body["id"] == arrival.headers.first(named: "x-belfry-delivery").map(JSONValue.string))
            #expect(arrival.headers.first(named: "x-belfry-event") == "push.done")
            #expect(arrival.headers.first(named: "content-type") == "application/json")
            let signature = try #require(arrival.headers.first(named: "x-belfry-signature"))
            #expect(
                WebhookSignature.isValid(
                    signature, body: arrival.body, secret: WebhookWorld.secret, now: world.now))
            let health = try await world.health(number)
            #expect(health.waitingCount == 0)
            #expect(health.succeededAt == world.now)
            #expect(try await world.sender().sendDue() == 0)
        }
    }

    @Test func `a failed event is sent again, the same one, until it is taken`() async throws {
        try await WebhookWorld.run { world in
            let number = try await world.add("/hook")
            world.answer("/hook", 500)
            try await world.record()
            let sender = world.sender()
            #expect(try await sender.sendDue() == 1)
            #expect(try await sender.sendDue() == 0)
            var health = try await world.health(number)
            #expect(health.failure == "HTTP 500")
            #expect(health.failureCount == 1)
            #expect(health.waitingCount == 1)
            world.advance(seconds: 9)
            #expect(try await sender.sendDue() == 0)
            world.advance(seconds: 1)
            #expect(try await sender.sendDue() == 1)
            world.advance(seconds: 20)
            world.answer("/hook", 204)
            #expect(try await sender.sendDue() == 1)
            let ids = Set(world.arrivals.compactMap { $0.headers.first(named: "x-belfry-delivery") })
            #expect(world.arrivals.count == 3)
            #expect(ids.count == 1)
            #expect(Set(world.arrivals.map(\.body)).count == 1)
            health = try await world.health(number)
            #expect(health.failureCount == 0)
            #expect(health.failure == nil)
            #expect(health.waitingCount == 0)
            #expect(health.droppedCount == 0)
        }
    }

    @Test func `a receiver that is down for three days costs few requests and loses only what is older`()
        async throws
    {
        try await WebhookWorld.run { world in
            let number = try await world.add("/hook")
            world.answer("/hook", 503)
            try await world.record(50)
            let sender = world.sender()
            #expect(try await sender.sendDue() == 16)
            var attempts = 0
            for _ in 0..<(3 * 24 * 12) {
                world.advance(seconds: 300)
                attempts += try await sender.sendDue()
            }
            // One attempt at a time once it has failed: at most one in five minutes.
            #expect(attempts <= 3 * 24 * 12)
            world.advance(seconds: 600)
            _ = try await sender.sendDue()
            let health = try await world.health(number)
            #expect(health.waitingCount == 0)
            #expect(health.droppedCount == 50)
        }
    }

    @Test func `a refusal of one event does not stop the others`() async throws {
        try await WebhookWorld.run { world in
            let number = try await world.add("/hook")
            world.answer("/hook", 400)
            try await world.record(1)
            let sender = world.sender()
            #expect(try await sender.sendDue() == 1)
            world.answer("/hook", 200)
            try await world.record(20)
            #expect(try await sender.sendDue() == 16)
            #expect(try await sender.sendDue() == 4)
            #expect(try await world.health(number).waitingCount == 1)
        }
    }

    @Test func `the time a receiver asks for is kept`() async throws {
        try await WebhookWorld.run { world in
            try await world.add("/hook")
            world.answer("/hook", 429)
            try await world.record()
            let sender = world.sender()
            #expect(try await sender.sendDue() == 1)
            world.answer("/hook", 200)
            world.advance(seconds: 76)
            #expect(try await sender.sendDue() == 0)
            world.advance(seconds: 1)
            #expect(try await sender.sendDue() == 1)
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await WebhookWorld.run { world in
            try await world.add("/hook")
            world.answer("/hook", 302)
            try await world.record()
            _ = try await world.sender().sendDue()
            #expect(world.arrivals.map(\.path) == ["/hook"])
        }
    }

    @Test func `each webhook gets the events it wants, and its own app's alone`() async throws {
        try await WebhookWorld.run { world in
            try await world.add("/all")
            try await world.add("/opens", [.open])
            try await world.add("/pushes", [.pushDone])
            let other = try await world.store.createApp(
                id: "other", name: "Other", topic: "com.example.other", appKey: "k1123456789",
                masterKey: "m1123456789", now: world.now)
            try await world.record()
            try await world.store.recordWebhookEvent(
                .opened(pushID: "x", installationID: nil, at: world.now), app: other.number, now: world.now)
            #expect(try await world.sender().sendDue() == 2)
            #expect(Set(world.arrivals.map(\.path)) == ["/all", "/opens"])
        }
    }

    @Test func `nobody else sends what is under way, and a dead sender's work is taken over`() async throws {
        try await WebhookWorld.run { world in
            try await world.add("/hook")
            try await world.record()
            let lease = world.now.advanced(bySeconds: 60)
            func claim() async throws -> [WebhookDelivery] {
                try await world.store.claimWebhookDeliveries(
                    busy: [], webhookLimit: 10, limitPerWebhook: 10,
                    createdAfter: world.now.advanced(bySeconds: -86_400), leaseUntil: lease, now: world.now)
            }
            let first = try await claim()
            #expect(first.map(\.attemptCount) == [1])
            #expect(try await claim() == [])
            world.advance(seconds: 60)
            let second = try await claim()
            #expect(second.map(\.attemptCount) == [2])
            // The dead one comes back: it may report a success, but not move or drop what another holds.
            let late = WebhookSettlement(number: first[0].number, attemptCount: 1, next: .dropped)
            try await world.store.settleWebhookRound(
                WebhookRound(webhook: first[0].webhook, settlements: [late]), now: world.now)
            #expect(try await world.health(first[0].webhook).waitingCount == 1)
        }
    }

    @Test func `an event is there only if what it tells is`() async throws {
        try await WebhookWorld.run { world in
            let number = try await world.add("/hook")
            struct Undone: Error {}
            await #expect(throws: StoreError.self) {
                try await world.store.write { database in
                    try WebhookOutbox.add(
                        .opened(pushID: "p", installationID: nil, at: world.now), app: world.app.number,
                        now: world.now, in: database)
                    throw StoreError(.invalid, "undone")
                }
            }
            #expect(try await world.health(number).waitingCount == 0)
        }
    }

    @Test func `a webhook that hangs holds up no other`() async throws {
        try await WebhookWorld.run { world in
            let silent = try SilentSocket()
            _ = try await world.store.addWebhook(
                Webhook(
                    url: "http://127.0.0.1:\(silent.port)/", secret: WebhookWorld.secret, createdAt: world.now
                ),
                app: world.app.number)
            try await world.add("/hook")
            try await world.record(40)
            let sender = world.sender(
                { $0.timeout = .seconds(1_000) }, sleep: { _ in await Task.yield() })
            let running = Task { await sender.run() }
            while world.arrivals.count < 40 { await Task.yield() }
            running.cancel()
            await running.value
            #expect(world.arrivals.count == 40)
        }
    }

    @Test func `what was cut off by the end is sent again after its lease`() async throws {
        try await WebhookWorld.run { world in
            let silent = try SilentSocket()
            let number = try await world.store.addWebhook(
                Webhook(
                    url: "http://127.0.0.1:\(silent.port)/", secret: WebhookWorld.secret, createdAt: world.now
                ),
                app: world.app.number)
            try await world.record()
            let sender = world.sender({ $0.timeout = .seconds(1_000) })
            let running = Task { await sender.run() }
            while !silent.hasConnection { await Task.yield() }
            running.cancel()
            await running.value
            let health = try await world.health(number)
            #expect(health.waitingCount == 1)
            #expect(health.failureCount == 0)
        }
    }
}
