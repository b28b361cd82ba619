internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// Adds or replaces rows of an export, keeping objectId, createdAt and updatedAt; one transaction.
    public func importInstallations(
        _ rows: [ImportedInstallation], app: Int64, now: Instant
    ) async throws(StoreError) -> [ChangeError?] {
        let read = rows.map { row -> Result<Installation, ChangeError> in
            do throws(ChangeError) {
                return .success(try row.installation(now: now))
            } catch {
                return .failure(error)
            }
        }
        return try await write { database in
            try read.map { result in
                switch result {
                case .failure(let error): return error
                case .success(let row): return try Self.take(row, app: app, database)
                }
            }
        }
    }

    /// Stores one row of an export: over the one with its objectId, and instead of an older one with its token.
    private static func take(
        _ imported: Installation, app: Int64, _ database: Database
    ) throws(SQLiteError) -> ChangeError? {
        // Most rows of an export are new.
        if try InstallationRow.insert(imported, app: app, database) != nil { return nil }
        var row = imported
        if let token = row.deviceToken,
            let other = try rows("device_token", token, app: app, database).first,
            other.objectID != row.objectID
        {
            guard other.updatedAt <= row.updatedAt else {
                return ChangeError(
                    code: 137, "deviceToken: a row that was saved later, \(other.objectID), has it")
            }
            try InstallationRow.delete(other, app: app, database)
        }
        if let old = try rows("object_id", row.objectID, app: app, database).first {
            // The app saved it here after the export was made.
            guard old.updatedAt <= row.updatedAt else {
                return ChangeError(code: 137, "objectId: the row was saved later than this one")
            }
            row.number = old.number
            row.zoneChangedAt = old.zoneChangedAt
            row.environment = row.environment ?? old.environment
            try InstallationRow.update(row, from: old, app: app, database)
        } else {
            guard try InstallationRow.insert(row, app: app, database) != nil else {
                return ChangeError(code: 137, "objectId: another row has it")
            }
        }
        return nil
    }
}

extension SQLiteStore: ImportStore {
    /// How far the import of a file into an app has come; nil when it never began.
    public func importProgress(file: String, app: Int64) async throws(StoreError) -> ImportProgress? {
        try await read { database in
            try database.first(
                "SELECT row_count, stored_count, skipped FROM imports WHERE app = ? AND file = ?",
                [.integer(app), .text(file)]
            ) { row throws(SQLiteError) in
                ImportProgress(
                    rowCount: Int(try row.integer(0)), storedCount: Int(try row.integer(1)),
                    skipped: try row.string(2))
            }
        }
    }

    /// Stores how far it has come.
    public func storeImportProgress(
        _ progress: ImportProgress, file: String, app: Int64, now: Instant
    ) async throws(StoreError) {
        try await write { database in
            try database.execute(
                """
                INSERT INTO imports (app, file, row_count, stored_count, skipped, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (app, file) DO UPDATE SET row_count = excluded.row_count,
                    stored_count = excluded.stored_count, skipped = excluded.skipped,
                    updated_at = excluded.updated_at
                """,
                [
                    .integer(app), .text(file), Value(progress.rowCount), Value(progress.storedCount),
                    .text(progress.skipped), .integer(now.millisecondsSince1970),
                ])
        }
    }
}
