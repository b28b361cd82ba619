import FoundationEssentials
import SQLite
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What happens when the file or the process fails.
struct FileFaultTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func count(_ database: Database) throws -> Int64? {
        try database.first("SELECT count(*) FROM item") { row throws(SQLiteError) in try row.integer(0) }
    }

    @Test func `a full disk is reported as full and leaves the last committed state`() throws {
        let path = folder.file("full.sqlite")
        let database = try Database(path: path, configuration: .init(pageCountMax: 20))
        try database.executeScript("CREATE TABLE item (value BLOB) STRICT")
        try database.execute("INSERT INTO item VALUES (?)", [.blob([1])])
        let page = [UInt8](repeating: 7, count: 4_096)
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                for _ in 0..<100 { try database.execute("INSERT INTO item VALUES (?)", [.blob(page)]) }
            }
        }
        #expect(error?.code == .full)
        #expect(!database.isInTransaction)
        #expect(try count(database) == 1)
        try database.execute("INSERT INTO item VALUES (?)", [.blob([2])])
        #expect(try count(database) == 2)
        try database.checkIntegrity()
    }

    @Test func `a closure that swallows a full disk cannot write outside its transaction`() throws {
        let database = try Database(path: folder.file("full.sqlite"), configuration: .init(pageCountMax: 20))
        try database.executeScript("CREATE TABLE item (value BLOB) STRICT")
        let page = [UInt8](repeating: 7, count: 4_096)
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                for _ in 0..<100 { _ = try? database.execute("INSERT INTO item VALUES (?)", [.blob(page)]) }
                // SQLite may undo the whole transaction or only the statement that found the disk full.
                try database.execute("INSERT INTO item VALUES (x'00')")
                throw SQLiteError(code: .cancelled, message: "on purpose")
            }
        }
        #expect(error?.code == .transactionAborted || error?.code == .cancelled || error?.code == .full)
        #expect(try count(database) == 0)
    }

    @Test(arguments: [0, 1, 100, 5_000])
    func `a file of something else is refused`(byteCount: Int) throws {
        let path = folder.file("foreign.sqlite")
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        if byteCount == 0 {
            #expect(try Database(path: path).schemaVersion() == 0)
        } else if byteCount >= 100 {
            let error = #expect(throws: SQLiteError.self) { try Database(path: path) }
            #expect(error?.code == .notADatabase)
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `a damaged page is reported as corrupt`() throws {
        let path = folder.file("damaged.sqlite")
        do {
            let database = try Database(path: path)
            try database.executeScript("CREATE TABLE item (value TEXT) STRICT")
            for number in 0..<2_000 {
                try database.execute(
                    "INSERT INTO item VALUES (?)",
                    [.text("row \(number) \(String(repeating: "x", count: 50))")])
            }
            try database.checkpoint()
        }
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        for index in (4_096 * 2)..<(4_096 * 20) { bytes[index] = 0xa5 }
        try Data(bytes).write(to: URL(filePath: path))
        let database = try Database(path: path)
        let error = #expect(throws: SQLiteError.self) {
            _ = try database.all("SELECT value FROM item ORDER BY value") { row throws(SQLiteError) in
                try row.string(0)
            }
        }
        #expect(error?.code == .corrupt)
        #expect(#expect(throws: SQLiteError.self) { try database.checkIntegrity() }?.code == .corrupt)
    }

    @Test func `a file in a folder that does not exist cannot be opened and the error names it`() throws {
        let error = #expect(throws: SQLiteError.self) {
            try Database(path: folder.file("no/such/folder.sqlite"))
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains("no/such/folder.sqlite") == true)
    }

    @Test func `a connection without the right to write is told so`() throws {
        let path = folder.file("read.sqlite")
        try Database(path: path).executeScript("CREATE TABLE item (value BLOB) STRICT")
        let reader = try Database(path: path, configuration: .init(access: .readOnly))
        #expect(try count(reader) == 0)
        let error = #expect(throws: SQLiteError.self) {
            try reader.execute("INSERT INTO item VALUES (x'00')")
        }
        #expect(error?.code == .readOnly)
        let missing = #expect(throws: SQLiteError.self) {
            try Database(path: folder.file("absent.sqlite"), configuration: .init(access: .readWrite))
        }
        #expect(missing?.code == .cannotOpen)
    }

    @Test func `a new file belongs to its owner alone`() throws {
        let path = folder.file("private.sqlite")
        let database = try Database(path: path)
        try database.executeScript("CREATE TABLE item (value BLOB) STRICT")
        for name in [path, path + "-wal"] {
            var information = stat()
            #expect(stat(name, &information) == 0)
            #expect(information.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a process killed in the middle of a transaction loses that transaction only`() async throws {
        let path = folder.file("killed.sqlite")
        try Database(path: path).executeScript("CREATE TABLE item (value BLOB) STRICT")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let database = try Database(path: path)
            for _ in 0..<10 {
                try database.transaction { () throws(SQLiteError) in
                    for _ in 0..<10 { try database.execute("INSERT INTO item VALUES (x'00')") }
                }
            }
            try database.transaction { () throws(SQLiteError) in
                for _ in 0..<5_000 { try database.execute("INSERT INTO item VALUES (zeroblob(1000))") }
                kill(getpid(), SIGKILL)
            }
        }
        let database = try Database(path: path)
        #expect(try count(database) == 100)
        try database.checkIntegrity()
    }

    @Test func `a backup is complete and a stopped one says so`() throws {
        let database = try Database(path: folder.file("source.sqlite"))
        try database.executeScript("CREATE TABLE item (value BLOB) STRICT")
        for _ in 0..<200 { try database.execute("INSERT INTO item VALUES (zeroblob(4000))") }
        var slices: [Int] = []
        try database.backup(to: folder.file("copy.sqlite"), pagesPerSlice: 50) { left, total in
            slices.append(left)
            return left <= total
        }
        #expect(slices.count > 3)
        #expect(slices.last == 0)
        let copy = try Database(path: folder.file("copy.sqlite"))
        #expect(try count(copy) == 200)
        try copy.checkIntegrity()

        let error = #expect(throws: SQLiteError.self) {
            try database.backup(to: folder.file("half.sqlite"), pagesPerSlice: 5) { left, total in
                left > total / 2
            }
        }
        #expect(error?.code == .cancelled)
        let target = #expect(throws: SQLiteError.self) {
            try database.backup(to: folder.file("no/copy.sqlite"))
        }
        #expect(target?.code == .cannotOpen)
    }
}
