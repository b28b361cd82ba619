import FoundationEssentials
import PostgreSQL
import Testing

/// The PostgreSQL server that `scripts/postgres run` starts for tests; each test has a schema of its own.
enum TestServer {
    static let address = ProcessInfo.processInfo.environment["BELFRY_TEST_POSTGRES"]

    static func connectionString() throws -> ConnectionString {
        try ConnectionString(
            try #require(address, "BELFRY_TEST_POSTGRES is not set: scripts/postgres run swift test"))
    }

    /// The server's address with a schema at the front of the search path.
    static func address(ofSchema name: String) throws -> ConnectionString {
        try connectionString().setting("options", to: "-csearch_path=\(schema(name))")
    }

    static func makeSchema(_ name: String) throws {
        let session = try Session(Session.Configuration(connectionString: connectionString()))
        try session.executeScript("CREATE SCHEMA \(schema(name))")
    }

    static func dropSchema(_ name: String) {
        let session = try? Session(Session.Configuration(connectionString: connectionString()))
        try? session?.executeScript("SET client_min_messages = error; DROP SCHEMA \(schema(name)) CASCADE")
    }

    private static func schema(_ name: String) -> String {
        name.lowercased().replacing("-", with: "_")
    }
}
