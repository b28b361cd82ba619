import SQLite
import Testing

@Suite struct StatementDeadlineTests {
    private static let endless = """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers
        """

    @Test(.timeLimit(.minutes(5)), arguments: [0, 20])
    func `a statement past its deadline is given up, and the connection goes on`(
        milliseconds: Int
    ) throws {
        let database = try Database(path: ":memory:")
        database.deadline = .after(milliseconds: milliseconds)
        let error = #expect(throws: SQLiteError.self) { try database.execute(Self.endless) }
        #expect(error?.code == .interrupted)
        // Short statements go through, and long ones without a deadline.
        #expect(try database.first("SELECT 7") { row throws(SQLiteError) in try row.integer(0) } == 7)
        database.deadline = nil
        let count = try database.first(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT count(*) FROM n"
        ) { row throws(SQLiteError) in try row.integer(0) }
        #expect(count == 50_000)
    }

    @Test func `a statement that ends before its deadline is whole`() throws {
        let database = try Database(path: ":memory:")
        database.deadline = .after(milliseconds: 600_000)
        let count = try database.first(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT count(*) FROM n"
        ) { row throws(SQLiteError) in try row.integer(0) }
        #expect(count == 50_000)
    }
}
