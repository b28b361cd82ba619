/// One numbered step of a database's schema, applied once and never changed after a release.
///
/// During a rolling upgrade programs of two versions work on one database. A step says which older programs can
/// work beside it, by the version of the schema they know.
public struct Migration: Sendable {
    /// The step's number: 1, 2, 3 and so on without gaps.
    public var version: Int
    /// A short name, stored in the database.
    public var name: String
    /// Programs that know the schema up to this version go on working once the step is done.
    public var compatibleVersion: Int
    /// The step's statements; run in a transaction.
    public var script: String

    /// Makes a step.
    ///
    /// - Parameter compatibleVersion: The oldest version of the schema whose programs can work beside this step;
    ///   nil when none can but those that know it.
    public init(version: Int, name: String, compatibleVersion: Int? = nil, script: String) {
        self.version = version
        self.name = name
        self.compatibleVersion = compatibleVersion ?? version
        self.script = script
    }
}

extension Session {
    /// The advisory lock under which schemas are changed.
    private static let migrationLock: Int64 = 0x6265_6c66_7279_0001

    /// Brings the schema at the front of the search path to the newest version; all missing steps in one transaction.
    ///
    /// Several processes may call this at once: they wait for each other.
    ///
    /// - Parameter migrations: Every step ever released, numbered from 1 without gaps.
    /// - Returns: The versions that were applied now; empty when nothing was missing.
    /// - Throws: `schemaIsNewer` for a database that a newer program made and that this one cannot work with,
    ///   `migrationFailed` for a list that does not fit itself or the database.
    @discardableResult
    public func migrate(_ migrations: [Migration]) throws(PostgreSQLError) -> [Int] {
        guard migrations.map(\.version) == Array(1..<migrations.count + 1) else {
            throw PostgreSQLError(
                code: .migrationFailed,
                message: "found versions \(migrations.map(\.version)), allowed: 1, 2, 3… without gaps")
        }
        do {
            return try transaction { try applyMissing(migrations) }
        } catch let error as PostgreSQLError {
            throw error
        } catch {
            throw PostgreSQLError(code: .other, message: "\(error)")
        }
    }

    private func applyMissing(_ migrations: [Migration]) throws -> [Int] {
        try lockInTransaction(Self.migrationLock)
        try executeScript(
            """
            CREATE TABLE IF NOT EXISTS schema_version (
                version BIGINT PRIMARY KEY, name TEXT NOT NULL, compatible_version BIGINT NOT NULL)
            """)
        let applied = try query(
            "SELECT version, name, compatible_version FROM schema_version ORDER BY version"
        ).map {
            (version: Int(try $0.integer(0)), name: try $0.string(1), compatible: Int(try $0.integer(2)))
        }
        for (known, found) in zip(migrations, applied)
        where known.version != found.version || known.name != found.name {
            throw PostgreSQLError(
                code: .migrationFailed,
                message: "the database has step \(found.version) (\(found.name)), "
                    + "the program has step \(known.version) (\(known.name))")
        }
        if let last = applied.last, last.version > migrations.count {
            let needed = applied.map(\.compatible).max() ?? 0
            guard needed <= migrations.count else {
                throw PostgreSQLError(
                    code: .schemaIsNewer,
                    message:
                        "the database has schema version \(last.version) (\(last.name)) and needs a program "
                        + "that knows version \(needed), this one knows up to \(migrations.count)")
            }
            return []
        }
        let missing = migrations.dropFirst(applied.count)
        for migration in missing {
            try executeScript(migration.script)
            try query(
                "INSERT INTO schema_version (version, name, compatible_version) VALUES ($1, $2, $3)",
                [
                    .integer(migration.version), .text(migration.name),
                    .integer(migration.compatibleVersion),
                ])
        }
        return missing.map(\.version)
    }
}
