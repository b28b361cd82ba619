internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore: EventStore {
    /// Counts events, raises interests and marks articles as seen; one transaction.
    public func recordEvents(
        _ events: [BehaviourEvent], app: Int64, now: Instant
    ) async throws(StoreError) -> [Bool] {
        try await write { session in
            try events.map { try Self.record($0, app: app, session) }
        }
    }

    /// The latest events of an installation, newest first.
    public func recentEvents(
        objectID: String, limit: Int, app: Int64
    ) async throws(StoreError) -> [RecentEvent] {
        try await read { session in
            try session.query(
                """
                SELECT e.name, e.article, e.properties, e.at FROM installation_keys AS k
                JOIN recent_events AS e ON e.installation = k.installation
                WHERE k.app = $1 AND k.kind = 0 AND k.key = $2 ORDER BY e.at DESC, e.number DESC LIMIT $3
                """, [.integer(app), .text(objectID), .integer(max(0, limit))]
            ).map { row in
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
        let faintest = scale.score(ofValue: SQLiteStore.faintestInterest, at: now)
        return try await read { session in
            try session.query(
                """
                SELECT s.tag, s.score FROM installation_keys AS k
                JOIN installation_interests AS s ON s.installation = k.installation
                WHERE k.app = $1 AND k.kind = 0 AND k.key = $2 AND s.score >= $3 ORDER BY s.score DESC
                """, [.integer(app), .text(objectID), .real(faintest)]
            ).map { (tag: try $0.string(0), value: scale.value(ofScore: try $0.real(1), at: now)) }
        }
    }

    /// The tags installations are interested in, with how many are.
    public func interestCounts(
        atLeast value: Double, limit: Int, app: Int64, now: Instant
    ) async throws(StoreError) -> [(tag: String, installationCount: Int)] {
        let least = InterestScale().score(ofValue: value, at: now)
        return try await read { session in
            try session.query(
                """
                SELECT tag, count(*) AS found FROM installation_interests WHERE app = $1 AND score >= $2
                GROUP BY tag ORDER BY found DESC, tag LIMIT $3
                """, [.integer(app), .real(least), .integer(limit)]
            ).map { (tag: try $0.string(0), installationCount: Int(try $0.integer(1))) }
        }
    }

    /// How often events were reported since a day, newest day first.
    public func eventCounts(since day: CivilDate, app: Int64) async throws(StoreError) -> [EventCount] {
        try await read { session in
            try session.query(
                """
                SELECT day, name, count FROM event_counts WHERE app = $1 AND day >= $2 ORDER BY day DESC, name
                """, [.integer(app), .integer(day.daysSince1970)]
            ).map {
                EventCount(
                    day: CivilDate(daysSince1970: Int(try $0.integer(0))), name: try $0.string(1),
                    count: Int(try $0.integer(2)))
            }
        }
    }

    /// Forgets interests that have faded and articles seen before a time.
    public func removeFadedInterests(
        seenBefore: Instant, now: Instant, limit: Int
    ) async throws(StoreError) -> Int {
        guard try await hasLease() else { return 0 }
        let faintest = InterestScale().score(ofValue: SQLiteStore.faintestInterest, at: now)
        let faded = try await read { session in
            try session.query(
                "SELECT installation, tag FROM installation_interests WHERE score < $1 LIMIT $2",
                [.real(faintest), .integer(limit)]
            ).map { (installation: try $0.integer(0), tag: try $0.string(1)) }
        }
        let seen = try await read { session in
            try session.query(
                "SELECT installation, article FROM seen_articles WHERE at < $1 LIMIT $2",
                [.integer(seenBefore.millisecondsSince1970), .integer(limit)]
            ).map { (installation: try $0.integer(0), article: try $0.string(1)) }
        }
        let oldest = now.advanced(bySeconds: -RecentEvent.dayCountMax * 86_400)
        return try await write { session in
            let events = try session.execute(
                """
                DELETE FROM recent_events AS e USING (
                    SELECT installation, number FROM recent_events WHERE at < $1 LIMIT $2) AS o
                WHERE e.installation = o.installation AND e.number = o.number
                """, [.integer(oldest.millisecondsSince1970), .integer(limit)])
            let interests = try session.execute(
                """
                DELETE FROM installation_interests AS s USING unnest($1, $2) AS f(installation, tag)
                WHERE s.installation = f.installation AND s.tag = f.tag AND s.score < $3
                """, [.integers(faded.map(\.installation)), .texts(faded.map(\.tag)), .real(faintest)])
            let articles = try session.execute(
                """
                DELETE FROM seen_articles AS s USING unnest($1, $2) AS f(installation, article)
                WHERE s.installation = f.installation AND s.article = f.article AND s.at < $3
                """,
                [
                    .integers(seen.map(\.installation)), .texts(seen.map(\.article)),
                    .integer(seenBefore.millisecondsSince1970),
                ])
            return interests + articles + events
        }
    }

    /// Records one event; false when no installation reports it.
    private static func record(_ event: BehaviourEvent, app: Int64, _ session: Session) throws -> Bool {
        // The row is locked, so that of two events at once the second sees what the first has added.
        guard let installation = try installation(event.source, app: app, session) else { return false }
        if event.name == BehaviourEvent.receiptName {
            return try receive(event, installation: installation, app: app, session)
        }
        let scale = InterestScale()
        let tags = event.tags.sorted { $0.key < $1.key }
        if !tags.isEmpty {
            var scores: [String: Double] = [:]
            for row in try session.query(
                "SELECT tag, score FROM installation_interests WHERE installation = $1 AND tag = ANY($2)",
                [.integer(installation), .texts(tags.map(\.key))])
            {
                scores[try row.string(0)] = try row.real(1)
            }
            try session.execute(
                """
                INSERT INTO installation_interests (app, installation, tag, score)
                SELECT $1, $2, tag, score FROM unnest($3, $4) AS n(tag, score)
                ON CONFLICT (installation, tag) DO UPDATE SET score = excluded.score
                """,
                [
                    .integer(app), .integer(installation), .texts(tags.map(\.key)),
                    .reals(tags.map { scale.score(adding: $0.value, to: scores[$0.key], at: event.at) }),
                ])
        }
        var statements = [counted(event, app: app)]
        if let article = event.article {
            statements.append(see([(installation, article)], at: event.at))
        }
        statements += kept(event, installation: installation)
        try session.pipeline(statements)
        return true
    }

    private static func counted(_ event: BehaviourEvent, app: Int64) -> Statement {
        Statement(
            """
            INSERT INTO event_counts AS c (app, day, name, count) VALUES ($1, $2, $3, 1)
            ON CONFLICT (app, day, name) DO UPDATE SET count = c.count + 1
            """,
            [.integer(app), .integer(event.at.secondsSince1970 / 86_400), .text(event.name)])
    }

    /// Keeps that a push arrived; false when there is no such push.
    private static func receive(
        _ event: BehaviourEvent, installation: Int64, app: Int64, _ session: Session
    ) throws -> Bool {
        guard let push = event.article, let record = try recordNumber(id: push, app: app, session) else {
            return false
        }
        let added = try session.execute(
            """
            INSERT INTO receipts (record, installation, at)
            SELECT r.number, i.object_id, $3 FROM records AS r, installations AS i WHERE r.number = $1 AND i.number = $2
            ON CONFLICT DO NOTHING
            """,
            [.integer(record), .integer(installation), .integer(event.at.millisecondsSince1970)])
        if added > 0 {
            let statement = counted(event, app: app)
            try session.execute(statement.sql, statement.values)
        }
        return true
    }

    /// Keeps the event itself, instead of the oldest of its installation where those are many.
    private static func kept(_ event: BehaviourEvent, installation: Int64) -> [Statement] {
        let properties = (try? JSONValue.object(event.properties).encoded()) ?? Array("{}".utf8)
        return [
            Statement(
                "INSERT INTO recent_events (installation, at, name, article, properties) VALUES ($1, $2, $3, $4, $5)",
                [
                    .integer(installation), .integer(event.at.millisecondsSince1970), .text(event.name),
                    .text(event.article), .text(String(decoding: properties, as: UTF8.self)),
                ]),
            Statement(
                """
                DELETE FROM recent_events WHERE installation = $1 AND number IN (
                    SELECT number FROM recent_events WHERE installation = $1 ORDER BY at DESC, number DESC OFFSET $2)
                """, [.integer(installation), .integer(RecentEvent.countMaxPerInstallation)]),
        ]
    }

    /// Keeps articles from being offered to installations again.
    static func see(_ seen: [(installation: Int64, article: String)], at: Instant) -> Statement {
        Statement(
            """
            INSERT INTO seen_articles AS s (installation, article, at)
            SELECT DISTINCT n.installation, n.article, $3::bigint FROM unnest($1, $2) AS n(installation, article)
            WHERE EXISTS (SELECT 1 FROM installations AS i WHERE i.number = n.installation)
            ORDER BY 1, 2
            ON CONFLICT (installation, article) DO UPDATE SET at = greatest(s.at, excluded.at)
            """,
            [
                .integers(seen.map(\.installation)), .texts(seen.map(\.article)),
                .integer(at.millisecondsSince1970),
            ])
    }

    private static func installation(
        _ source: BehaviourEvent.Source, app: Int64, _ session: Session
    ) throws -> Int64? {
        let (candidates, id) =
            switch source {
            case .objectID(let id):
                ("SELECT installation FROM installation_keys WHERE app = $1 AND kind = 0 AND key = $2", id)
            case .deviceToken(let token):
                ("SELECT installation FROM installation_keys WHERE app = $1 AND kind = 1 AND key = $2", token)
            case .installationID(let id):
                (
                    "SELECT installation FROM installation_ids WHERE app = $1 AND installation_id = $2 LIMIT 1",
                    id
                )
            }
        return try session.query(
            "SELECT i.number FROM installations AS i WHERE i.number = (\(candidates)) FOR NO KEY UPDATE",
            [.integer(app), .text(id)]
        ).first?.integer(0)
    }
}
