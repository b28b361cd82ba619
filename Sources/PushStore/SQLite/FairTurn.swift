internal import SQLite

/// Who is next: start-time fair queuing, first between apps and then between the pushes of an app.
///
/// Every batch has a turn, a number that grows along its push by what each batch costs; the lowest is next. A push
/// that comes later begins where its app has got to (`apps.batch_turn`), so it goes soon and not behind what a
/// large push has left. Apps are kept apart alike: `apps.turn` grows by what is sent for it, and one that was idle
/// begins where the others have got to (`administration.turn`).
/// (P. Goyal, H. Vin, H. Cheng: Start-time Fair Queuing, 1996.)
///
/// New pushes come without end, unlike the flows of that paper: where an app has got to moves on with every batch
/// by half of what it cost, so that a large push has its share however many small ones come.
enum FairTurn {
    /// What a batch costs beside its devices: two transactions and a place on the wire.
    private static let overheadCost = 50

    /// How far behind the first that is ready a new push begins at most, where many pushes have moved their app on.
    static let lagMax = 100

    static func cost(deviceCount: Int) -> Int64 { Int64(deviceCount + overheadCost) }

    /// Gives turns to batches of a push that become ready now, one after the other.
    static func turns(
        _ deviceCounts: [Int], push: Int64, _ database: Database
    ) throws(SQLiteError) -> [Int64] {
        var next =
            try database.first(
                """
                SELECT max(p.turn, min(a.batch_turn, ? + coalesce(
                    (SELECT min(turn) FROM batches WHERE state = 0 AND app = a.number), a.batch_turn)))
                FROM pushes AS p JOIN apps AS a ON a.number = p.app WHERE p.number = ?
                """, [Value(lagMax), .integer(push)]
            ) { row throws(SQLiteError) in try row.integer(0) } ?? 0
        var turns: [Int64] = []
        turns.reserveCapacity(deviceCounts.count)
        for count in deviceCounts {
            turns.append(next)
            next += cost(deviceCount: count)
        }
        try database.execute("UPDATE pushes SET turn = ? WHERE number = ?", [.integer(next), .integer(push)])
        return turns
    }

    /// Lets a push that was held begin where its app has got to.
    static func restart(push: Int64, _ database: Database) throws(SQLiteError) {
        try database.execute("UPDATE pushes SET turn = 0 WHERE number = ?", [.integer(push)])
    }

    /// The app whose turn it is among those that have a batch ready; nil when none has.
    ///
    /// Looks once into the index for each app, however many batches there are.
    static func nextApp(_ database: Database) throws(SQLiteError) -> Int64? {
        let found = try database.first(nextAppQuery) { row throws(SQLiteError) in
            try row.optionalInteger(0)
        }
        return found ?? nil
    }

    static let nextAppQuery = """
        WITH RECURSIVE ready (app) AS (
            SELECT min(app) FROM batches WHERE state = 0
            UNION ALL
            SELECT (SELECT min(app) FROM batches WHERE state = 0 AND app > ready.app) FROM ready
                WHERE ready.app IS NOT NULL)
        SELECT ready.app FROM ready LEFT JOIN apps AS a ON a.number = ready.app
        WHERE ready.app IS NOT NULL ORDER BY coalesce(a.turn, 0), ready.app LIMIT 1
        """

    /// The batch of an app that is next.
    static let nextBatchQuery =
        "SELECT number FROM batches WHERE state = 0 AND app = ? ORDER BY turn, number LIMIT 1"

    /// Counts a batch that a sender takes.
    static func spend(
        app: Int64, batchTurn: Int64, deviceCount: Int, _ database: Database
    ) throws(SQLiteError) {
        try database.execute(
            """
            UPDATE apps SET turn = max(turn, (SELECT turn FROM administration)) + ?, \
            batch_turn = max(batch_turn, ?) + ? WHERE number = ?
            """,
            [
                .integer(cost(deviceCount: deviceCount)), .integer(batchTurn),
                .integer(cost(deviceCount: deviceCount) / 2), .integer(app),
            ])
        try database.execute(
            """
            UPDATE administration SET turn = max(turn, coalesce((SELECT turn - ? FROM apps WHERE number = ?), 0))
            """, [.integer(cost(deviceCount: deviceCount)), .integer(app)])
    }
}
