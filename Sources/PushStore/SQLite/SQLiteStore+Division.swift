internal import SQLite

extension SQLiteStore {
    /// What became of the devices of some batches of a record.
    public func outcomeDivision(
        record id: String, after batch: Int64, limit: Int, app: Int64
    ) async throws(StoreError) -> (division: OutcomeDivision, next: Int64?) {
        try await readLimited { database in
            var division = OutcomeDivision()
            guard let number = try Self.recordNumber(id: id, app: app, database) else {
                return (division, nil)
            }
            var batches: [(number: Int64, division: BatchDivision?)] = []
            try database.forEach(
                """
                SELECT number, installations, outcomes FROM batches WHERE number IN (
                    SELECT b.number FROM pushes AS p JOIN batches AS b ON b.push = p.number
                    WHERE p.record = ? AND b.number > ? ORDER BY b.number LIMIT ?)
                ORDER BY number
                """, [.integer(number), .integer(batch), Value(max(1, limit))]
            ) { row throws(SQLiteError) in
                batches.append(
                    (
                        number: try row.integer(0),
                        division: BatchDivision(
                            installations: try row.optionalBytes(1), outcomes: try row.bytes(2))
                    ))
            }
            for batch in batches {
                guard var part = batch.division else { continue }
                try Self.meet(&part, app: app, database)
                part.add(to: &division)
            }
            return (division, batches.count < max(1, limit) ? nil : batches.last?.number)
        }
    }

    private static func meet(
        _ part: inout BatchDivision, app: Int64, _ database: Database
    ) throws(SQLiteError) {
        func meet(_ condition: String, _ values: [Value]) throws(SQLiteError) {
            try database.forEach(
                """
                SELECT number, environment, locale, time_zone FROM installations
                WHERE \(condition) AND app = ? ORDER BY number
                """, values + [.integer(app)]
            ) { row throws(SQLiteError) in
                part.meet(
                    try row.integer(0),
                    OutcomeDivision.Place(
                        environment: InstallationRow.environment(try row.integer(1)),
                        locale: try row.optionalString(2), timeZone: try row.optionalString(3)))
            }
        }
        if part.isDense {
            try meet("number BETWEEN ? AND ?", [.integer(part.first), .integer(part.last)])
        } else {
            for number in part.all { try meet("number = ?", [.integer(number)]) }
        }
        part.end()
    }

    /// Who opened a record's pushes.
    public func openDivision(
        record id: String, after installation: String, limit: Int, app: Int64
    ) async throws(StoreError) -> (division: OutcomeDivision, next: String?) {
        try await readLimited { database in
            var division = OutcomeDivision()
            guard let number = try Self.recordNumber(id: id, app: app, database) else {
                return (division, nil)
            }
            var count = 0
            var last: String?
            var places: [OutcomeDivision.Place: Int] = [:]
            try database.forEach(
                """
                SELECT o.installation, i.number, i.environment, i.locale, i.time_zone FROM opens AS o
                LEFT JOIN installations AS i INDEXED BY installations_object_id
                    ON i.app = ? AND i.object_id = o.installation
                WHERE o.record = ? AND o.installation > ? ORDER BY o.installation LIMIT ?
                """, [.integer(app), .integer(number), .text(installation), Value(max(1, limit))]
            ) { row throws(SQLiteError) in
                count += 1
                last = try row.string(0)
                guard try row.optionalInteger(1) != nil else {
                    division.gone.openedCount += 1
                    return
                }
                let place = OutcomeDivision.Place(
                    environment: InstallationRow.environment(try row.integer(2)),
                    locale: try row.optionalString(3), timeZone: try row.optionalString(4))
                places[place, default: 0] += 1
            }
            division.add(opens: places)
            return (division, count < max(1, limit) ? nil : last)
        }
    }
}
