import FoundationEssentials
import PostgreSQL
import Synchronization

/// A folder of its own for one test, removed at the end.
final class TemporaryFolder: Sendable {
    let path: String
    private let hasSchema = Mutex(false)

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "belfry-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        if hasSchema.withLock({ $0 }) { TestServer.dropSchema(name) }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The address of a schema that lives as long as the folder.
    func schema() throws -> ConnectionString {
        try hasSchema.withLock { hasSchema in
            if !hasSchema { try TestServer.makeSchema(name) }
            hasSchema = true
        }
        return try TestServer.address(ofSchema: name)
    }

    /// The folder's own name, a word that nothing else has.
    private var name: String { String(path.split(separator: "/").last ?? "") }

    func file(_ name: String) -> String { path + "/" + name }
}
