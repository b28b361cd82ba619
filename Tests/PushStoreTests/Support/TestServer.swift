import FoundationEssentials
import PostgreSQL
import Synchronization
import Testing

/// The PostgreSQL server that `scripts/postgres run` starts for tests.
///
/// Making all tables takes longer than most tests. So a few schemas are used again and again, emptied in between, and
/// no more tests than that work on the server at once.
enum TestServer {
    static let address = ProcessInfo.processInfo.environment["BELFRY_TEST_POSTGRES"]

    private static let schemaCountMax = 6

    private struct State {
        var freeSchemas: [String] = []
        var schemaCount = 0
        var waiters: [CheckedContinuation<String, Never>] = []
        var connection: Connection?
    }

    private static let state = Mutex(State())

    static func connectionString() throws -> ConnectionString {
        try ConnectionString(
            try #require(address, "BELFRY_TEST_POSTGRES is not set: scripts/postgres run swift test"))
    }

    /// The server's address with a schema at the front of the search path.
    static func address(ofSchema name: String) throws -> ConnectionString {
        try connectionString().setting("options", to: "-csearch_path=\(name)")
    }

    /// An empty schema, to be given back.
    static func takeSchema() async throws -> String {
        let connection = try connection()
        let name: String? = state.withLock { state in
            if let free = state.freeSchemas.popLast() { return free }
            guard state.schemaCount < schemaCountMax else { return nil }
            state.schemaCount += 1
            return "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
        }
        let taken: String
        if let name {
            taken = name
        } else {
            taken = await withCheckedContinuation { continuation in
                let free: String? = state.withLock { state in
                    if let free = state.freeSchemas.popLast() { return free }
                    state.waiters.append(continuation)
                    return nil
                }
                if let free { continuation.resume(returning: free) }
            }
        }
        try await connection.attempt { session throws(PostgreSQLError) in
            try session.executeScript(
                """
                SET client_min_messages = error; CREATE SCHEMA IF NOT EXISTS \(taken); SET search_path = \(taken)
                """)
            guard try !session.query("SELECT to_regclass('administration')::text", isKept: false)[0].isNull(0)
            else { return }
            for table in tables { try session.executeScript("DELETE FROM \(table)") }
        }
        return taken
    }

    static func giveBack(_ name: String) {
        let waiter: CheckedContinuation<String, Never>? = state.withLock { state in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.freeSchemas.append(name)
            return nil
        }
        waiter?.resume(returning: name)
    }

    /// What has to be emptied; the rest goes with the apps.
    private static let tables = [
        "apps", "administration", "leases", "imports", "audit_log", "installations", "installation_keys",
        "installation_ids", "installation_channels", "installation_interests", "seen_articles",
        "recent_events",
        "sent_pushes", "console_users",
    ]

    /// A connection for all tests, whose thread does the waiting.
    private static func connection() throws -> Connection {
        let address = try connectionString()
        return try state.withLock { state in
            if let connection = state.connection { return connection }
            let connection = try Connection(Session.Configuration(connectionString: address))
            state.connection = connection
            return connection
        }
    }
}
