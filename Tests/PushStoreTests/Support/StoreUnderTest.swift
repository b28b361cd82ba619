import APNs
import FoundationEssentials
import PostgreSQL
import PushStore
import Recurrence
import Testing

/// One of the stores that have to behave the same, for the suites named `StoreConformance…`.
///
/// A store that needs something which a machine may lack is left out of `allCases` there.
enum StoreUnderTest: Sendable, CaseIterable, CustomStringConvertible {
    case sqlite
    case postgresql

    /// PostgreSQL is left out by hand when there is no server: `scripts/postgres run swift test` starts one. Where
    /// nobody looks, its tests fail then.
    static let allCases: [StoreUnderTest] =
        ProcessInfo.processInfo.environment["CI"] != nil || TestServer.address != nil
        ? [.sqlite, .postgresql] : [.sqlite]

    var description: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgresql: "PostgreSQL"
        }
    }

    /// Opens a new and empty store, runs the body with it and closes it.
    func with<Success>(
        _ body: (any Store) async throws -> Success
    ) async throws -> Success {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let secret = StoreSecret.random()
        let store = try await open(folder, secret)
        do {
            let success = try await body(store)
            await store.close()
            return success
        } catch {
            await store.close()
            throw error
        }
    }

    /// Opens the store that a folder stands for, once more if it was open before.
    func open(_ folder: TemporaryFolder, _ secret: StoreSecret) async throws -> any Store {
        switch self {
        case .sqlite:
            try await SQLiteStore.open(path: folder.file(SQLiteStore.fileName), secret: secret)
        case .postgresql:
            try await PostgreSQLStore.open(
                try await folder.schema(), secret: secret,
                configuration: PostgreSQLStore.Configuration(readerCount: 2, writerCount: 2, isNode: false))
        }
    }
}

extension Instant {
    /// A day in tests: 2026-11-30 00:00 UTC, and seconds after it.
    static func test(_ seconds: Int64 = 0) -> Instant {
        Instant(secondsSince1970: 1_796_000_000 + seconds)
    }
}

extension Store {
    /// An app for a test.
    func makeApp(_ id: String = "news", topic: String = "com.example.news") async throws -> App {
        try await createApp(
            id: id, name: "News", topic: topic, appKey: "app-key-of-\(id)", masterKey: "master-key-of-\(id)",
            now: .test())
    }

    /// Saves a body as SDKs do.
    func save(
        _ body: [String: JSONValue], _ app: App, at seconds: Int64
    ) async throws -> SavedInstallation {
        try await save(
            InstallationChange(target: .matching, body: body), app: app.number, now: .test(seconds))
    }

    func update(
        _ row: Installation, _ body: [String: JSONValue], _ app: App, at seconds: Int64
    ) async throws -> SavedInstallation {
        try await save(
            InstallationChange(target: .existing(objectID: row.objectID), body: body), app: app.number,
            now: .test(seconds))
    }

    func count(_ app: App) async throws -> Int {
        try await installationCount(nil, app: app.number, now: .test())
    }
}
