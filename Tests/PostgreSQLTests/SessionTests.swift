import PostgreSQL
import Testing

@Suite(.enabled(if: TestServer.isWanted, TestServer.hint), .timeLimit(.minutes(5)))
struct SessionTests {
    @Test func `every kind of value comes back as it was bound`() throws {
        try TestServer.withSession { session throws in
            let row = try session.query(
                "SELECT $1::boolean, $2::bigint, $3::double precision, $4::text, $5::bytea, $6::bigint[], $7::text[]",
                [
                    true, .integer(.min), .real(-0.5), "a'b\u{1F600}\"\\", .bytes([0, 255, 10]),
                    .integers([1, -2, .max]), .texts(["", "日本", "a,b\"{}"]),
                ])[0]
            #expect(try row.boolean(0))
            #expect(try row.integer(1) == .min)
            #expect(try row.real(2) == -0.5)
            #expect(try row.string(3) == "a'b\u{1F600}\"\\")
            #expect(try row.bytes(4) == [0, 255, 10])
            #expect(try row.integers(5) == [1, -2, .max])
            #expect(try row.strings(6) == ["", "日本", "a,b\"{}"])
        }
    }

    @Test func `nothing is null, an empty text or blob is none, and an empty array has no elements`() throws {
        try TestServer.withSession { session throws in
            let row = try session.query(
                "SELECT $1::bigint, $2::text, $3::bytea, $4::text, $5::bytea, $6::text[], $7::boolean",
                [.integer(nil as Int64?), .text(nil), .null, "", .bytes([]), .texts([]), .boolean(nil)])[0]
            #expect(try row.optionalInteger(0) == nil)
            #expect(try row.optionalString(1) == nil)
            #expect(try row.optionalBytes(2) == nil)
            #expect(try row.string(3) == "")
            #expect(try row.bytes(4) == [])
            #expect(try row.strings(5) == [])
            #expect(try row.optionalBoolean(6) == nil)
        }
    }

    @Test func `small integers, JSON and names are read, other types are refused`() throws {
        try TestServer.withSession { session throws in
            let row = try session.query(
                "SELECT (-3)::smallint, (-70000)::integer, '{\"a\": 1}'::jsonb, 'x'::name, 1.5::numeric, now()"
            )[0]
            #expect(try row.integer(0) == -3)
            #expect(try row.integer(1) == -70_000)
            #expect(try row.string(2) == "{\"a\": 1}")
            #expect(try row.string(3) == "x")
            for column in [4, 5, 9] {
                let error = #expect(throws: PostgreSQLError.self) { try row.integer(column) }
                #expect(error?.code == .typeMismatch)
            }
        }
    }

    @Test(arguments: [
        ("SELECT * FROM nothing_of_this_name", PostgreSQLError.Code.sql, "42P01"),
        ("SELEC 1", .sql, "42601"), ("SELECT 1/0", .data, "22012"),
        ("INSERT INTO t VALUES (1), (1)", .uniqueViolation, "23505"),
        ("INSERT INTO t VALUES (-1)", .checkViolation, "23514"),
        ("INSERT INTO t VALUES (NULL)", .notNullViolation, "23502"),
        ("SET statement_timeout = 20; SELECT pg_sleep(30)", .queryCancelled, "57014"),
    ])
    func `errors have a kind and the server's code, and the session goes on`(
        sql: String, code: PostgreSQLError.Code, state: String
    ) throws {
        try TestServer.withSession { session throws in
            try session.executeScript("CREATE TABLE t (a BIGINT PRIMARY KEY CHECK (a > 0))")
            let error = #expect(throws: PostgreSQLError.self) { try session.executeScript(sql) }
            #expect(error?.code == code)
            #expect(error?.sqlState == state)
            #expect(!session.isBroken)
            #expect(try session.query("SELECT count(*) FROM t")[0].integer(0) == 0)
        }
    }

    @Test func `no error quotes a value`() throws {
        try TestServer.withSession { session throws in
            try session.executeScript("CREATE TABLE t (a TEXT PRIMARY KEY, b BIGINT)")
            let insert = "INSERT INTO t VALUES ($1, $2::text::bigint)"
            try session.execute(insert, ["geheim", "5"])
            for values: [Value] in [["geheim", "6"], ["other", "geheim"]] {
                let error = #expect(throws: PostgreSQLError.self) { try session.execute(insert, values) }
                #expect(error?.description.contains("geheim") == false)
            }
        }
    }

