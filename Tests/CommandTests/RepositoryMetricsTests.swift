import APNs
import APNsClient
import PushService
import PushStore
import Recurrence
import Testing
import Transport

@testable import belfry

/// docs/monitoring.md and the service say the same of metrics and of the log.
@Suite(.timeLimit(.minutes(5)))
struct RepositoryMetricsTests {
    /// A metric as the document or a page describes it.
    struct Metric: Hashable, CustomStringConvertible {
        var type: String
        var labels: Set<String>
        var description: String { "\(type)\(labels.sorted())" }
    }

    private static func document() throws -> Repository.File {
        try #require(Repository.file("docs/monitoring.md"))
    }

    /// The cells of a row of a table.
    private static func cells(_ line: Substring) -> [String] {
        guard line.hasPrefix("| ") else { return [] }
        return line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// What stands in backquotes.
    private static func code(_ text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    private static func documented() throws -> [String: Metric] {
        var metrics: [String: Metric] = [:]
        for line in try document().lines {
            let cells = cells(line)
            guard cells.count == 5, let name = code(cells[0]).first, name.hasPrefix("belfry_") else {
                continue
            }
            #expect(["sum", "max", "each its own"].contains(cells[3]), "\(name): \(cells[3])")
            #expect(metrics[name] == nil, "\(name) stands there twice")
            metrics[name] = Metric(type: cells[1], labels: Set(code(cells[2])))
        }
        return metrics
    }

    /// The metrics of a page; `le` is how a histogram is written.
    private static func metrics(of page: String) -> [String: Metric] {
        var metrics: [String: Metric] = [:]
        for line in page.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) ([a-z]+)/) {
                metrics[String(match.1)] = Metric(type: String(match.2), labels: [])
            } else if let match = line.prefixMatch(of: #/([a-z_]+)\{([^}]*)\} /#) {
                var name = String(match.1)
                for suffix in ["_bucket", "_sum", "_count"] where metrics[name] == nil {
                    if name.hasSuffix(suffix) { name.removeLast(suffix.count) }
                }
                let labels = match.2.matches(of: /([a-z]+)="/).map { String($0.1) }
                metrics[name, default: Metric(type: "none", labels: [])].labels.formUnion(
                    labels.filter { $0 != "le" })
            }
        }
        return metrics
    }

    private static let now = Instant(secondsSince1970: 1_800_000_000)

    /// The page of a service that has a sample of everything.
    private static func page() async throws -> String {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await SQLiteStore.open(
            path: folder.path + "/" + SQLiteStore.fileName, secret: .random())
        let app = try await store.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "app-key-0123456789",
            masterKey: "master-key-0123456789", now: now)
        let credential = try await store.addCredential(
            PushCredential(
                secret: .certificate(pem: "never read here"), environments: [.production],
                expiresAt: now.advanced(bySeconds: 86_400), createdAt: now), app: app.number)
        try await store.storeCheck(
            PushCredential.Check(atMilliseconds: 1, isGood: true, message: ""), credential: credential)
        _ = try await store.addWebhook(
            Webhook(url: "https://example.com/hook", secret: "0123456789abcdef0123", createdAt: now),
            app: app.number)
        try await store.recordWebhookEvent(WebhookEvent(kind: .open, data: [:]), app: app.number, now: now)
        for delivery in try await store.claimWebhookDeliveries(
            busy: [], webhookLimit: 1, limitPerWebhook: 1, createdAfter: now.advanced(bySeconds: -1),
            leaseUntil: now.advanced(bySeconds: 60), now: now)
        {
            let settlement = WebhookSettlement(
                number: delivery.number, attemptCount: delivery.attemptCount, next: .delivered)
            try await store.settleWebhookRound(
                WebhookRound(webhook: delivery.webhook, settlements: [settlement]), now: now)
        }
        let process = try PushServiceProcess.start(
            store: store,
            PushServiceProcess.Configuration(
                host: "127.0.0.1", port: 0, endpoints: ClientDirectory.Endpoints(), threadCount: 1,
                owner: PushServiceProcess.sqliteOwner, now: { now }),
            log: Log(write: { _ in }))
        process.outcomes.count([.accepted: 1], retryCount: 1, app: "news")
        process.outcomes.count(
            PushRecord(
                objectID: "a", notificationID: nil, pushes: [], createdAt: now, updatedAt: now, outcomes: [:],
                queueing: nil, answering: nil, openCount: 0), app: "news")
        func text() async -> String {
            let response = await process.api.respond(to: HTTPRequest(method: "GET", path: "/metrics"))
            guard case .bytes(let bytes) = response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        // The second page counts the request for the first; on a busy machine the database may be late.
        _ = await text()
        var page = await text()
        while !page.contains("belfry_database_up 1\n") { page = await text() }
        let stop = StopRequest()
        stop.expect()
        _ = stop.received(15)
        await process.run(until: stop)
        await store.close()
        return page
    }

    @Test func `the table of metrics has what the service gives, and nothing else`() async throws {
        let page = try await Self.page()
        #expect(page.contains(/belfry_build_info\{schema="[1-9][0-9]*",version="[0-9.]+"\} 1\n/))
        #expect(page.contains("version=\"\(Version.number)\""))
        let given = Self.metrics(of: page)
        let documented = try Self.documented()
        #expect(given.count > 15)
        #expect(Set(given.keys).symmetricDifference(documented.keys) == [])
        for (name, metric) in given { #expect(documented[name] == metric, "\(name)") }
    }

    @Test func `every metric that text and alerts name is in the table`() throws {
        let documented = try Self.documented()
        for match in try Self.document().text.matches(of: /belfry_[a-z_]+/) {
            let name = String(match.0)
            let isKnown = ["", "_bucket", "_sum", "_count"].contains { suffix in
                name.hasSuffix(suffix) && documented[String(name.dropLast(suffix.count))] != nil
            }
            #expect(isKnown, "\(name)")
        }
    }

    @Test func `every alert is explained`() throws {
        let text = try Self.document().text
        let alerts = text.matches(of: /- alert: ([A-Za-z]+)/).map { String($0.1) }
        #expect(alerts.count > 5 && Set(alerts).count == alerts.count)
        let explained = text.matches(of: /\n\| (Belfry[A-Za-z]+) \|/).map { String($0.1) }
        #expect(alerts == explained)
    }

    @Test func `the log's lines are those that the service writes, with their fields`() throws {
        var documented: [String: (level: String, fields: [String])] = [:]
        for line in try Self.document().lines {
            let cells = Self.cells(line)
            guard cells.count == 4, ["error", "warning", "info", "debug"].contains(cells[0]),
                let message = Self.code(cells[1]).first
            else { continue }
            documented[message] = (cells[0], Self.code(cells[2]))
        }
        var written: Set<String> = []
        for file in Repository.files(under: "Sources/belfry/Service", suffix: ".swift") {
            // Blanks and line feeds within a call do not matter.
            for match in file.text.matches(
                of: /log\.(error|warning|info|debug)\(\s*"([^"]+)"(,\s*\[[^\]]*\])?/)
            {
                let message = String(match.2)
                written.insert(message)
                let line = try #require(documented[message], "\(file.path): '\(message)' is not documented")
                #expect(line.level == String(match.1), "\(message)")
                let fields = (match.3 ?? "").matches(of: /"([a-z]+)":/).map { String($0.1) }
                // What is not always known may be missing.
                #expect(fields == line.fields || fields == line.fields.filter { $0 != "push" }, "\(message)")
            }
        }
        #expect(written == Set(documented.keys))
    }
}
