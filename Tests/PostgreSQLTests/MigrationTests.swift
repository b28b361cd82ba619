import PostgreSQL
import Testing

@Suite(.enabled(if: TestServer.isWanted, TestServer.hint), .timeLimit(.minutes(5)))
struct MigrationTests {
    static let first = Migration(version: 1, name: "one", script: "CREATE TABLE a (x BIGINT)")
    static let second = Migration(
        version: 2, name: "two", compatibleVersion: 1, script: "ALTER TABLE a ADD COLUMN y BIGINT")
    static let third = Migration(version: 3, name: "three", script: "ALTER TABLE a DROP COLUMN x")

    @Test func `missing steps are applied once`() throws {
        try TestServer.withSession { session throws in
            #expect(try session.migrate([Self.first]) == [1])
            #expect(try session.migrate([Self.first, Self.second]) == [2])
            #expect(try session.migrate([Self.first, Self.second]) == [])
        }
    }

    @Test func `an older program works beside a step that allows it, and not beside another`() throws {
        try TestServer.withSession { session throws in
            try session.migrate([Self.first, Self.second])
            #expect(try session.migrate([Self.first]) == [])
            try session.migrate([Self.first, Self.second, Self.third])
            let error = #expect(throws: PostgreSQLError.self) {
                try session.migrate([Self.first, Self.second])
            }
            #expect(error?.code == .schemaIsNewer)
        }
    }

    @Test func `a step that fails leaves nothing of all that were missing`() throws {
        try TestServer.withSession { session throws in
            let broken = Migration(version: 2, name: "two", script: "CREATE TABLE b (x BIGINT); SELECT 1/0")
            #expect(throws: PostgreSQLError.self) { try session.migrate([Self.first, broken]) }
            #expect(try session.query("SELECT to_regclass('a')::text")[0].isNull(0))
            #expect(try session.migrate([Self.first]) == [1])
        }
    }

    @Test func `lists that do not fit are refused`() throws {
        try TestServer.withSession { session throws in
            #expect(throws: PostgreSQLError.self) { try session.migrate([Self.second]) }
            try session.migrate([Self.first])
            let renamed = Migration(version: 1, name: "other", script: "")
            let error = #expect(throws: PostgreSQLError.self) { try session.migrate([renamed]) }
            #expect(error?.code == .migrationFailed)
        }
    }

    @Test func `ten processes at once apply each step once`() async throws {
        try await TestServer.withSchema { address in
            let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let connection = try Connection(Session.Configuration(connectionString: address))
                        let steps = try await connection.attempt { session throws(PostgreSQLError) in
                            try session.migrate([Self.first, Self.second])
                        }
                        await connection.close()
                        return steps
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.sorted() == [1, 2])
        }
    }
}