    @Test func `a text with U+0000 is an error of data`() throws {
        try TestServer.withSession { session throws in
            let error = #expect(throws: PostgreSQLError.self) {
                try session.query("SELECT $1::text", ["a\0b"])
            }
            #expect(error?.code == .data)
        }
    }

    @Test func `a transaction is kept whole or not at all`() throws {
        try TestServer.withSession { session throws in
            try session.executeScript("CREATE TABLE t (a BIGINT)")
            try session.transaction { try session.execute("INSERT INTO t VALUES (1)") }
            #expect(throws: PostgreSQLError.self) {
                try session.transaction {
                    try session.execute("INSERT INTO t VALUES (2)")
                    try session.execute("INSERT INTO t VALUES ($1)", ["three"])
                }
            }
            try session.transaction {
                try session.execute("INSERT INTO t VALUES (4)")
                #expect(throws: PostgreSQLError.self) {
                    try session.transaction {
                        try session.execute("INSERT INTO t VALUES (5)")
                        throw PostgreSQLError(code: .cancelled, message: "on purpose")
                    }
                }
            }
            let rows = try session.query("SELECT a FROM t ORDER BY a").map { try $0.integer(0) }
            #expect(rows == [1, 4])
            #expect(!session.isCommitUncertain)
        }
    }

    @Test func `a snapshot changes nothing`() throws {
        try TestServer.withSession { session throws in
            try session.executeScript("CREATE TABLE t (a BIGINT)")
            let error = #expect(throws: PostgreSQLError.self) {
                try session.transaction(.snapshot) { try session.execute("INSERT INTO t VALUES (1)") }
            }
            #expect(error?.code == .readOnly)
        }
    }

    @Test func `statements of a pipeline are run in order, and none after one that fails`() throws {
        try TestServer.withSession { session throws in
            try session.executeScript("CREATE TABLE t (a BIGINT)")
            let insert = "INSERT INTO t VALUES ($1) RETURNING a"
            let results = try session.pipeline(
                (1...500).map { Statement(insert, [.integer($0)]) } + [
                    Statement("SELECT sum(a)::bigint FROM t")
                ])
            #expect(results.count == 501)
            #expect(try results[41][0].integer(0) == 42)
            #expect(try results[500][0].integer(0) == 125_250)
            let error = #expect(throws: PostgreSQLError.self) {
                try session.pipeline([
                    Statement(insert, [1_000]), Statement("SELECT 1 / $1::bigint", [0]),
                    Statement(insert, [1_001]),
                ])
            }
            #expect(error?.code == .data)
            #expect(try session.query("SELECT count(*) FROM t")[0].integer(0) == 500)
        }
    }

    @Test func `much is sent and received at once without a deadlock`() throws {
        try TestServer.withSession { session throws in
            let text = String(repeating: "x", count: 1_000_000)
            let results = try session.pipeline(
                (0..<40).map { _ in Statement("SELECT $1::text", [.text(text)]) })
            #expect(try results.allSatisfy { try $0[0].string(0).utf8.count == 1_000_000 })
        }
    }

    @Test func `more statements than are kept are prepared anew`() throws {
        try TestServer.withSchema { address in
            let session = try Session(
                Session.Configuration(connectionString: address, statementCountMax: 4))
            for _ in 0..<3 {
                for number in 0..<10 {
                    #expect(try session.query("SELECT \(number)::bigint")[0].integer(0) == Int64(number))
                }
            }
            #expect(
                try session.query("SELECT count(*) FROM pg_prepared_statements", isKept: false)[0].integer(0)
                    == 4)
        }
    }

    @Test func `copied rows are there, and none when one of them is refused`() throws {
        try TestServer.withSession { session throws in
            try session.executeScript("CREATE TABLE t (a BIGINT PRIMARY KEY, b TEXT, c BYTEA)")
            let count = try session.copy(
                "t", "a, b, c",
                (1...50_000).lazy.map { [.integer($0), .text($0 == 7 ? nil : "row \($0)"), .bytes([1, 2])] })
            #expect(count == 50_000)
            let found = try session.query("SELECT count(b), sum(a)::bigint FROM t")[0]
            #expect(try found.integer(0) == 49_999)
            #expect(try found.integer(1) == 1_250_025_000)
            let error = #expect(throws: PostgreSQLError.self) {
                try session.copy("t", "a, b", [[.integer(60_000), "x"], [.integer(1), "y"]])
            }
            #expect(error?.code == .uniqueViolation)
            #expect(try session.query("SELECT count(*) FROM t")[0].integer(0) == 50_000)
        }
    }

    @Test func `a large result is read page by page`() throws {
        try TestServer.withSession { session throws in
            var pages: [Int] = []
            try session.transaction(.snapshot) {
                try session.forEachPage(
                    "SELECT g::bigint FROM generate_series(1, $1::bigint) AS g", [2_500], rowCountMax: 1_000
                ) { rows in
                    pages.append(rows.count)
                    return true
                }
                try session.forEachPage(
                    "SELECT g::bigint FROM generate_series(1, 9) AS g", [], rowCountMax: 4
                ) { _ in false }
            }
            #expect(pages == [1_000, 1_000, 500])
        }
    }

    @Test func `a lock keeps others away until the transaction ends`() throws {
        try TestServer.withSchema { address in
            let one = try Session(Session.Configuration(connectionString: address))
            let two = try Session(Session.Configuration(connectionString: address))
            let number = Int64.random(in: 1 << 32 ... .max)
            try one.transaction { () throws in
                #expect(try one.tryLockInTransaction(number))
                #expect(try !two.tryLock(number))
            }
            #expect(try two.tryLock(number))
            #expect(try !one.tryLock(number))
            #expect(try two.unlock(number))
            #expect(try one.tryLock(number))
        }
    }

    @Test func `notifications arrive once they are committed`() throws {
        try TestServer.withSchema { address in
            let listener = try Session(Session.Configuration(connectionString: address))
            let sender = try Session(Session.Configuration(connectionString: address))
            try listener.listen("belfry_session_tests")
            try sender.transaction { () throws in
                try sender.notify("belfry_session_tests", "日本")
                #expect(try listener.waitForNotifications(milliseconds: 20) == [])
            }
            let found = try listener.waitForNotifications(milliseconds: 20_000)
            #expect(found.map(\.payload) == ["日本"])
        }
    }

    @Test func `warnings of the server are counted and go nowhere`() throws {
        try TestServer.withSession { session throws in
            try session.executeScript("DO $$ BEGIN RAISE WARNING 'secret'; RAISE NOTICE 'secret'; END $$")
            #expect(session.serverNoticeCount == 2)
        }
    }
}
