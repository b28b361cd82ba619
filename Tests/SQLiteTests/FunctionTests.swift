import SQLite
import Testing

struct FunctionTests {
    let database: Database

    init() throws {
        database = try Database(path: ":memory:")
    }

    @Test(arguments: [
        Value.null, .integer(.min), .real(0.1), .text(""), .text("naïve 日本 👩‍👩‍👧"), .text("nul \0 inside"),
        .blob([]),
        .blob([0, 255, 0]),
    ])
    func `a value goes into a function and comes back as it was`(value: Value) throws {
        try database.register(function: "same", argumentCount: 1) { values in values[0] }
        #expect(try database.first("SELECT same(?)", [value]) { row in row[0] } == value)
    }

    @Test func `arguments arrive in their order, and none for a function without`() throws {
        try database.register(function: "check_three", argumentCount: 3) { values in
            values == [1, "two", nil] ? 1 : 0
        }
        try database.register(function: "none", argumentCount: 0) { values in .integer(Int64(values.count))
        }
        #expect(try database.first("SELECT check_three(1, 'two', NULL) + none()") { row in row[0] } == 1)
    }

    @Test func `an error of a function is the statement's, with its own message`() throws {
        try database.register(function: "refuse", argumentCount: 1) { _ throws(SQLiteError) in
            throw SQLiteError(code: .cancelled, message: "seven is too many")
        }
        let error = #expect(throws: SQLiteError.self) { try database.execute("SELECT refuse(?)", [7]) }
        #expect(error?.code == .function)
        #expect(error?.message == "seven is too many")
        #expect(try database.first("SELECT 1") { row in row[0] } == 1)
    }

    @Test func `a later function replaces an earlier one, and both are let go in the end`() throws {
        final class Marker: Sendable {}
        weak var first: Marker?
        weak var second: Marker?
        do {
            let database = try Database(path: ":memory:")
            let (marker, other) = (Marker(), Marker())
            (first, second) = (marker, other)
            try database.register(function: "f", argumentCount: 0) { _ in
                withExtendedLifetime(marker) { 1 }
            }
            try database.register(function: "f", argumentCount: 0) { _ in withExtendedLifetime(other) { 2 } }
            #expect(try database.first("SELECT f()") { row in row[0] } == 2)
        }
        #expect(first == nil)
        #expect(second == nil)
    }

    @Test(arguments: [-2, 1000])
    func `a function SQLite cannot have is refused`(count: Int) {
        let error = #expect(throws: SQLiteError.self) {
            try database.register(function: "f", argumentCount: count) { _ in nil }
        }
        #expect(error?.code == .misuse)
    }

    @Test func `a wrong number of arguments is an error of the statement`() throws {
        try database.register(function: "f", argumentCount: 2) { values in values[1] }
        let error = #expect(throws: SQLiteError.self) { try database.execute("SELECT f(1)") }
        #expect(error?.code == .sql)
    }
}
