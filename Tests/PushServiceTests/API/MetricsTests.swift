import APNs
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushService

/// What `/metrics` shows, also while the database says nothing.
@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    @Test func `metrics show how webhooks do, and not their addresses`() async throws {
        try await APIFixture.with { fixture in
            let number = try await fixture.store.addWebhook(
                Webhook(
                    url: "https://example.com/hook-1a2b3c", secret: "0123456789abcdef0123",
                    createdAt: fixture.now), app: fixture.app.number)
            try await fixture.store.recordWebhookEvent(
                WebhookEvent(kind: .open, data: [:]), app: fixture.app.number, now: fixture.now)
            let text = try await fixture.send("GET", "/metrics", key: .none).text
            for line in ["belfry_webhook_waiting", "belfry_webhook_dropped_total", "belfry_webhook_failures"]
            {
                let count = line == "belfry_webhook_waiting" ? 1 : 0
                #expect(text.contains("\(line){app=\"news\",webhook=\"\(number)\"} \(count)\n"), "\(line)")
            }
            #expect(!text.contains("1a2b3c") && !text.contains("0123456789abcdef"))
        }
    }

    @Test func `outcomes are counted as they are stored, and what the store gives at the end of a push`() {
        let metrics = OutcomeMetrics()
        func record(_ id: String, _ outcomes: [DeviceOutcome: Int]) -> PushRecord {
            PushRecord(
                objectID: id, notificationID: nil, pushes: [], createdAt: APIFixture.start,
                updatedAt: APIFixture.start, outcomes: outcomes, queueing: nil, answering: nil, openCount: 0)
        }
        let gone = DeviceOutcome(refusedFor: .unregistered)
        metrics.count([.accepted: 5, gone: 1], retryCount: 0, app: "news")
        metrics.count([.accepted: 4, .cancelled: 7], retryCount: 2, app: "news")
        metrics.count([.accepted: 1], retryCount: 1, app: "chat")
        metrics.count(record("a", [.accepted: 5, .moved: 3, .pending: 2, .zonePassed: 2]), app: "news")
        // A second push in the same record has ended.
        metrics.count(record("a", [.accepted: 9, .moved: 3, .zonePassed: 3, .cancelled: 7]), app: "news")
        metrics.count(record("b", [.accepted: 1, .damaged: 1]), app: "news")
        for line in [
            #"belfry_outcomes_total{app="news",outcome="accepted"} 9"#,
            #"belfry_outcomes_total{app="chat",outcome="accepted"} 1"#,
            #"belfry_outcomes_total{app="news",outcome="Unregistered"} 1"#,
            #"belfry_outcomes_total{app="news",outcome="zonePassed"} 3"#,
            #"belfry_outcomes_total{app="news",outcome="cancelled"} 7"#,
            #"belfry_outcomes_total{app="news",outcome="damaged"} 1"#,
            #"belfry_pushes_ended_total{app="news"} 3"#,
            #"belfry_retries_total{app="news"} 2"#,
            #"belfry_retries_total{app="chat"} 1"#,
        ] {
            #expect(metrics.text.contains(line + "\n"), "\(line) in \(metrics.text)")
        }
        #expect(!metrics.text.contains("deferred") && !metrics.text.contains("pending"))
    }

    @Test func `metrics count requests and show what is queued`() async throws {
        try await APIFixture.with { fixture in
            try await fixture.install("aa")
            let text = try await fixture.send("GET", "/metrics", key: .none).text
            #expect(
                text.contains(#"belfry_http_requests_total{operation="createInstallation",status="201"} 1"#))
            #expect(
                text.contains(
                    #"belfry_http_request_duration_seconds_bucket{le="+Inf",operation="createInstallation"} 1"#
                ))
            #expect(text.contains(#"belfry_pushes{state="scheduled"} 0"#))
            #expect(text.contains("belfry_pending_devices 0"))
            #expect(!text.contains(APIFixture.appKey))
        }
    }

    @Test func `metrics tell a push that a fault has stopped from a paused one, and how late the queue is`()
        async throws
    {
        try await APIFixture.with { fixture in
            try await fixture.install(String(repeating: "aa", count: 32))
            func line(_ name: String) async throws -> Substring? {
                try await fixture.send("GET", "/metrics", key: .none).text.split(separator: "\n")
                    .first { $0.hasPrefix(name + " ") }
            }
            #expect(
                try await line("belfry_oldest_due_batch_seconds") == "belfry_oldest_due_batch_seconds 0.0")
            _ = try await fixture.store.createPush(
                PushRequest(data: ["alert": "hello"]), app: fixture.app, now: fixture.now)
            _ = try await fixture.store.advance(now: fixture.now)
            while try await fixture.store.planChunk(now: fixture.now) {}
            fixture.advance(milliseconds: 90_500)
            #expect(
                try await line("belfry_oldest_due_batch_seconds") == "belfry_oldest_due_batch_seconds 90.5")
            let batch = try #require(
                try await fixture.store.claimBatch(
                    owner: "one", leaseUntil: fixture.now.advanced(bySeconds: 60), held: [], now: fixture.now)
            )
            #expect(try await line("belfry_pushes_stopped") == "belfry_pushes_stopped 0")
            _ = try await fixture.store.store(
                BatchReport(outcomes: batch.outcomes, next: .stop("why")), of: batch, now: fixture.now)
            #expect(try await line("belfry_pushes_stopped") == "belfry_pushes_stopped 1")
        }
    }

    // MARK: - Without a database

    /// What the database's part begins with.
    private static let stored = ["belfry_pushes{", "belfry_credential_", "belfry_webhook_"]

    private func text(_ api: PushAPI) async throws -> String {
        let response = await api.respond(to: HTTPRequest(method: "GET", path: "/metrics"))
        #expect(response.status == 200)
        #expect(response.header(named: "content-type")?.hasPrefix("text/plain") == true)
        guard case .bytes(let bytes) = response.body else {
            throw StoreError(.invalid, "the answer is a stream")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [StoreError.Code.unavailable, .overloaded, .database])
    func `what is in memory is shown while the database fails, and that it does`(
        code: StoreError.Code
    ) async throws {
        let outage = Outage()
        let (_, failing) = try outage.stores()
        let told = Mutex<[String]>([])
        let api = PushAPI(
            store: failing, now: { APIFixture.start }, patience: APIFixture.patience,
            reportFailure: { name, cause in told.withLock { $0.append("\(name): \(cause)") } },
            moreMetrics: { "belfry_of_another_part 3\n" })
        #expect(try await text(api).contains("\nbelfry_database_up 1\n"))
        outage.begin(code)
        let page = try await text(api)
        #expect(page.contains("\nbelfry_database_up 0\n"))
        #expect(page.contains(#"belfry_http_requests_total{operation="metrics",status="200"} 1"#))
        #expect(page.contains("belfry_of_another_part 3\n"))
        #expect(!Self.stored.contains(where: page.contains), "\(page)")
        #expect(!page.contains("secret"), "what the database says names files")
        #expect(told.withLock { $0 }.count == (code == .database ? 1 : 0))
        outage.end()
        let after = try await text(api)
        #expect(after.contains("\nbelfry_database_up 1\n"))
        #expect(after.contains("belfry_pushes{"))
    }

    @Test
    func `a database that says nothing holds the page up for as long as patience lasts, and is asked once`()
        async throws
    {
        let gate = StalledGate()
        let connection = try SQLiteStore.connectionInMemory()
        let store = try SQLiteStore.open(
            on: connection, secret: .random(), configuration: .init(), gate: gate)
        let clock = HeldClock()
        let api = PushAPI(
            store: store, now: { APIFixture.start },
            patience: Patience(limit: .seconds(2), sleep: { await clock.sleep(for: $0) }))
        gate.stall()
        let first = Task { try await text(api) }
        let second = Task { try await text(api) }
        await clock.wait(forSleepers: 2)
        await gate.waitForOne()
        // Nobody has answered yet, and nobody has given up.
        clock.advance(by: .seconds(2))
        for page in [try await first.value, try await second.value] {
            #expect(page.contains("belfry_database_up 0\n"))
            #expect(!Self.stored.contains(where: page.contains))
        }
        #expect(gate.enterCount == 1)
        let third = Task { try await text(api) }
        await clock.wait(forSleepers: 1)
        #expect(gate.enterCount == 1, "the first question still waits for its answer")
        gate.release()
        // The answer to the first question is the third's too.
        #expect(try await third.value.contains("belfry_database_up 1\n"))
        await store.close()
    }
}
