import SQLite
import Testing

struct TransactionTests {
    let folder: TemporaryFolder
    let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try Database(
            path: folder.file("t.sqlite"), configuration: .init(busyTimeoutMilliseconds: 1))
        try database.executeScript("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT")
    }

    private func ids(_ database: Database) throws -> [Int64] {
        try database.all("SELECT id FROM item ORDER BY id") { row throws(SQLiteError) in try row.integer(0) }
    }

    private let undo = SQLiteError(code: .cancelled, message: "on purpose")

    @Test func `a transaction keeps everything when its closure returns`() throws {
        let result = try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO item VALUES (1)")
            #expect(database.isInTransaction)
            try database.execute("INSERT INTO item VALUES (2)")
            return "done"
        }
        #expect(result == "done")
        #expect(!database.isInTransaction)
        #expect(try ids(database) == [1, 2])
    }

    @Test func `a transaction keeps nothing when its closure throws`() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO item VALUES (1)")
                throw undo
            }
        }
        #expect(error == undo)
        #expect(!database.isInTransaction)
        #expect(try ids(database) == [])
        try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO item VALUES (7)")
        }
        #expect(try ids(database) == [7])
    }

    @Test func `an inner transaction is undone alone when the outer one catches its error`() throws {
        try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO item VALUES (1)")
            do throws(SQLiteError) {
                try database.transaction { () throws(SQLiteError) in
                    try database.execute("INSERT INTO item VALUES (2)")
                    try database.transaction { () throws(SQLiteError) in
                        try database.execute("INSERT INTO item VALUES (3)")
                    }
                    throw undo
                }
            } catch {
                #expect(error.code == .cancelled)
            }
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO item VALUES (4)")
            }
        }
        #expect(try ids(database) == [1, 4])
    }

    @Test func `an outer error undoes inner transactions that had ended well`() throws {
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.transaction { () throws(SQLiteError) in
                    try database.execute("INSERT INTO item VALUES (1)")
                }
                throw undo
            }
        }
        #expect(try ids(database) == [])
    }

    @Test func `a second writer is told that the file is busy`() throws {
        let second = try Database(
            path: folder.file("t.sqlite"), configuration: .init(busyTimeoutMilliseconds: 1))
        try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO item VALUES (1)")
            let error = #expect(throws: SQLiteError.self) {
                try second.transaction { () throws(SQLiteError) in
                    Issue.record("the body ran without the lock")
                }
            }
            #expect(error?.code == .busy)
        }
        try second.transaction { () throws(SQLiteError) in try second.execute("INSERT INTO item VALUES (2)") }
        #expect(try ids(database) == [1, 2])
    }

    @Test func `a reader sees the state before a transaction until it ends`() throws {
        let reader = try Database(path: folder.file("t.sqlite"), configuration: .init(access: .readOnly))
        try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO item VALUES (1)")
            do { #expect(try ids(reader) == []) } catch { Issue.record(error) }
        }
        #expect(try ids(reader) == [1])
    }

    @Test func `a table that is being read cannot be dropped`() throws {
        try database.execute("INSERT INTO item VALUES (1)")
        let error = #expect(throws: SQLiteError.self) {
            try database.forEach("SELECT id FROM item") { _ throws(SQLiteError) in
                try database.execute("DROP TABLE item")
            }
        }
        #expect(error?.code == .locked)
        #expect(try ids(database) == [1])
    }
}
