import PostgreSQL
import Synchronization
import Testing

@Suite(.enabled(if: TestServer.isWanted, TestServer.hint), .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test func `jobs of many tasks run one after the other`() async throws {
        try await TestServer.withSchema { address in
            let connection = try Connection(Session.Configuration(connectionString: address))
            try await connection.attempt { session throws(PostgreSQLError) in
                try session.executeScript("CREATE TABLE t (a BIGINT); INSERT INTO t VALUES (0)")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await connection.attempt { session throws(PostgreSQLError) in
                            let value = try session.query("SELECT a FROM t")[0].integer(0)
                            try session.execute("UPDATE t SET a = $1", [.integer(value + 1)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let sum = try await connection.attempt { session throws(PostgreSQLError) in
                try session.query("SELECT a FROM t")[0].integer(0)
            }
            #expect(sum == 100)
            await connection.close()
            let error = await #expect(throws: PostgreSQLError.self) {
                try await connection.attempt { session throws(PostgreSQLError) in
                    try session.execute("SELECT 1")
                }
            }
            #expect(error?.code == .closed)
        }
    }

    /// A server process that is ended stands for a server that was restarted.
    @Test func `a session that was cut is replaced, and prepared anew`() async throws {
        try await TestServer.withSchema { address in
            let preparedCount = Mutex(0)
            let connection = try Connection(Session.Configuration(connectionString: address)) { _ in
                preparedCount.withLock { $0 += 1 }
            }
            let identifier = try await connection.attempt { session throws(PostgreSQLError) in
                try session.query("SELECT pg_backend_pid()::bigint")[0].integer(0)
            }
            let other = try Session(Session.Configuration(connectionString: address))
            try other.query("SELECT pg_terminate_backend($1::int)", [.integer(identifier)])
            let error = await #expect(throws: PostgreSQLError.self) {
                try await connection.attempt { session throws(PostgreSQLError) in
                    try session.query("SELECT pg_sleep(1)")
                }
            }
            #expect(error?.code.endsSession == true)
            let again = try await connection.attempt { session throws(PostgreSQLError) in
                try session.query("SELECT pg_backend_pid()::bigint")[0].integer(0)
            }
            #expect(again != identifier)
            #expect(preparedCount.withLock { $0 } == 2)
            await connection.close()
        }
    }

    @Test func `of several hosts the first that answers is taken`() async throws {
        let address = try TestServer.connectionString()
        let text = try #require(TestServer.address)
        // A port where nobody listens stands before the server's.
        let place = try #require(text.split(separator: "@").last?.split(separator: "/").first)
        let both = try ConnectionString(text.replacing("@\(place)", with: "@127.0.0.1:1,\(place)"))
        #expect(both.description.contains(address.description.split(separator: "/")[1]))
        let connection = try Connection(Session.Configuration(connectionString: both))
        let one = try await connection.attempt { session throws(PostgreSQLError) in
            try session.query("SELECT 1::bigint")[0].integer(0)
        }
        #expect(one == 1)
        await connection.close()
    }

    @Test func `a server that cannot be reached fails a job when its patience is over`() async throws {
        let string = try ConnectionString("postgres://belfry@127.0.0.1:1/x")
        let connection = try Connection(
            Session.Configuration(connectionString: string), patienceMilliseconds: 50)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.attempt { session throws(PostgreSQLError) in try session.execute("SELECT 1")
            }
        }
        #expect(error?.code == .connectionFailed)
        await connection.close()
    }

    @Test func `the server too looks whether a client is still there`() throws {
        try TestServer.withSession { session throws in
            func setting(_ name: String) throws -> String {
                try session.query("SELECT current_setting($1)", [.text(name)])[0].string(0)
            }
            #expect(try setting("tcp_keepalives_idle") == "10")
            #expect(try setting("tcp_keepalives_interval") == "3")
            #expect(try setting("tcp_keepalives_count") == "3")
            #expect(try setting("tcp_user_timeout") == "10000")
        }
    }

    @Test func `jobs that waited behind one that could not connect do not each try again`() async throws {
        let server = try MuteServer()
        let string = try ConnectionString(
            "postgres://belfry@127.0.0.1:\(server.port)/x?connect_timeout=2&sslmode=disable&gssencmode=disable"
        )
        let connection = try Connection(
            Session.Configuration(connectionString: string), patienceMilliseconds: 50)
        let codes = await withTaskGroup(of: PostgreSQLError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(PostgreSQLError) {
                        _ = try await connection.attempt { session throws(PostgreSQLError) in
                            try session.execute("SELECT 1")
                        }
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .connectionFailed, count: 8))
        #expect(server.acceptedCount() == 1)
        await connection.close()
    }

    @Test func `a listener hears what was sent, also after its session was cut`() async throws {
        try await TestServer.withSchema { address in
            let identifiers = Mutex<Int64>(0)
            let (heard, continuation) = AsyncStream.makeStream(of: [String].self)
            let listener = try Listener(
                Session.Configuration(connectionString: address), channel: "belfry_listener_tests",
                idle: { session throws(PostgreSQLError) in
                    let identifier = try session.query("SELECT pg_backend_pid()::bigint")[0].integer(0)
                    identifiers.withLock { $0 = identifier }
                }
            ) { found in continuation.yield(found.map(\.payload)) }
            var events = heard.makeAsyncIterator()
            #expect(await events.next() == [], "it says when it has begun to listen")
            let other = try Session(Session.Configuration(connectionString: address))
            try other.notify("belfry_listener_tests", "one")
            #expect(await events.next() == ["one"])
            let identifier = identifiers.withLock { $0 }
            try other.query("SELECT pg_terminate_backend($1::int)", [.integer(identifier)])
            #expect(await events.next() == [])
            try other.notify("belfry_listener_tests", "two")
            #expect(await events.next() == ["two"])
            await listener.close()
        }
    }
}
