/// One numbered step of a database's schema, applied once and never changed after a release.
public struct Migration: Sendable {
    /// The step's number: 1, 2, 3 and so on without gaps.
    public var version: Int
    /// A short name, stored in the file.
    public var name: String
    /// The step's work; runs inside a transaction.
    public var apply: @Sendable (Database) throws(SQLiteError) -> Void

    /// A step made of statements.
    public init(version: Int, name: String, script: String) {
        self.init(version: version, name: name) { database throws(SQLiteError) in
            try database.executeScript(script)
        }
    }

    /// A step made of code, for changes that SQL alone cannot express.
    public init(
        version: Int, name: String, apply: @escaping @Sendable (Database) throws(SQLiteError) -> Void
    ) {
        self.version = version
        self.name = name
        self.apply = apply
    }
}

extension Database {
    /// Brings the file to the newest version of the schema; all missing steps in one transaction.
    ///
    /// The versions a file has are in its table `schema_version`. Several processes may call this at once.
    ///
    /// - Parameter migrations: Every step ever released, numbered from 1 without gaps.
    /// - Returns: The versions that were applied now; empty when the file was up to date.
    /// - Throws: `schemaIsNewer` for a file that a newer program wrote, `schemaIsForeign` for a file with tables of
    ///   something else, `migrationFailed` for a list that does not fit itself or the file.
    @discardableResult
    public func migrate(_ migrations: [Migration]) throws(SQLiteError) -> [Int] {
        guard migrations.map(\.version) == Array(1..<migrations.count + 1) else {
            throw SQLiteError(
                code: .migrationFailed,
                message: "found versions \(migrations.map(\.version)), allowed: 1, 2, 3… without gaps")
        }
        return try transaction { () throws(SQLiteError) in
            let applied = try appliedMigrations()
            if let last = applied.last, last.version > migrations.count {
                throw SQLiteError(
                    code: .schemaIsNewer,
                    message: "the file has schema version \(last.version) (\(last.name)), this program knows "
                        + "up to \(migrations.count): use the newer program, or another data folder")
            }
            for (known, found) in zip(migrations, applied)
            where known.version != found.version || known.name != found.name {
                throw SQLiteError(
                    code: .migrationFailed,
                    message: "the file has step \(found.version) (\(found.name)), "
                        + "the program has step \(known.version) (\(known.name))")
            }
            let missing = migrations.dropFirst(applied.count)
            for migration in missing {
                try migration.apply(self)
                try execute(
                    "INSERT INTO schema_version (version, name) VALUES (?, ?)",
                    [Value(migration.version), .text(migration.name)])
            }
            return missing.map(\.version)
        }
    }

    /// The newest version of the schema in the file, 0 for an empty one.
    public func schemaVersion() throws(SQLiteError) -> Int {
        guard try hasTable("schema_version") else { return 0 }
        return try first("SELECT max(version) FROM schema_version") { row throws(SQLiteError) in
            Int(try row.optionalInteger(0) ?? 0)
        } ?? 0
    }

    private func appliedMigrations() throws(SQLiteError) -> [(version: Int, name: String)] {
        guard try hasTable("schema_version") else {
            let other = try first(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ) { row throws(SQLiteError) in try row.string(0) }
            if let other {
                throw SQLiteError(
                    code: .schemaIsForeign,
                    message:
                        "the file has a table \(other) but no schema_version: it belongs to something else")
            }
            try execute(
                "CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
            return []
        }
        return try all(
            "SELECT version, name FROM schema_version ORDER BY version"
        ) { row throws(SQLiteError) in
            (version: Int(try row.integer(0)), name: try row.string(1))
        }
    }

    private func hasTable(_ name: String) throws(SQLiteError) -> Bool {
        try first(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)]
        ) { _ throws(SQLiteError) in true } ?? false
    }
}
