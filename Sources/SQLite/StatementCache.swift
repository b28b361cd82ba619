/// The prepared statements of one database by their text; the one used longest ago leaves when it is full.
struct StatementCache {
    let countMax: Int
    private var statements: [String: Statement] = [:]
    private var useCount: UInt64 = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    var count: Int { statements.count }

    /// Hands out the statement for a text, prepared once; marks it as in use.
    mutating func take(_ sql: String, database: OpaquePointer) throws(SQLiteError) -> Statement {
        useCount += 1
        if let known = statements[sql] {
            guard known.isInUse else {
                known.isInUse = true
                known.lastUse = useCount
                return known
            }
            // Its rows are being read further up the stack: a second one, not cached.
            return try Statement(sql: sql, database: database)
        }
        let statement = try Statement(sql: sql, database: database)
        statement.isInUse = true
        statement.lastUse = useCount
        if statements.count >= countMax { evict() }
        if statements.count < countMax { statements[sql] = statement }
        return statement
    }

    mutating func removeAll() {
        statements.removeAll()
    }

    private mutating func evict() {
        let oldest = statements.values.filter { !$0.isInUse }.min { $0.lastUse < $1.lastUse }
        if let oldest { statements[oldest.sql] = nil }
    }
}
