import FoundationEssentials
import PostgreSQL
import Testing

/// The server that `scripts/postgres run` starts for tests.
enum TestServer {
    static let variable = "BELFRY_TEST_POSTGRES"
    static let address = ProcessInfo.processInfo.environment[variable]
    static let hint: Comment = "needs a server: scripts/postgres run swift test"

    /// Without a server the tests are left out by hand; where nobody looks they fail.
    static let isWanted = address != nil || ProcessInfo.processInfo.environment["CI"] != nil

    static func connectionString() throws -> ConnectionString {
        try ConnectionString(try #require(address, hint))
    }

    /// Runs a body with a session in a schema of its own.
    static func withSession<Success>(_ body: (Session) throws -> Success) throws -> Success {
        try withSchema { try body(try Session(Session.Configuration(connectionString: $0))) }
    }

    /// Runs a body with the address of a schema of its own.
    static func withSchema<Success>(_ body: (ConnectionString) throws -> Success) throws -> Success {
        let (address, name) = try makeSchema()
        defer { dropSchema(name) }
        return try body(address)
    }

    static func withSchema<Success>(
        _ body: (ConnectionString) async throws -> Success
    ) async throws -> Success {
        let (address, name) = try makeSchema()
        defer { dropSchema(name) }
        return try await body(address)
    }

    private static func makeSchema() throws -> (ConnectionString, String) {
        let address = try connectionString()
        let name = "test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        try Session(Session.Configuration(connectionString: address)).executeScript("CREATE SCHEMA \(name)")
        return (address.setting("options", to: "-csearch_path=\(name)"), name)
    }

    private static func dropSchema(_ name: String) {
        let session = try? Session(Session.Configuration(connectionString: connectionString()))
        try? session?.executeScript("SET client_min_messages = error; DROP SCHEMA \(name) CASCADE")
    }
}
