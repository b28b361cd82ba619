public import Recurrence
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

    /// Removes entries older than their app keeps them.
    public func removeOldAudit(now: Instant, limit: Int) async throws(StoreError) -> Int {
        let days = Dictionary(try await apps().map { ($0.number, $0.settings.auditDays) }) { first, _ in first
        }
        // The apps by one step in the index each, those that are gone among them.
        let found = try await read { database in
            try database.all(
                """
                WITH RECURSIVE seen (app) AS (
                    SELECT min(app) FROM audit_log
                    UNION ALL
                    SELECT (SELECT min(app) FROM audit_log WHERE app > seen.app) FROM seen
                        WHERE seen.app IS NOT NULL)
                SELECT app FROM seen WHERE app IS NOT NULL UNION ALL SELECT NULL
                """
            ) { row throws(SQLiteError) in try row.optionalInteger(0) }
        }
        var count = 0
        for app in found where count < limit {
            let kept = Int64(app.flatMap { days[$0] } ?? AppSettings().auditDays)
            let cutoff = now.advanced(bySeconds: -86_400 * kept)
            let rest = limit - count
            count += try await write { database in
                try database.execute(
                    """
                    DELETE FROM audit_log WHERE number IN (
                        SELECT number FROM audit_log WHERE app IS ? AND at < ? LIMIT ?)
                    """, [Value(app), .integer(cutoff.millisecondsSince1970), Value(rest)])
            }
        }
        return count
    }
}
