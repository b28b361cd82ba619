internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
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
        return try await write { session in
            var keys: [InstallationChanges.Key] = []
            for case .success(let row) in read {
                keys.append(.init(app: app, kind: 0, text: row.objectID))
                if let token = row.deviceToken { keys.append(.init(app: app, kind: 1, text: token)) }
            }
            var overlay = try InstallationOverlay(keys: keys, installationIDs: [], session)
            let errors = read.map { result -> ChangeError? in
                switch result {
                case .failure(let error): error
                case .success(let row): Self.take(row, app: app, &overlay)
                }
            }
            _ = try overlay.finish(session)
            return errors
        }
    }

    /// Stores one row of an export: over the one with its objectId, and instead of an older one with its token.
    private static func take(
        _ imported: Installation, app: Int64, _ overlay: inout InstallationOverlay
    ) -> ChangeError? {
        var row = imported
        let old = overlay.row(0, row.objectID, app: app)
        let other = overlay.row(1, row.deviceToken, app: app).flatMap {
            $0.objectID == row.objectID ? nil : $0
        }
        if let other, other.updatedAt > row.updatedAt {
            return ChangeError(
                code: 137, "deviceToken: a row that was saved later, \(other.objectID), has it")
        }
        if let old {
            // The app saved it here after the export was made.
            guard old.updatedAt <= row.updatedAt else {
                return ChangeError(code: 137, "objectId: the row was saved later than this one")
            }
            row.number = old.number
            row.zoneChangedAt = old.zoneChangedAt
            row.environment = row.environment ?? old.environment
        }
        if let other { overlay.delete(other, app: app) }
        if old == nil { _ = overlay.insert(row, app: app) } else { overlay.update(row, app: app) }
        return nil
    }
}

extension PostgreSQLStore: ImportStore {
    /// How far the import of a file into an app has come; nil when it never began.
    public func importProgress(file: String, app: Int64) async throws(StoreError) -> ImportProgress? {
        try await read { session in
            try session.query(
                "SELECT row_count, stored_count, skipped FROM imports WHERE app = $1 AND file = $2",
                [.integer(app), .text(file)]
            ).first.map {
                ImportProgress(
                    rowCount: Int(try $0.integer(0)), storedCount: Int(try $0.integer(1)),
                    skipped: try $0.string(2))
            }
        }
    }

    /// Stores how far it has come.
    public func storeImportProgress(
        _ progress: ImportProgress, file: String, app: Int64, now: Instant
    ) async throws(StoreError) {
        try await write { session in
            try session.execute(
                """
                INSERT INTO imports (app, file, row_count, stored_count, updated_at, skipped)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (app, file) DO UPDATE SET row_count = excluded.row_count,
                    stored_count = excluded.stored_count, updated_at = excluded.updated_at,
                    skipped = excluded.skipped
                """,
                [
                    .integer(app), .text(file), .integer(progress.rowCount), .integer(progress.storedCount),
                    .integer(now.millisecondsSince1970), .text(progress.skipped),
                ])
        }
    }
}
