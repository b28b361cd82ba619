internal import PostgreSQL

/// Who is next, as ``FairTurn`` has it, among apps and pushes whose batches several nodes claim at once.
///
/// Nodes that claim at the same time may choose the same app before either has counted what it took; the next claims
/// make up for that. No claim waits for one of another app: where all apps have got to is the highest of their turns
/// when they were last served (`app_turns.start_turn`).
enum PostgreSQLTurn {
    /// Gives turns to batches of a push that become ready now, one after the other; the push's row is locked.
    static func turns(
        _ deviceCounts: [Int], push: Int64, _ session: Session
    ) throws(PostgreSQLError) -> [Int64] {
        let found = try session.query(
            """
            SELECT greatest(p.turn, least(coalesce(t.batch_turn, 0), $1 + coalesce(
                (SELECT b.turn FROM batches AS b WHERE b.state = 0 AND b.app = p.app ORDER BY b.turn LIMIT 1),
                coalesce(t.batch_turn, 0))))
            FROM pushes AS p LEFT JOIN app_turns AS t ON t.app = p.app WHERE p.number = $2
            """, [.integer(FairTurn.lagMax), .integer(push)])
        var next = try found.first?.integer(0) ?? 0
        var turns: [Int64] = []
        turns.reserveCapacity(deviceCounts.count)
        for count in deviceCounts {
            turns.append(next)
            next += FairTurn.cost(deviceCount: count)
        }
        try session.execute(
            "UPDATE pushes SET turn = $1 WHERE number = $2", [.integer(next), .integer(push)])
        return turns
    }

    /// Lets a push that was held begin where its app has got to.
    static func restart(push: Int64, _ session: Session) throws(PostgreSQLError) {
        try session.execute("UPDATE pushes SET turn = 0 WHERE number = $1", [.integer(push)])
    }

    /// How many apps a claim tries, when others take the batches it has found.
    private static let candidateCountMax = 32

    /// Apps that have a batch ready, the one whose turn it is first.
    ///
    /// Looks once into the index for each app, however many batches there are.
    static func nextApps(_ session: Session) throws(PostgreSQLError) -> [Int64] {
        let rows = try session.query(nextAppsQuery, [.integer(candidateCountMax)])
        var apps: [Int64] = []
        for row in rows { apps.append(try row.integer(0)) }
        return apps
    }

    static let nextAppsQuery = """
        WITH RECURSIVE ready (app) AS (
            (SELECT app FROM batches WHERE state = 0 ORDER BY app LIMIT 1)
            UNION ALL
            SELECT (SELECT b.app FROM batches AS b WHERE b.state = 0 AND b.app > ready.app ORDER BY b.app LIMIT 1)
            FROM ready WHERE ready.app IS NOT NULL)
        SELECT ready.app FROM ready LEFT JOIN app_turns AS t ON t.app = ready.app
        WHERE ready.app IS NOT NULL ORDER BY coalesce(t.turn, 0), ready.app LIMIT $1
        """

    /// The batch of an app that is next and that nobody is about to take.
    static let nextBatchQuery = """
        SELECT number FROM batches WHERE state = 0 AND app = $4 ORDER BY turn, number LIMIT 1
        """

    /// Counts a batch that a sender takes.
    static func spend(
        app: Int64, batchTurn: Int64, deviceCount: Int, _ session: Session
    ) throws(PostgreSQLError) {
        let cost = FairTurn.cost(deviceCount: deviceCount)
        try session.execute(
            """
            INSERT INTO app_turns AS t (app, turn, start_turn, batch_turn)
            SELECT $1, g.turn + $2, g.turn, $3::bigint + $4
            FROM (SELECT coalesce(max(start_turn), 0) AS turn FROM app_turns) AS g
            ON CONFLICT (app) DO UPDATE SET turn = greatest(t.turn, excluded.start_turn) + $2,
                start_turn = greatest(t.turn, excluded.start_turn), batch_turn = greatest(t.batch_turn, $3) + $4
            """, [.integer(app), .integer(cost), .integer(batchTurn), .integer(cost / 2)])
    }
}
