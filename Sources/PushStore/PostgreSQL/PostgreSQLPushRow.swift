internal import APNs
internal import PostgreSQL
internal import Recurrence

/// Columns of the tables `pushes` and `records`, and the value they are read into.
enum PostgreSQLPushRow {
    private static let select = """
        SELECT p.number, p.app, p.object_id, r.object_id, p.request, p.state, p.error, p.created_at, p.due_at, \
        p.expires_at, p.ended_at, p.notes FROM pushes AS p JOIN records AS r ON r.number = p.record WHERE
        """

    private static func read(_ row: Row) throws -> Push {
        guard let state = Push.State(rawValue: try row.string(5)) else {
            throw StoreError(.database, "a stored push is in no known state")
        }
        guard let json = try? JSONValue(parsing: try row.string(4)) else {
            throw StoreError(.database, "the request of a stored push is no JSON")
        }
        return Push(
            number: try row.integer(0), app: try row.integer(1), objectID: try row.string(2),
            recordID: try row.string(3), request: try PushRequest(json: json), state: state,
            error: try row.optionalString(6), notes: try row.optionalString(11),
            createdAt: Instant(millisecondsSince1970: try row.integer(7)),
            dueAt: Instant(millisecondsSince1970: try row.integer(8)),
            expiresAt: try row.optionalInteger(9).map(Instant.init(millisecondsSince1970:)),
            endedAt: try row.optionalInteger(10).map(Instant.init(millisecondsSince1970:)))
    }

    /// The pushes a condition finds.
    ///
    /// - Parameter condition: written in the source; what stands after WHERE.
    static func all(_ session: Session, where condition: String, _ values: [Value]) throws -> [Push] {
        try session.query("\(select) \(condition)", values).map { row in
            do {
                return try read(row)
            } catch let error as PostgreSQLError {
                throw error
            } catch {
                throw StoreError(.database, (error as? StoreError)?.message ?? "\(error)")
            }
        }
    }

    /// The push with a number, of which a damaged row is no error.
    static func readable(_ session: Session, number: Int64) throws -> PushRow.Reading {
        do {
            return .pushes(try all(session, where: "p.number = $1", [.integer(number)]))
        } catch let error as StoreError where error.code == .database {
            return .unreadable
        }
    }
}
