internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore: EventStore {
    /// Less than this is no interest any more: what one article read 130 days ago has left.
    static let faintestInterest = 0.0016

    /// Counts events, raises interests and marks articles as seen; one transaction.
    public func recordEvents(
        _ events: [BehaviourEvent], app: Int64, now: Instant
    ) async throws(StoreError) -> [Bool] {
        try await write { database in
            try events.map { try Self.record($0, app: app, in: database) }
        }
    }

    /// The latest events of an installation, newest first.
    public func recentEvents(
        objectID: String, limit: Int, app: Int64
    ) async throws(StoreError) -> [RecentEvent] {
        try await read { database in
            try database.all(
                """
                SELECT event.name, event.article, event.properties, event.at FROM installations AS i
                JOIN recent_events AS event ON event.installation = i.number
                WHERE i.app = ? AND i.object_id = ? ORDER BY event.at DESC, event.number DESC LIMIT ?
                """, [Value(app), .text(objectID), Value(max(0, limit))]
            ) { row throws(SQLiteError) in
                var properties: [String: JSONValue] = [:]
                if case .object(let members)? = try? JSONValue(parsing: try row.string(2)) {
                    properties = members
                }
                return RecentEvent(
                    name: try row.string(0), article: try row.optionalString(1), properties: properties,
                    at: Instant(millisecondsSince1970: try row.integer(3)))
            }
        }
    }

    /// The interests of an installation that are still felt, strongest first.
    public func interests(
        objectID: String, app: Int64, now: Instant
    ) async throws(StoreError) -> [(tag: String, value: Double)] {
        let scale = InterestScale()
        let faintest = scale.score(ofValue: Self.faintestInterest, at: now)
        return try await read { database in
            try database.all(
                """
                SELECT interest.tag, interest.score FROM installations AS i
                JOIN installation_interests AS interest ON interest.installation = i.number
                WHERE i.app = ? AND i.object_id = ? AND interest.score >= ? ORDER BY interest.score DESC
                """,
                [Value(app), .text(objectID), .real(faintest)]
            ) { row throws(SQLiteError) in
                (tag: try row.string(0), value: scale.value(ofScore: try row.real(1), at: now))
            }
        }
    }

    /// The tags installations are interested in, with how many are.
    public func interestCounts(
        atLeast value: Double, limit: Int, app: Int64, now: Instant
    ) async throws(StoreError) -> [(tag: String, installationCount: Int)] {
        let least = InterestScale().score(ofValue: value, at: now)
        return try await read { database in
            try database.all(
                """
                SELECT tag, count(*) AS found FROM installation_interests WHERE app = ? AND score >= ?
                GROUP BY tag ORDER BY found DESC, tag LIMIT ?
                """,
                [Value(app), .real(least), Value(limit)]
            ) { row throws(SQLiteError) in
                (tag: try row.string(0), installationCount: Int(try row.integer(1)))
            }
        }
    }

    /// How often events were reported since a day, newest day first.
    public func eventCounts(since day: CivilDate, app: Int64) async throws(StoreError) -> [EventCount] {
        try await read { database in
            try database.all(
                "SELECT day, name, count FROM event_counts WHERE app = ? AND day >= ? ORDER BY day DESC, name",
                [Value(app), Value(day.daysSince1970)]
            ) { row throws(SQLiteError) in
                EventCount(
                    day: CivilDate(daysSince1970: Int(try row.integer(0))), name: try row.string(1),
                    count: Int(try row.integer(2)))
            }
        }
    }

    /// Forgets interests that have faded and articles seen before a time.
    public func removeFadedInterests(
        seenBefore: Instant, now: Instant, limit: Int
    ) async throws(StoreError) -> Int {
        let faintest = InterestScale().score(ofValue: Self.faintestInterest, at: now)
        // Finding them scans the table: on a reader, so that nobody waits for it.
        let faded = try await read { database in
            try database.all(
                "SELECT app, tag, installation FROM installation_interests WHERE score < ? LIMIT ?",
                [.real(faintest), Value(limit)]
            ) { row throws(SQLiteError) in
                (app: try row.integer(0), tag: try row.string(1), installation: try row.integer(2))
            }
        }
        return try await write { database in
            var count = 0
            for interest in faded {
                count += try database.execute(
                    """
                    DELETE FROM installation_interests
                    WHERE app = ? AND tag = ? AND installation = ? AND score < ?
                    """,
                    [
                        .integer(interest.app), .text(interest.tag), .integer(interest.installation),
                        .real(faintest),
                    ])
            }
            let oldest = now.advanced(bySeconds: -RecentEvent.dayCountMax * 86_400)
            count += try database.execute(
                "DELETE FROM recent_events WHERE number IN (SELECT number FROM recent_events WHERE at < ? LIMIT ?)",
                [Value(oldest.millisecondsSince1970), Value(limit)])
            return count
                + (try database.execute(
                    """
                    DELETE FROM seen_articles WHERE (installation, article) IN (
                        SELECT installation, article FROM seen_articles WHERE at < ? LIMIT ?)
                    """, [Value(seenBefore.millisecondsSince1970), Value(limit)]))
        }
    }

    /// Records one event; false when no installation reports it.
    private static func record(
        _ event: BehaviourEvent, app: Int64, in database: Database
    ) throws(SQLiteError) -> Bool {
        guard let installation = try installation(event.source, app: app, in: database) else { return false }
        if event.name == BehaviourEvent.receiptName {
            return try receive(event, installation: installation, app: app, in: database)
        }
        let scale = InterestScale()
        for (tag, weight) in event.tags {
            let key: [Value] = [Value(app), .text(tag), Value(installation)]
            let before = try database.first(
                "SELECT score FROM installation_interests WHERE app = ? AND tag = ? AND installation = ?", key
            ) { row throws(SQLiteError) in try row.real(0) }
            let score = scale.score(adding: weight, to: before, at: event.at)
            try database.execute(
                """
                INSERT INTO installation_interests (app, tag, installation, score) VALUES (?, ?, ?, ?)
                ON CONFLICT (app, tag, installation) DO UPDATE SET score = excluded.score
                """, key + [.real(score)])
        }
        if let article = event.article {
            try see(article, installation: installation, at: event.at, in: database)
        }
        try keep(event, installation: installation, in: database)
        try count(event, app: app, in: database)
        return true
    }

    private static func count(
        _ event: BehaviourEvent, app: Int64, in database: Database
    ) throws(SQLiteError) {
        try database.execute(
            """
            INSERT INTO event_counts (app, day, name, count) VALUES (?, ?, ?, 1)
            ON CONFLICT (app, day, name) DO UPDATE SET count = count + 1
            """,
            [Value(app), Value(event.at.secondsSince1970 / 86_400), .text(event.name)])
    }

    /// Keeps that a push arrived; false when there is no such push.
    private static func receive(
        _ event: BehaviourEvent, installation: Int64, app: Int64, in database: Database
    ) throws(SQLiteError) -> Bool {
        guard let push = event.article, let record = try recordNumber(id: push, app: app, database) else {
            return false
        }
        let added = try database.execute(
            """
            INSERT OR IGNORE INTO receipts (record, installation, at)
            SELECT ?, object_id, ? FROM installations WHERE number = ?
            """, [Value(record), Value(event.at.millisecondsSince1970), Value(installation)])
        if added > 0 { try count(event, app: app, in: database) }
        return true
    }

    /// Keeps the event itself, instead of the oldest of its installation where those are many.
    private static func keep(
        _ event: BehaviourEvent, installation: Int64, in database: Database
    ) throws(SQLiteError) {
        let properties = (try? JSONValue.object(event.properties).encoded()) ?? Array("{}".utf8)
        try database.execute(
            "INSERT INTO recent_events (installation, at, name, article, properties) VALUES (?, ?, ?, ?, ?)",
            [
                Value(installation), Value(event.at.millisecondsSince1970), .text(event.name),
                Value(event.article), .text(String(decoding: properties, as: UTF8.self)),
            ])
        try database.execute(
            """
            DELETE FROM recent_events WHERE number IN (
                SELECT number FROM recent_events WHERE installation = ?
                ORDER BY at DESC, number DESC LIMIT -1 OFFSET ?)
            """, [Value(installation), Value(RecentEvent.countMaxPerInstallation)])
    }

    /// Keeps an article from being offered to an installation again.
    static func see(
        _ article: String, installation: Int64, at: Instant, in database: Database
    ) throws(SQLiteError) {
        try database.execute(
            """
            INSERT INTO seen_articles (installation, article, at) VALUES (?, ?, ?)
            ON CONFLICT (installation, article) DO UPDATE SET at = max(at, excluded.at)
            """, [Value(installation), .text(article), Value(at.millisecondsSince1970)])
    }

    private static func installation(
        _ source: BehaviourEvent.Source, app: Int64, in database: Database
    ) throws(SQLiteError) -> Int64? {
        let (sql, id) =
            switch source {
            case .objectID(let id):
                ("SELECT number FROM installations WHERE app = ? AND object_id = ?", id)
            case .installationID(let id):
                ("SELECT number FROM installations WHERE app = ? AND installation_id = ?", id)
            case .deviceToken(let token):
                ("SELECT number FROM installations WHERE app = ? AND device_token = ?", token)
            }
        return try database.first(sql, [Value(app), .text(id)]) { row throws(SQLiteError) in
            try row.integer(0)
        }
    }
}
