internal import APNs
internal import PostgreSQL
internal import Recurrence

/// The SQL that finds the installations of a push.
struct PostgreSQLAudience: Sendable {
    let query: PostgreSQLWhere

    /// Makes the SQL.
    init(_ request: PushRequest, app: App, now: Instant, purpose: PostgreSQLWhere.Purpose) {
        var clause = request.filter
        var channels = request.channels
        if clause == nil, let names = channels, names.count == 1,
            let only = try? WhereClause(["channels": .string(names[0])])
        {
            // Walks the channel's members instead of everybody.
            clause = only
            channels = nil
        }
        var query = PostgreSQLWhere(clause, app: app.number, now: now, purpose: purpose)
        if let channels { query.condition.append(" AND i.channels && ?", [.texts(channels)]) }
        // LeanCloud: what was not saved for 90 days is no target; `valid` is the device's own switch.
        query.condition.append(
            """
             AND i.valid AND i.device_token IS NOT NULL
            AND (i.device_type IS NULL OR i.device_type IN ('ios', 'macos', 'tvos', 'watchos'))
            AND i.updated_at >= ?
            """,
            [
                .integer(
                    now.advanced(bySeconds: -86_400 * Int64(app.settings.installationDays))
                        .millisecondsSince1970)
            ])
        if let environment = request.environment {
            query.condition.append(
                " AND i.environment IN (0, ?)", [.integer(InstallationRow.number(environment))])
        }
        if request.isTest { query.condition.append(" AND i.attributes -> 'test' = 'true'::jsonb") }
        self.query = query
    }

    /// A query for some of the columns; conditions can follow it.
    func select(_ columns: StaticString) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment("SELECT ")
        sql.append(columns)
        sql.append(" FROM ")
        sql.append(query.source)
        sql.append(" WHERE ")
        sql.append(query.condition)
        return sql
    }
}
