internal import APNs
internal import Recurrence
internal import SQLite

/// The SQL that finds the installations of a push.
struct PushAudience: Sendable {
    private let parts: SQLiteWhere
    private let condition: SQLFragment

    /// The row's number, to be compared and sorted by.
    var number: String { parts.number }

    /// Values of the placeholders in ``select(_:)``, in their order.
    var values: [Value] { parts.source.values + condition.values }

    /// Makes the SQL.
    init(_ request: PushRequest, app: App, now: Instant, purpose: SQLiteWhere.Purpose) {
        var clause = request.filter
        var channels = request.channels
        if clause == nil, let names = channels, names.count == 1,
            let only = try? WhereClause(["channels": .string(names[0])])
        {
            // Walks the channel's members instead of everybody.
            clause = only
            channels = nil
        }
        parts = SQLiteWhere(clause, app: app.number, now: now, purpose: purpose)
        var condition = parts.condition
        if let channels {
            condition.append(
                """
                 AND EXISTS (SELECT 1 FROM installation_channels AS c
                WHERE c.app = ? AND c.installation = i.number AND c.channel IN (
                """, [.integer(app.number)])
            for (index, channel) in channels.enumerated() {
                condition.append(index == 0 ? "?" : ", ?", [.text(channel)])
            }
            condition.append("))")
        }
        // LeanCloud: what was not saved for 90 days is no target; `valid` is the device's own switch.
        condition.append(
            """
             AND i.valid = 1 AND i.device_token IS NOT NULL
            AND (i.device_type IS NULL OR i.device_type IN ('ios', 'macos', 'tvos', 'watchos'))
            AND i.updated_at >= ?
            """,
            [
                .integer(
                    now.advanced(bySeconds: -86_400 * Int64(app.settings.installationDays))
                        .millisecondsSince1970)
            ])
        if let environment = request.environment {
            condition.append(
                " AND i.environment IN (0, ?)", [.integer(InstallationRow.number(environment))])
        }
        if request.isTest {
            condition.append(" AND json_extract(i.attributes, '$.test') = 1")
        }
        self.condition = condition
    }

    /// A query for numbers and more; conditions can follow it.
    ///
    /// - Parameter columns: written in the source.
    func select(_ columns: String) -> String {
        "SELECT \(number), \(columns) FROM \(parts.source.sql) WHERE \(condition.sql)"
    }

    /// A query that does not ask for the number.
    func selectOnly(_ columns: String) -> String {
        "SELECT \(columns) FROM \(parts.source.sql) WHERE \(condition.sql)"
    }
}
