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
    /// - Parameters:
    ///   - migrations: Every step ever released, numbered from 1 without gaps.
    ///   - isUpgradeAllowed: Whether a schema that has steps may get more; an empty one always may.
    /// - Returns: The versions that were applied now; empty when nothing was missing.
    /// - Throws: `schemaIsNewer` for a database that a newer program made and that this one cannot work with,
    ///   `schemaIsOlder` for one that lacks steps and may get none,
    ///   `migrationFailed` for a list that does not fit itself or the database.
    @discardableResult
    public func migrate(
        _ migrations: [Migration], isUpgradeAllowed: Bool = true
    ) throws(PostgreSQLError) -> [Int] {
        guard migrations.map(\.version) == Array(1..<migrations.count + 1) else {
            throw PostgreSQLError(
                code: .migrationFailed,
                message: "found versions \(migrations.map(\.version)), allowed: 1, 2, 3… without gaps")
        }
        do {
            // Most of the time nothing is missing, and nobody has to wait for that.
            if let applied = try appliedMigrations() {
                if try missing(migrations, applied).isEmpty { return [] }
                if let last = applied.last, !isUpgradeAllowed {
                    throw PostgreSQLError(
                        code: .schemaIsOlder,
                        message:
                            "the database has schema version \(last.version) (\(last.name)), this program works "
                            + "with \(migrations.count): start a service of this version first, which brings it there, "
                            + "or use the program of the version that runs")
                }
            }
            return try transaction { try applyMissing(migrations) }
        } catch let error as PostgreSQLError {
            throw error
        } catch {
            throw PostgreSQLError(code: .other, message: "\(error)")
        }
    }

    private func applyMissing(_ migrations: [Migration]) throws -> [Int] {
        // However long the other one takes: it may be rewriting a large table.
        try executeScript("SET LOCAL lock_timeout = 0")
        try query(
            "SELECT pg_advisory_xact_lock(hashtextextended(coalesce(current_schema(), ''), $1))",
            [.integer(Self.migrationLock)])
        try executeScript(
            """
            CREATE TABLE IF NOT EXISTS schema_version (
                version BIGINT PRIMARY KEY, name TEXT NOT NULL, compatible_version BIGINT NOT NULL)
            """)
        let missing = try missing(migrations, try appliedMigrations() ?? [])
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

    private struct Applied {
        var version: Int
        var name: String
        var compatibleVersion: Int
    }

    /// The steps the schema has; nil when it never had any.
    private func appliedMigrations() throws(PostgreSQLError) -> [Applied]? {
        guard try !query("SELECT to_regclass('schema_version')::text")[0].isNull(0) else { return nil }
        return try query("SELECT version, name, compatible_version FROM schema_version ORDER BY version").map
        {
            row throws(PostgreSQLError) in
            Applied(
                version: Int(try row.integer(0)), name: try row.string(1),
                compatibleVersion: Int(try row.integer(2)))
        }
    }

    /// The steps the schema lacks.
    private func missing(
        _ migrations: [Migration], _ applied: [Applied]
    ) throws(PostgreSQLError) -> [Migration] {
        for (known, found) in zip(migrations, applied)
        where known.version != found.version || known.name != found.name {
            throw PostgreSQLError(
                code: .migrationFailed,
                message: "the database has step \(found.version) (\(found.name)), "
                    + "the program has step \(known.version) (\(known.name))")
        }
        if let last = applied.last, last.version > migrations.count {
            let needed = applied.map(\.compatibleVersion).max() ?? 0
            guard needed <= migrations.count else {
                throw PostgreSQLError(
                    code: .schemaIsNewer,
                    message:
                        "the database has schema version \(last.version) (\(last.name)) and needs a program "
                        + "that knows version \(needed), this one knows up to \(migrations.count)")
            }
        }
        return Array(migrations.dropFirst(applied.count))
    }
}
