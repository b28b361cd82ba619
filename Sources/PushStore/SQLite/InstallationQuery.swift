internal import APNs
internal import Recurrence
internal import SQLite

/// The SQL of a query for installations; texts from outside are values, never SQL.
struct InstallationQuery: Sendable {
    /// The parts of the condition.
    let parts: SQLiteWhere
    /// What follows `ORDER BY`.
    private(set) var order: SQLFragment

    /// The most keys a list is sorted by.
    static let orderCountMax = 8

    init(_ filter: WhereClause?, app: Int64, now: Instant, purpose: SQLiteWhere.Purpose = .whole) {
        parts = SQLiteWhere(filter, app: app, now: now, purpose: purpose)
        // The nearest come first where a place is asked for; otherwise the oldest.
        order = parts.distance ?? SQLFragment("i.number")
    }

    /// The query with an order.
    func ordered(by keys: [InstallationFind.Order]) throws(StoreError) -> InstallationQuery {
        guard !keys.isEmpty else { return self }
        guard keys.count <= Self.orderCountMax else {
            throw StoreError(
                .invalid, "order: \(keys.count) keys were found, \(Self.orderCountMax) are allowed")
        }
        var query = self
        query.order = SQLFragment()
        for key in keys {
            do {
                query.order.append(try SQLiteWhere.order(by: key.key))
            } catch {
                throw StoreError(.invalid, "order: \(error.message)")
            }
            query.order.append(key.isDescending ? " DESC, " : " ASC, ")
        }
        query.order.append("i.number")
        return query
    }

    /// A statement that selects something of the rows, with the values of what stands before the order.
    func statement(selecting columns: String) -> (sql: String, values: [Value]) {
        (
            "SELECT \(columns) FROM \(parts.source.sql) WHERE \(parts.condition.sql)",
            parts.source.values + parts.condition.values
        )
    }
}
