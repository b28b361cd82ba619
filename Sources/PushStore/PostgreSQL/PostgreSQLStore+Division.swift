internal import PostgreSQL

extension PostgreSQLStore {
    /// What became of the devices of some batches of a record.
    public func outcomeDivision(
        record id: String, after batch: Int64, limit: Int, app: Int64
    ) async throws(StoreError) -> (division: OutcomeDivision, next: Int64?) {
        try await readLimited { session, _ in
            var division = OutcomeDivision()
            guard let number = try Self.recordNumber(id: id, app: app, session) else {
                return (division, nil)
            }
            let batches = try session.query(
                """
                SELECT b.number, b.installations, b.outcomes FROM pushes AS p JOIN batches AS b ON b.push = p.number
                WHERE p.record = $1 AND b.number > $2 ORDER BY b.number LIMIT $3
                """, [.integer(number), .integer(batch), .integer(max(1, limit))])
            for row in batches {
                guard
                    var part = BatchDivision(
                        installations: try row.optionalBytes(1), outcomes: try row.bytes(2))
                else { continue }
                try Self.meet(&part, app: app, session)
                part.add(to: &division)
            }
            return (division, batches.count < max(1, limit) ? nil : try batches.last?.integer(0))
        }
    }

    private static func meet(_ part: inout BatchDivision, app: Int64, _ session: Session) throws {
        let rows =
            part.isDense
            ? try session.query(
                """
                SELECT i.number, i.environment, i.locale, i.time_zone FROM installations AS i
                WHERE i.number BETWEEN $1 AND $2 AND i.app = $3 ORDER BY i.number
                """, [.integer(part.first), .integer(part.last), .integer(app)])
            : try session.query(
                """
                SELECT i.number, i.environment, i.locale, i.time_zone
                FROM unnest($1) AS w(number) JOIN installations AS i ON i.number = w.number
                WHERE i.app = $2 ORDER BY i.number
                """, [.integers(part.all), .integer(app)])
        for row in rows {
            part.meet(
                try row.integer(0),
                OutcomeDivision.Place(
                    environment: InstallationRow.environment(try row.integer(1)),
                    locale: try row.optionalString(2), timeZone: try row.optionalString(3)))
        }
        part.end()
    }

    /// Who opened a record's pushes.
    public func openDivision(
        record id: String, after installation: String, limit: Int, app: Int64
    ) async throws(StoreError) -> (division: OutcomeDivision, next: String?) {
        try await readLimited { session, _ in
            var division = OutcomeDivision()
            guard let number = try Self.recordNumber(id: id, app: app, session) else {
                return (division, nil)
            }
            let rows = try session.query(
                """
                SELECT o.installation, i.number, i.environment, i.locale, i.time_zone
                FROM (SELECT installation FROM opens WHERE record = $1 AND installation > $2
                    ORDER BY installation LIMIT $3) AS o
                LEFT JOIN installation_keys AS k ON k.app = $4 AND k.kind = 0 AND k.key = o.installation
                LEFT JOIN installations AS i ON i.number = k.installation
                ORDER BY o.installation
                """,
                [.integer(number), .text(installation), .integer(max(1, limit)), .integer(app)])
            var places: [OutcomeDivision.Place: Int] = [:]
            for row in rows {
                guard try row.optionalInteger(1) != nil else {
                    division.gone.openedCount += 1
                    continue
                }
                let place = OutcomeDivision.Place(
                    environment: InstallationRow.environment(try row.integer(2)),
                    locale: try row.optionalString(3), timeZone: try row.optionalString(4))
                places[place, default: 0] += 1
            }
            division.add(opens: places)
            return (division, rows.count < max(1, limit) ? nil : try rows.last?.string(0))
        }
    }
}
