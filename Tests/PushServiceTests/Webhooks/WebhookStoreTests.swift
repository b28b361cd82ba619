import Foundation
import PushStore
import Recurrence
import SQLite
import Testing

@testable import PushService

@Suite(.timeLimit(.minutes(5)))
struct WebhookStoreTests {
    @Test(arguments: [
        "", "ftp://example.com/", "example.com", "http://", "http:///x", "https://user@example.com/",
        "https://user:pass@example.com/", "http://exa mple.com/", "http://example.com/\n",
        "http://exämple.com/",
        "file:///etc/passwd", "https://example.com/" + String(repeating: "x", count: 2_048),
    ])
    func `an address that cannot be one is refused`(url: String) async throws {
        try await WebhookWorld.run { world in
            await #expect(throws: StoreError.self) {
                try await world.store.addWebhook(
                    Webhook(url: url, secret: WebhookWorld.secret, createdAt: world.now),
                    app: world.app.number)
            }
            let webhooks = try await world.store.webhooks(app: world.app.number)
            #expect(webhooks == [])
        }
    }

    @Test func `what was added is there, and goes with what waits for it`() async throws {
        try await WebhookWorld.run { world in
            let number = try await world.add("/a", [.open, .tokenGone])
            try await world.record(3)
            let webhook = try #require(try await world.store.webhooks(app: world.app.number).first)
            #expect(webhook.url == world.url("/a"))
            #expect(webhook.secret == WebhookWorld.secret)
            #expect(webhook.kinds == [.open, .tokenGone])
            #expect(webhook.health.waitingCount == 3)
            await #expect(throws: StoreError.self) { try await world.add("/a") }
            await #expect(throws: StoreError.self) {
                try await world.store.removeWebhook(number: number, app: world.app.number + 1)
            }
            try await world.store.removeWebhook(number: number, app: world.app.number)
            #expect(try await world.sender().sendDue() == 0)
            #expect(world.arrivals.isEmpty)
            await #expect(throws: StoreError.self) {
                try await world.store.removeWebhook(number: number, app: world.app.number)
            }
        }
    }

    @Test func `an app has at most twenty`() async throws {
        try await WebhookWorld.run { world in
            for index in 0..<20 { try await world.add("/\(index)") }
            await #expect(throws: StoreError.self) { try await world.add("/20") }
        }
    }

    @Test func `events without room are counted, not kept`() async throws {
        try await WebhookWorld.run { world in
            let number = try await world.add("/a")
            try await world.store.write { database in
                try database.execute("UPDATE webhooks SET waiting_count = 100000")
            }
            try await world.record(2)
            let health = try await world.health(number)
            #expect(health.droppedCount == 2)
            #expect(health.waitingCount == 100_000)
        }
    }

    @Test func `an app without webhooks pays for no event`() async throws {
        try await WebhookWorld.run { world in
            try await world.record()
            let count = try await world.store.read { database in
                try database.first("SELECT count(*) FROM webhook_outbox") { row throws(SQLiteError) in
                    try row.integer(0)
                }
            }
            #expect(count == 0)
        }
    }
}
