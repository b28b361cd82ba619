import SQLite
import Testing

struct MigrationTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("m.sqlite")
    }

    private let first = Migration(version: 1, name: "items", script: "CREATE TABLE item (id INTEGER) STRICT")
    private let second = Migration(
        version: 2, name: "names",
        script: "ALTER TABLE item ADD COLUMN name TEXT; INSERT INTO item VALUES (1, 'a')")

    @Test func `an empty file has version 0 and gets every step once`() throws {
        let database = try Database(path: path)
        #expect(try database.schemaVersion() == 0)
        #expect(try database.migrate([first]) == [1])
        #expect(try database.migrate([first]) == [])
        #expect(try database.migrate([first, second]) == [2])
        #expect(try database.migrate([first, second]) == [])
        #expect(try database.schemaVersion() == 2)
        #expect(try database.first("SELECT count(*) FROM item") { row in row[0] } == 1)
    }

    @Test func `a step that fails leaves the file at the version it had`() throws {
        let database = try Database(path: path)
        try database.migrate([first])
        let broken = Migration(version: 3, name: "broken", script: "CREATE TABLE x (id); SELEKT")
        let error = #expect(throws: SQLiteError.self) { try database.migrate([first, second, broken]) }
        #expect(error?.code == .sql)
        #expect(try database.schemaVersion() == 1)
        #expect(throws: SQLiteError.self) { try database.execute("SELECT name FROM item") }
        #expect(throws: SQLiteError.self) { try database.execute("SELECT * FROM x") }
        #expect(try database.migrate([first, second]) == [2])
    }

    @Test func `a file of a newer program is refused with both versions and stays as it is`() throws {
        let database = try Database(path: path)
        try database.migrate([first, second])
        let error = #expect(throws: SQLiteError.self) { try database.migrate([first]) }
        #expect(error?.code == .schemaIsNewer)
        #expect(error?.message.contains("schema version 2") == true)
        #expect(error?.message.contains("up to 1") == true)
        #expect(try database.schemaVersion() == 2)
    }

    @Test func `a file with tables of something else is refused`() throws {
        let database = try Database(path: path)
        try database.executeScript("CREATE TABLE bookmarks (url TEXT)")
        let error = #expect(throws: SQLiteError.self) { try database.migrate([first]) }
        #expect(error?.code == .schemaIsForeign)
        #expect(error?.message.contains("bookmarks") == true)
        #expect(try database.schemaVersion() == 0)
    }

    @Test(arguments: [[2], [1, 3], [2, 1], [1, 1], [0]])
    func `a list with gaps or out of order is refused`(versions: [Int]) throws {
        let database = try Database(path: path)
        let list = versions.map { Migration(version: $0, name: "n", script: "SELECT 1") }
        let error = #expect(throws: SQLiteError.self) { try database.migrate(list) }
        #expect(error?.code == .migrationFailed)
    }

    @Test func `a released step that was replaced by another is refused`() throws {
        let database = try Database(path: path)
        try database.migrate([first])
        let other = Migration(version: 1, name: "other", script: "SELECT 1")
        let error = #expect(throws: SQLiteError.self) { try database.migrate([other]) }
        #expect(error?.code == .migrationFailed)
    }
}
