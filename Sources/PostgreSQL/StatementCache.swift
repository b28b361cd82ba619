/// The names of the statements a session has prepared; the one used longest ago leaves when it is full.
struct StatementCache {
    /// A text is prepared once for each combination of its parameters' types.
    struct Key: Hashable {
        var sql: String
        var types: [UInt32]
    }

    let countMax: Int
    private var statements: [Key: (name: String, lastUse: UInt64)] = [:]
    private var useCount: UInt64 = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// The name of a statement that is prepared.
    mutating func name(of key: Key) -> String? {
        guard let known = statements[key] else { return nil }
        useCount += 1
        statements[key] = (known.name, useCount)
        return known.name
    }

    /// A name for a new statement, and the name of one that has to go for it.
    mutating func add(_ key: Key) -> (name: String, evicted: String?) {
        useCount += 1
        var evicted: String?
        if statements.count >= countMax,
            let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            evicted = oldest.value.name
            statements[oldest.key] = nil
        }
        let name = "belfry_\(useCount)"
        statements[key] = (name, useCount)
        return (name, evicted)
    }

    mutating func remove(_ key: Key) {
        statements[key] = nil
    }
}
