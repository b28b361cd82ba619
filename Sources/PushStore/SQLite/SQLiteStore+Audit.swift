internal import Recurrence
internal import SQLite

extension SQLiteStore: AuditStore {
    /// Adds an entry.
    public func recordAudit(_ entry: AuditEntry) async throws(StoreError) {
        try await write { database in
            try database.execute(
                "INSERT INTO audit_log (at, app, actor, action, detail) VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(entry.at.millisecondsSince1970), Value(entry.app), .text(entry.actor),
                    .text(entry.action), .text(entry.detail),
                ])
        }
    }

    /// The newest entries first.
    public func auditLog(app: Int64?, limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await read { database in
            try database.all(
                """
                SELECT at, app, actor, action, detail FROM audit_log WHERE ?1 IS NULL OR app = ?1
                ORDER BY number DESC LIMIT ?2
                """, [Value(app), Value(limit)]
            ) { row throws(SQLiteError) in
                AuditEntry(
                    at: Instant(millisecondsSince1970: try row.integer(0)), app: try row.optionalInteger(1),
                    actor: try row.string(2), action: try row.string(3), detail: try row.string(4))
            }
        }
    }
}
