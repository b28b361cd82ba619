import PushStore
import Recurrence
import Testing

/// How long the audit log is kept.
@Suite(.timeLimit(.minutes(10)))
struct StoreConformanceAuditTests {
    private static let day: Int64 = 86_400

    private static func act(_ store: any Store, _ detail: String, app: Int64?, day: Int64) async throws {
        try await store.recordAudit(
            AuditEntry(
                at: .test(day * Self.day), app: app, actor: "command line", action: "app.update",
                detail: detail))
    }

    private static func kept(_ store: any Store) async throws -> Set<String> {
        Set(try await store.auditLog(app: nil, limit: 100).map(\.detail))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `entries of the audit log go when they are older than their app keeps them`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.with { store in
            let news = try await store.makeApp()
            var brief = try await store.makeApp("brief")
            brief.settings.auditDays = 10
            try await store.updateApp(brief, now: .test())
            let gone = brief.number + 100
            for day: Int64 in [0, 5, 20] {
                try await Self.act(store, "news \(day)", app: news.number, day: day)
                try await Self.act(store, "brief \(day)", app: brief.number, day: day)
                try await Self.act(store, "gone \(day)", app: gone, day: day)
                try await Self.act(store, "nobody \(day)", app: nil, day: day)
            }
            // At ten days to the second nothing is older than that.
            #expect(try await store.removeOldAudit(now: .test(10 * Self.day), limit: 100) == 0)
            #expect(try await store.removeOldAudit(now: .test(10 * Self.day + 1), limit: 100) == 1)
            #expect(try await store.removeOldAudit(now: .test(21 * Self.day), limit: 100) == 1)
            #expect(
                try await Self.kept(store) == [
                    "news 0", "news 5", "news 20", "brief 20", "gone 0", "gone 5", "gone 20", "nobody 0",
                    "nobody 5", "nobody 20",
                ])
            // 400 days are the default, and hold for apps that are gone and for what concerns none.
            #expect(try await store.removeOldAudit(now: .test(400 * Self.day + 1), limit: 100) == 4)
            #expect(
                try await Self.kept(store) == [
                    "news 5", "news 20", "gone 5", "gone 20", "nobody 5", "nobody 20",
                ])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `one call removes no more entries of the audit log than it may`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            for number in 0..<5 {
                try await Self.act(store, "a\(number)", app: app.number, day: 0)
                try await Self.act(store, "b\(number)", app: nil, day: 0)
            }
            let later = Instant.test(401 * Self.day)
            var counts: [Int] = []
            repeat {
                counts.append(try await store.removeOldAudit(now: later, limit: 3))
            } while counts.last == 3
            #expect(counts == [3, 3, 3, 1])
            #expect(try await Self.kept(store).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [0, -1, 3_651])
    func `days of the audit log that are out of range are refused`(
        kind: StoreUnderTest, days: Int
    ) async throws {
        try await kind.with { store in
            var app = try await store.makeApp()
            #expect(app.settings.auditDays == 400)
            app.settings.auditDays = days
            let changed = app
            let error = await #expect(throws: StoreError.self) {
                try await store.updateApp(changed, now: .test())
            }
            #expect(error?.code == .invalid && error?.message.contains("auditDays") == true)
        }
    }
}
