import APNs
import PushStore
import Recurrence
import SQLite

/// The installations' tables in a database of its own, filled with objects as the REST API shows them.
final class WhereTable {
    static let now = Instant(secondsSince1970: 1_790_000_000)
    static let app: Int64 = 7

    let database: Database
    private var count: Int64 = 0

    init(path: String = ":memory:") throws {
        database = try Database(path: path)
        try SQLiteFunctions.register(on: database)
        try database.executeScript(WhereTable.schema)
    }

    /// Stores an object, and a row of another app that is the same but for its objectId; gives its number.
    @discardableResult
    func insert(_ object: [String: JSONValue], objectID: String? = nil) throws -> Int64 {
        count += 2
        try insert(object, number: count, app: WhereTable.app)
        try insert(object, number: count + 1, app: WhereTable.app + 1)
        return count
    }

    private func insert(_ object: [String: JSONValue], number: Int64, app: Int64) throws {
        var attributes = object
        func text(_ key: String) -> Value {
            if case .string(let text)? = attributes.removeValue(forKey: key) { .text(text) } else { .null }
        }
        func milliseconds(_ key: String) -> Value {
            guard case .string(let text)? = attributes.removeValue(forKey: key) else { return 0 }
            return .integer(Instant(iso8601: text)?.millisecondsSince1970 ?? 0)
        }
        var values: [Value] = [.integer(number), .integer(app)]
        values.append(text("objectId"))
        for key in [
            "deviceType", "deviceToken", "installationId", "apnsTopic", "apnsTeamId", "deviceProfile",
            "timeZone",
        ] {
            values.append(text(key))
        }
        if case .integer(let badge)? = attributes.removeValue(forKey: "badge") {
            values.append(.integer(badge))
        } else {
            values.append(0)
        }
        values.append(Value(attributes.removeValue(forKey: "valid") != false))
        let environment = attributes.removeValue(forKey: "environment")
        values.append(environment == "production" ? 1 : environment == "sandbox" ? 2 : 0)
        values += [milliseconds("createdAt"), milliseconds("updatedAt")]
        let channels = attributes.removeValue(forKey: "channels") ?? []
        let interests = attributes.removeValue(forKey: "interests")
        values.append(.text(String(decoding: try channels.encoded(), as: UTF8.self)))
        values.append(.text(String(decoding: try JSONValue.object(attributes).encoded(), as: UTF8.self)))
        try database.execute(
            """
            INSERT INTO installations (number, app, object_id, device_type, device_token, installation_id, \
            apns_topic, apns_team_id, device_profile, time_zone, badge, valid, environment, created_at, updated_at, \
            channels, attributes) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """, values)
        if case .array(let names) = channels {
            for case .string(let name) in names {
                try database.execute(
                    "INSERT INTO installation_channels VALUES (?, ?, ?)",
                    [.integer(app), .text(name), .integer(number)])
            }
        }
        if case .object(let tags)? = interests {
            for case (let tag, .number(let value)) in tags {
                let score = InterestScale().score(ofValue: value, at: WhereTable.now)
                try database.execute(
                    "INSERT INTO installation_interests VALUES (?, ?, ?, ?)",
                    [.integer(app), .text(tag), .integer(number), .real(score)])
            }
        }
    }

    /// The numbers of the rows a clause matches, in the order of their numbers.
    func numbers(_ clause: WhereClause?, purpose: SQLiteWhere.Purpose = .whole) throws -> [Int64] {
        let sql = SQLiteWhere(clause, app: WhereTable.app, now: WhereTable.now, purpose: purpose)
        return try database.all(
            "SELECT i.number FROM \(sql.source.sql) WHERE \(sql.condition.sql) ORDER BY \(sql.number)",
            sql.source.values + sql.condition.values
        ) { row throws(SQLiteError) in try row.integer(0) }
    }

    /// How SQLite would run a count, one step a line.
    func plan(_ clause: WhereClause, purpose: SQLiteWhere.Purpose = .whole) throws -> String {
        let sql = SQLiteWhere(clause, app: WhereTable.app, now: WhereTable.now, purpose: purpose)
        return try database.all(
            "EXPLAIN QUERY PLAN SELECT count(*) FROM \(sql.source.sql) WHERE \(sql.condition.sql)",
            sql.source.values + sql.condition.values
        ) { row throws(SQLiteError) in try row.string(3) }.joined(separator: "\n")
    }

    static let schema = """
        CREATE TABLE installations (
            number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, object_id TEXT, device_type TEXT,
            device_token TEXT, installation_id TEXT, apns_topic TEXT, apns_team_id TEXT, device_profile TEXT,
            time_zone TEXT, locale TEXT, badge INTEGER NOT NULL DEFAULT 0, valid INTEGER NOT NULL DEFAULT 1,
            environment INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
            token_registered_at INTEGER, zone_changed_at INTEGER, channels TEXT NOT NULL, attributes TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX installations_object_id ON installations (app, object_id);
        CREATE INDEX installations_device_token ON installations (app, device_token);
        CREATE INDEX installations_installation_id ON installations (app, installation_id);
        CREATE TABLE installation_channels (
            app INTEGER NOT NULL, channel TEXT NOT NULL, installation INTEGER NOT NULL,
            PRIMARY KEY (app, channel, installation)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE installation_interests (
            app INTEGER NOT NULL, tag TEXT NOT NULL, installation INTEGER NOT NULL, score REAL NOT NULL,
            PRIMARY KEY (app, tag, installation)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX installation_interests_score ON installation_interests (app, tag, score, installation);
        """
}
