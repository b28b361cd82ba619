internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore: AuditStore {
    /// Adds an entry.
    public func recordAudit(_ entry: AuditEntry) async throws(StoreError) {
        try await write { session in
            try session.execute(
                "INSERT INTO audit_log (at, app, actor, action, detail) VALUES ($1, $2, $3, $4, $5)",
                [
                    .integer(entry.at.millisecondsSince1970), .integer(entry.app), .text(entry.actor),
                    .text(entry.action), .text(entry.detail),
                ])
        }
    }

    /// The newest entries first.
    public func auditLog(app: Int64?, limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await read { session in
            try session.query(
                """
                SELECT at, app, actor, action, detail FROM audit_log WHERE $1 IS NULL OR app = $1
                ORDER BY number DESC LIMIT $2
                """, [.integer(app), .integer(limit)]
            ).map {
                AuditEntry(
                    at: Instant(millisecondsSince1970: try $0.integer(0)), app: try $0.optionalInteger(1),
                    actor: try $0.string(2), action: try $0.string(3), detail: try $0.string(4))
            }
        }
    }

    /// Removes entries older than their app keeps them; on one node at a time.
    public func removeOldAudit(now: Instant, limit: Int) async throws(StoreError) -> Int {
        guard try await hasLease() else { return 0 }
        let days = Dictionary(try await apps().map { ($0.number, $0.settings.auditDays) }) { first, _ in first
        }
        // The apps by one step in the index each, those that are gone among them.
        let found = try await read { session in
            try session.query(
                """
                WITH RECURSIVE seen (app) AS (
                    SELECT min(app) FROM audit_log
                    UNION ALL
                    SELECT (SELECT min(app) FROM audit_log WHERE app > seen.app) FROM seen
                        WHERE seen.app IS NOT NULL)
                SELECT app FROM seen WHERE app IS NOT NULL UNION ALL SELECT NULL
                """
            ).map { try $0.optionalInteger(0) }
        }
        var count = 0
        for app in found where count < limit {
            let kept = Int64(app.flatMap { days[$0] } ?? AppSettings().auditDays)
            let cutoff = now.advanced(bySeconds: -86_400 * kept)
            let rest = limit - count
            // `IS NOT DISTINCT FROM` would not be looked up in the index.
            let condition = app == nil ? "app IS NULL AND $1::bigint IS NULL" : "app = $1"
            count += try await write { session in
                try session.execute(
                    """
                    DELETE FROM audit_log WHERE number IN (
                        SELECT number FROM audit_log WHERE \(condition) AND at < $2 LIMIT $3)
                    """, [.integer(app), .integer(cutoff.millisecondsSince1970), .integer(rest)])
            }
        }
        return count
    }
}
