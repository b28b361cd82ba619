internal import APNs
internal import Recurrence
internal import SQLite

/// Columns of the tables `pushes` and `records`, and the value they are read into.
enum PushRow {
    /// The columns in the order ``read(_:)`` wants them.
    static let columns = """
        p.number, p.app, p.object_id, r.object_id, p.request, p.state, p.error, p.created_at, p.due_at, \
        p.expires_at, p.ended_at, p.notes
        """
    static let tables = "pushes AS p JOIN records AS r ON r.number = p.record"

    /// Sets the column `notes` where the column `error` is written.
    ///
    /// Before there was a column for them, notes stood in `error`, and nodes of that release write them there still.
    /// A fault pauses its push, so what is found there on any other push is a note.
    static let keptNotes = """
        notes = CASE WHEN error IS NULL OR state = 'paused' THEN notes WHEN notes IS NULL THEN error
            ELSE notes || '; ' || error END
        """

    static func read(_ row: borrowing Row) throws -> Push {
        guard let state = Push.State(rawValue: try row.string(5)) else {
            throw StoreError(.database, "a stored push is in no known state")
        }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: try row.string(4))
        } catch {
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
    static func all(
        _ database: Database, where condition: String, _ values: [Value]
    ) throws -> [Push] {
        // A row is read whole before its JSON is looked at, since a query throws errors of SQLite alone.
        let found = try database.all(
            "SELECT \(columns) FROM \(tables) WHERE \(condition)", values
        ) { row throws(SQLiteError) -> Result<Push, StoreError> in
            do {
                return .success(try read(row))
            } catch let error as SQLiteError {
                throw error
            } catch {
                return .failure(StoreError(.database, (error as? StoreError)?.message ?? "\(error)"))
            }
        }
        return try found.map { try $0.get() }
    }

    /// A push that can be read or not.
    enum Reading {
        case pushes([Push])
        case unreadable
    }

    /// The push with a number, of which a damaged row is no error.
    static func readable(_ database: Database, number: Int64) throws -> Reading {
        do {
            return .pushes(try all(database, where: "p.number = ?", [.integer(number)]))
        } catch let error as StoreError where error.code == .database {
            return .unreadable
        }
    }

    /// A request as text for its column.
    static func text(_ request: PushRequest) throws -> String {
        do {
            return String(decoding: try request.json.encoded(), as: UTF8.self)
        } catch {
            throw StoreError(.invalid, "the push: \(error.message)")
        }
    }
}
