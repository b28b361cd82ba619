import FoundationEssentials
import PostgreSQL
import Synchronization

/// A folder of its own for one test, removed at the end.
final class TemporaryFolder: Sendable {
    let path: String
    private let schemaName = Mutex<String?>(nil)

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "belfry-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        if let taken = schemaName.withLock({ $0 }) { TestServer.giveBack(taken) }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The address of an empty schema that is this folder's for as long as it lives.
    func schema() async throws -> ConnectionString {
        if let known = schemaName.withLock({ $0 }) { return try TestServer.address(ofSchema: known) }
        let taken = try await TestServer.takeSchema()
        schemaName.withLock { $0 = taken }
        return try TestServer.address(ofSchema: taken)
    }

    func file(_ name: String) -> String { path + "/" + name }
}
