import APNs
import FoundationEssentials
@testable import PushService
import PushStore
import Recurrence
import Testing

struct InstallationImportTests {
    private static let now = Instant(secondsSince1970: 1_796_000_000)

    /// A store in a folder of its own, removed at the end.
    private func with<Success>(_ body: (any Store, App) async throws -> Success) async throws -> Success {
        let folder = FileManager.default.temporaryDirectory.path + "/belfry-import-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await SQLiteStore.open(path: folder + "/belfry.sqlite", secret: .random())
        let app = try await store.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "app-key-1",
            masterKey: "master-key-1",
            now: Self.now)
        do {
            let success = try await body(store, app)
            await store.close()
            return success
        } catch {
            await store.close()
            throw error
        }
    }

    private func run(
        _ bytes: [UInt8], into store: any Store, _ app: App, isDry: Bool = false, pieceByteCount: Int = 1000,
        file: String = "f"
    ) async throws -> ImportReport {
        var rest = bytes[...]
        let task = InstallationImport(into: store, app: app, isDry: isDry, now: Self.now)
        return try await task.run(
            file: file,
            nextBytes: {
                defer { rest = rest.dropFirst(pieceByteCount) }
                return Array(rest.prefix(pieceByteCount))
            }, progress: { _ in })
    }

    private func row(_ number: Int, _ more: String = "") -> String {
        let id = String(repeating: "0", count: 23) + String(number, radix: 16)
        return
            #"{"objectId":"\#(id)","deviceToken":"aa0\#(number)","updatedAt":"2026-11-01T00:00:00.000Z"\#(more)}"#
    }

    @Test func `every form of JSON gives the same rows`() async throws {
        let rows = (1...9).map { row($0, #","channels":["c"]"#) }
        let joined = rows.joined(separator: ",\n")
        for text in ["[\(joined)]", "{\"results\": [\(joined)]}", rows.joined(separator: "\n")] {
            try await with { store, app in
                let report = try await run(Array(text.utf8), into: store, app)
                #expect(report.read == 9 && report.stored == 9 && report.skipped == [])
                let found = try await store.installations(InstallationFind(), app: app.number, now: Self.now)
                #expect(found.map(\.deviceToken) == (1...9).map { "aa0\($0)" })
                #expect(found.allSatisfy { $0.channels == ["c"] })
            }
        }
    }

    @Test func `what is left out is counted by reason with examples`() async throws {
        try await with { store, app in
            let text = "[\(row(1)),\(row(2, #","badge":"x""#)),\(row(3, #","badge":[]"#)),{},7]"
            let report = try await run(Array(text.utf8), into: store, app)
            #expect(report.read == 5 && report.stored == 1 && report.skippedCount == 4)
            #expect(report.skipped.map(\.reason).contains("111 badge"))
            #expect(report.skipped.first?.count == 2)
            #expect(report.skipped.first?.examples.first?.hasPrefix("row 2 (") == true)
        }
    }

    @Test func `a dry run stores nothing and says the same`() async throws {
        try await with { store, app in
            let text = "[\(row(1)),\(row(2, #","badge":"x""#))]"
            let report = try await run(Array(text.utf8), into: store, app, isDry: true)
            #expect(report.read == 2 && report.stored == 1 && report.skippedCount == 1)
            #expect(try await store.installationCount(nil, app: app.number, now: Self.now) == 0)
        }
    }

    @Test func `an import that was broken off goes on after its last row`() async throws {
        try await with { store, app in
            let rows = (1...9).map { row($0) }
            let whole = Array("[\(rows.joined(separator: ","))]".utf8)
            let cut = Array("[\(rows[..<4].joined(separator: ",")),".utf8)
            await #expect(throws: ImportError.self) { try await run(cut, into: store, app) }
            #expect(try await store.installationCount(nil, app: app.number, now: Self.now) == 4)
            let report = try await run(whole, into: store, app)
            #expect(report.resumedAfter == 4 && report.read == 9 && report.stored == 9)
            #expect(try await store.installationCount(nil, app: app.number, now: Self.now) == 9)
        }
    }

    @Test func `what an import that was broken off has left out is in the report of the one that goes on`()
        async throws
    {
        try await with { store, app in
            let rows = [row(1), row(2, #","badge":"x""#), row(3), row(4, #","badge":[]"#), row(5)]
            let cut = Array("[\(rows[..<3].joined(separator: ",")),".utf8)
            await #expect(throws: ImportError.self) { try await run(cut, into: store, app) }
            let report = try await run(Array("[\(rows.joined(separator: ","))]".utf8), into: store, app)
            #expect(report.resumedAfter == 3 && report.read == 5 && report.stored == 3)
            #expect(report.skippedCount == 2)
            let reason = try #require(report.skipped.first)
            #expect(reason.reason == "111 badge" && reason.count == 2)
            #expect(reason.examples.map { $0.prefix(5) } == ["row 2", "row 4"])
        }
    }

    @Test(arguments: [
        #"{"$date":{"$numberLong":"9223372036854775807"}}"#,
        #"{"$date":{"$numberLong":"-9223372036854775808"}}"#,
        #"{"$date":9223372036854775807}"#, #"{"__type":"Date","iso":"99999-01-01T00:00:00.000Z"}"#,
    ])
    func `a date that no calendar has does not end the import`(date: String) async throws {
        try await with { store, app in
            let text =
                "[\(row(1, ",\"since\":\(date)")),\(row(2)),{\"objectId\":\"a3\",\"updatedAt\":\(date)}]"
            let report = try await run(Array(text.utf8), into: store, app)
            #expect(report.read == 3 && report.stored + report.skippedCount == 3)
            #expect(
                try await store.installation(
                    objectID: String(repeating: "0", count: 23) + "2", app: app.number) != nil)
        }
    }

    @Test(arguments: ["", "   ", "hello", "{\"a\":"])
    func `a file that is no export is refused`(text: String) async throws {
        try await with { store, app in
            do {
                let report = try await run(Array(text.utf8), into: store, app)
                #expect(report.stored == 0)
            } catch let error as ImportError {
                #expect(!error.message.isEmpty)
            }
            #expect(try await store.installationCount(nil, app: app.number, now: Self.now) == 0)
        }
    }

    @Test func `a BSON backup keeps ids and times`() async throws {
        try await with { store, app in
            let report = try await run(BSONReaderTests.installation, into: store, app, pieceByteCount: 7)
            #expect(report.stored == 1, "\(report)")
            let found = try #require(
                try await store.installation(objectID: "51fcb74ee4b074ac5c34cf85", app: app.number))
            #expect(found.updatedAt == Instant(millisecondsSince1970: 1_796_000_000_123))
            #expect(found.channels == ["a", "新闻"].sorted())
        }
    }

    @Test func `rows of Parse's database and of mongoexport are read as the API shows them`() async throws {
        try await with { store, app in
            let text = #"""
                {"_id":"abcDEF1234","_created_at":{"$date":"2026-01-02T03:04:05.000Z"},
                "_updated_at":{"$date":{"$numberLong":"1796000000000"}},"deviceToken":"AA","_p_user":"_User$u1",
                "_rperm":["*"],"_acl":{},"level":{"$numberInt":"3"},"since":{"$date":"2026-01-02T03:04:05.000Z"}}
                """#
            let report = try await run(Array(text.utf8), into: store, app)
            #expect(report.stored == 1, "\(report)")
            let found = try #require(try await store.installation(objectID: "abcDEF1234", app: app.number))
            #expect(found.createdAt == Instant(iso8601: "2026-01-02T03:04:05.000Z"))
            #expect(found.updatedAt == Instant(secondsSince1970: 1_796_000_000))
            #expect(
                found.attributes == [
                    "user": ["__type": "Pointer", "className": "_User", "objectId": "u1"], "level": 3,
                    "since": ["__type": "Date", "iso": "2026-01-02T03:04:05.000Z"],
                ])
        }
    }
}
