import PostgreSQL
import PushStore
import Testing

struct StoreErrorTests {
    @Test(arguments: [
        (PostgreSQLError.Code.connectionFailed, StoreError.Code.unavailable), (.connectionLost, .unavailable),
        (.unavailable, .unavailable), (.readOnly, .unavailable), (.closed, .unavailable),
        (.tooManyConnections, .overloaded), (.overloaded, .overloaded), (.lockTimeout, .overloaded),
        (.outOfMemory, .overloaded), (.full, .full), (.uniqueViolation, .conflict), (.sql, .database),
        (.data, .database),
    ])
    func `a server that cannot be reached is no server that failed`(
        code: PostgreSQLError.Code, expected: StoreError.Code
    ) {
        #expect(StoreError(PostgreSQLError(code: code, message: "m")).code == expected)
    }
}
