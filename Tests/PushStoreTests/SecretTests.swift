import APNs
import FoundationEssentials
import PushStore
import Recurrence
import SQLite
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

struct SecretTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `the first start makes a file for its owner alone, later ones read it`() async throws {
        let first = try StoreSecret.load(folder: folder.path, environment: [:])
        let path = folder.file(StoreSecret.fileName)
        var information = stat()
        #expect(stat(path, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        let store = try await SQLiteStore.open(path: folder.file("a.sqlite"), secret: first)
        await store.close()
        let again = try StoreSecret.load(folder: folder.path, environment: [:])
        await (try await SQLiteStore.open(path: folder.file("a.sqlite"), secret: again)).close()
    }

    @Test(arguments: ["", "00", "zz", String(repeating: "0", count: 63), String(repeating: "g", count: 64)])
    func `a file that is no key is refused and kept`(text: String) throws {
        let path = folder.file(StoreSecret.fileName)
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) {
            try StoreSecret.load(folder: folder.path, environment: [:])
        }
        #expect(error?.code == .secret)
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
    }

    @Test func `a passphrase that is too short is refused, one in the environment needs no file`() throws {
        #expect(throws: StoreError.self) {
            try StoreSecret.load(folder: folder.path, environment: [StoreSecret.variable: "short"])
        }
        _ = try StoreSecret.load(folder: folder.path, environment: [StoreSecret.variable: "long enough"])
        #expect(!FileManager.default.fileExists(atPath: folder.file(StoreSecret.fileName)))
    }

    @Test func `secrets are not in the file, and a sealed one does not open in another row`() async throws {
        let path = folder.file("a.sqlite")
        let secret = StoreSecret.random()
        let store = try await SQLiteStore.open(path: path, secret: secret)
        let app = try await store.makeApp()
        _ = try await store.addCredential(
            PushCredential(
                secret: .certificate(pem: "very-secret-private-key"), environments: [.production],
                createdAt: .test()),
            app: app.number)
        await store.close()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        for text in ["master-key-of-news", "app-key-of-news", "very-secret-private-key"] {
            #expect(bytes.firstRange(of: Data(text.utf8)) == nil)
        }
        let database = try Database(path: path)
        try database.execute(
            "UPDATE app_keys SET secret = (SELECT k.secret FROM app_keys k WHERE k.kind = 'master') WHERE kind = 'app'"
        )
        let again = try await SQLiteStore.open(path: path, secret: secret)
        let error = await #expect(throws: StoreError.self) {
            try await again.keys(app: app.number, now: .test())
        }
        #expect(error?.code == .secret)
        await again.close()
    }

    @Test(.timeLimit(.minutes(10)))
    func `a full disk refuses changes and keeps what was there`() async throws {
        let store = try await SQLiteStore.open(
            path: folder.file("a.sqlite"), secret: .random(), configuration: .init(pageCountMax: 100))
        let app = try await store.makeApp()
        func save(_ index: Int) async throws -> SavedInstallation {
            try await store.save(
                InstallationChange(
                    target: .matching,
                    body: [
                        "deviceToken": .string("t\(index)"),
                        "text": .string(String(repeating: "x", count: 3_000)),
                    ]), app: app.number, now: .test())
        }
        var saved = 0
        var failure: ChangeError?
        for index in 0..<200 where failure == nil {
            do {
                _ = try await save(index)
                saved += 1
            } catch let error as ChangeError {
                failure = error
            }
        }
        #expect(saved > 0)
        #expect(failure?.code == 1)
        #expect(try await store.installationCount(nil, app: app.number, now: .test()) == saved)
        // Several at once share a transaction; each still has its own answer.
        let results = await withTaskGroup(of: Bool.self) { group in
            for index in 300..<320 { group.addTask { (try? await save(index)) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(try await store.installationCount(nil, app: app.number, now: .test()) == saved + results)
        await store.close()
    }

    @Test func `two processes may use one file`() async throws {
        let secret = StoreSecret.random()
        let one = try await SQLiteStore.open(path: folder.file("a.sqlite"), secret: secret)
        let two = try await SQLiteStore.open(path: folder.file("a.sqlite"), secret: secret)
        let before = try await one.administrationRevision()
        let app = try await two.makeApp()
        #expect(try await one.apps() == [app])
        #expect(try await one.administrationRevision() > before)
        await one.close()
        await two.close()
    }
}
