import Dispatch
import SQLite
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    let folder: TemporaryFolder
    let migrations = [Migration(version: 1, name: "items", script: "CREATE TABLE item (id INTEGER) STRICT")]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ name: String = "c.sqlite") async throws -> Connection {
        try await Connection.open(path: folder.file(name), migrations: migrations)
    }

    private func count(_ connection: Connection) async throws -> Int64? {
        try await connection.run { database throws(SQLiteError) in
            try database.first("SELECT count(*) FROM item") { row throws(SQLiteError) in try row.integer(0) }
        }
    }

    @Test func `many tasks write through one connection and nothing is lost`() async throws {
        let connection = try await open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    _ = try await connection.run { database throws(SQLiteError) in
                        try database.execute("INSERT INTO item VALUES (?)", [.integer(Int64(number))])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await count(connection) == 500)
        await connection.close()
    }

    @Test func `jobs run in the order they were submitted`() async throws {
        let connection = try await open()
        let order = Mutex<[Int]>([])
        for number in 0..<100 {
            try connection.schedule(afterMilliseconds: 0) { _ in order.withLock { $0.append(number) } }
        }
        _ = try await count(connection)
        #expect(order.withLock { $0 } == Array(0..<100))
        await connection.close()
    }

    @Test func `a blocked job does not keep the cooperative pool from running`() async throws {
        let connection = try await open()
        let gate = Gate()
        // More blocked callers than the pool has threads.
        let blocked = (0..<32).map { _ in
            Task { try await connection.run { _ throws(SQLiteError) in gate.wait() } }
        }
        let answers = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        #expect(answers == 4_950)
        gate.open()
        for task in blocked { try await task.value }
        await connection.close()
    }

    @Test func `errors reach the caller and the connection goes on`() async throws {
        let connection = try await open()
        let error = await #expect(throws: SQLiteError.self) {
            try await connection.run { database throws(SQLiteError) in try database.execute("SELEKT") }
        }
        #expect(error?.code == .sql)
        #expect(try await count(connection) == 0)
        await connection.close()
    }

    @Test func `a closed connection has run what waited and refuses the rest`() async throws {
        let connection = try await open()
        try connection.schedule(afterMilliseconds: 3_600_000) { database in
            _ = try? database.execute("INSERT INTO item VALUES (1)")
        }
        await connection.close()
        await connection.close()
        let error = await #expect(throws: SQLiteError.self) { try await count(connection) }
        #expect(error?.code == .closed)
        #expect(
            #expect(throws: SQLiteError.self) { try connection.schedule(afterMilliseconds: 0) { _ in } }?.code
                == .closed)
        let again = try await open()
        #expect(try await count(again) == 1)
        await again.close()
    }

    @Test func `a delayed job runs by itself after its time and later jobs overtake it`() async throws {
        let connection = try await open()
        let order = Mutex<[String]>([])
        await withCheckedContinuation { continuation in
            try? connection.schedule(afterMilliseconds: 30) { _ in
                order.withLock { $0.append("delayed") }
                continuation.resume()
            }
            try? connection.schedule(afterMilliseconds: 0) { _ in order.withLock { $0.append("now") } }
        }
        #expect(order.withLock { $0 } == ["now", "delayed"])
        await connection.close()
    }

    @Test func `a full queue refuses instead of growing`() async throws {
        let connection = try await open()
        let gate = Gate()
        try connection.schedule(afterMilliseconds: 0) { _ in gate.wait() }
        var refused: SQLiteError?
        var taken = 0
        while refused == nil, taken <= Connection.pendingJobCountMax + 1 {
            do {
                try connection.schedule(afterMilliseconds: 0) { _ in }
                taken += 1
            } catch {
                refused = error
            }
        }
        #expect(refused?.code == .overloaded)
        // One more when the thread had already taken the job that waits at the gate.
        #expect((Connection.pendingJobCountMax - 1...Connection.pendingJobCountMax).contains(taken))
        gate.open()
        await connection.close()
    }

    @Test func `a connection that cannot open throws and leaves no thread waiting`() async throws {
        let path = folder.file("no/c.sqlite")
        let error = await #expect(throws: SQLiteError.self) { try await Connection.open(path: path) }
        #expect(error?.code == .cannotOpen)
        #expect(#expect(throws: SQLiteError.self) { try Connection(path: path) }?.code == .cannotOpen)
    }

    @Test func `blocking callers get results too`() throws {
        let connection = try Connection(path: folder.file("b.sqlite"), migrations: migrations)
        let changed = try connection.runBlocking { database throws(SQLiteError) in
            try database.execute("INSERT INTO item VALUES (1), (2)")
        }
        #expect(changed == 2)
        connection.closeBlocking()
        #expect(
            #expect(throws: SQLiteError.self) { try connection.runBlocking { _ throws(SQLiteError) in } }?
                .code == .closed)
    }
}

/// Holds a thread until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
