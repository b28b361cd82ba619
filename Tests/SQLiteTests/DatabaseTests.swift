import FoundationEssentials
import SQLite
import Testing

struct DatabaseTests {
    let database: Database

    init() throws {
        database = try Database(path: ":memory:")
        try database.executeScript("CREATE TABLE item (id INTEGER PRIMARY KEY, value ANY) STRICT")
    }

    @Test(arguments: [
        Value.null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.greatestFiniteMagnitude),
        .text(""), .text("naïve 日本 👩‍👩‍👧"), .text("nul \0 inside"), .blob([]), .blob([0, 255, 0]),
    ])
    func `a value comes back as it was bound`(value: Value) throws {
        try database.execute("INSERT INTO item (value) VALUES (?)", [value])
        #expect(try database.first("SELECT value FROM item") { row in row[0] } == value)
    }

    @Test func `a value never becomes part of the statement`() throws {
        let hostile = "'); DROP TABLE item; --"
        try database.execute("INSERT INTO item (value) VALUES (?)", [.text(hostile)])
        #expect(
            try database.all("SELECT value FROM item") { row throws(SQLiteError) in try row.string(0) } == [
                hostile
            ])
    }

    @Test func `execute returns the number of changed rows`() throws {
        #expect(try database.execute("INSERT INTO item (value) VALUES (1), (2), (3)") == 3)
        #expect(try database.execute("UPDATE item SET value = 0 WHERE value > 1") == 2)
        #expect(try database.execute("SELECT * FROM item") == 0)
        #expect(database.lastInsertedRowID == 3)
    }

    @Test func `typed readers refuse another type and name the column`() throws {
        try database.execute("INSERT INTO item (value) VALUES ('text')")
        let error = #expect(throws: SQLiteError.self) {
            try database.first("SELECT value FROM item") { row throws(SQLiteError) in try row.integer(0) }
        }
        #expect(error?.code == .typeMismatch)
        #expect(error?.message == "column 0 (value) holds text, allowed: integer")
        #expect(throws: SQLiteError.self) {
            try database.first("SELECT 2") { row throws(SQLiteError) in try row.boolean(0) }
        }
        #expect(throws: SQLiteError.self) {
            try database.first("SELECT 2") { row throws(SQLiteError) in try row.integer(1) }
        }
        #expect(throws: SQLiteError.self) {
            try database.first("SELECT 2") { row throws(SQLiteError) in try row.bytes(-1) }
        }
        #expect(try database.first("SELECT 2") { row throws(SQLiteError) in try row.real(0) } == 2)
        #expect(
            try database.first("SELECT NULL") { row throws(SQLiteError) in try row.optionalBytes(0) == nil }
                == true)
    }

    @Test(arguments: [[], [1, 2]] as [[Value]])
    func `a wrong number of values is refused`(values: [Value]) {
        let error = #expect(throws: SQLiteError.self) {
            try database.execute("INSERT INTO item (value) VALUES (?)", values)
        }
        #expect(error?.code == .misuse)
    }

    @Test(arguments: ["", "  ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; x"])
    func `a text that is not one statement is refused`(sql: String) {
        let error = #expect(throws: SQLiteError.self) { try database.execute(sql) }
        #expect(error?.code == .misuse)
    }

    @Test func `a final semicolon is no second statement`() throws {
        #expect(try database.first("SELECT 1; \n") { row in row[0] } == 1)
    }

    @Test func `a name in double quotes that does not exist is an error and no text`() {
        let error = #expect(throws: SQLiteError.self) {
            try database.execute("SELECT * FROM item WHERE value = \"vlaue\"")
        }
        #expect(error?.code == .sql)
        #expect(error?.sql == "SELECT * FROM item WHERE value = \"vlaue\"")
    }

    @Test func `the same statement can run inside its own rows`() throws {
        try database.execute("INSERT INTO item (value) VALUES (1), (2)")
        var pairs: [[Value]] = []
        try database.forEach("SELECT value FROM item ORDER BY id") { outer throws(SQLiteError) in
            let first = outer[0]
            try database.forEach("SELECT value FROM item ORDER BY id") { inner throws(SQLiteError) in
                pairs.append([first, inner[0]])
            }
        }
        #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2]])
    }

    @Test func `more statements than the cache holds still work`() throws {
        let small = try Database(path: ":memory:", configuration: .init(statementCountMax: 2))
        for round in 0..<3 {
            for number in 0..<5 {
                #expect(
                    try small.first("SELECT \(number)") { row in row[0] } == .integer(Int64(number)),
                    "\(round)")
            }
        }
    }

    @Test(arguments: [
        ("INSERT INTO item (id) VALUES (1), (1)", SQLiteError.Code.uniqueConstraint),
        ("CREATE TABLE a (x NOT NULL); INSERT INTO a VALUES (NULL)", .notNullConstraint),
        ("CREATE TABLE a (x CHECK (x > 1)); INSERT INTO a VALUES (1)", .checkConstraint),
        ("CREATE TABLE a (x REFERENCES item (id)); INSERT INTO a VALUES (9)", .foreignKeyConstraint),
        ("CREATE TABLE a (x UNIQUE); INSERT INTO a VALUES (1), (1)", .uniqueConstraint),
        ("SELECT * FROM nowhere", .sql),
        ("SELEKT", .sql),
    ])
    func `each kind of failure has its code`(sql: String, code: SQLiteError.Code) {
        let error = #expect(throws: SQLiteError.self) { try database.executeScript(sql) }
        #expect(error?.code == code)
        #expect(error?.extendedCode != 0)
    }

    @Test func `errors never show a bound value`() throws {
        try database.executeScript("CREATE TABLE secret (token TEXT UNIQUE, CHECK (token <> 'x')) STRICT")
        try database.executeScript("CREATE VIRTUAL TABLE words USING fts5 (text)")
        let token = "deadbeefcafe"
        try database.execute("INSERT INTO secret VALUES (?)", [.text(token)])
        let statements: [(String, [Value])] = [
            ("INSERT INTO secret VALUES (?)", [.text(token)]),
            ("INSERT INTO secret VALUES (?)", [.blob(Array(token.utf8))]),
            ("SELECT json(?)", [.text("{\(token)")]),
            ("SELECT * FROM words WHERE words MATCH ?", [.text("\"\(token)")]),
            ("SELECT abs(?)", [.integer(.min)]),
        ]
        for (sql, values) in statements {
            let error = #expect(throws: SQLiteError.self, "\(sql)") { try database.execute(sql, values) }
            let text = error?.description ?? ""
            #expect(!text.contains("deadbeef") && !text.contains("9223372036854775808"), "\(text)")
            #expect(text.contains(sql))
        }
    }

    @Test func `a long statement is cut in the error`() {
        let error = #expect(throws: SQLiteError.self) {
            try database.execute("SELECT nothing" + String(repeating: " ", count: 10_000))
        }
        #expect(error?.sql?.count == 300)
    }
}
