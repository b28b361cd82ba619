internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// About how many installations a request would reach now; looks at a fixed number of rows.
    public func audienceEstimate(
        of request: PushRequest, app: App, now: Instant
    ) async throws(StoreError) -> AudienceEstimate {
        guard request.givenAddresses == nil else { return .countable }
        let audience = PostgreSQLAudience(request, app: app, now: now, purpose: .whole)
        // What the service itself has to look at is counted as a whole.
        guard audience.query.residual == nil else { return .countable }
        return try await readLimited { session, _ in
            let last = try session.query("SELECT last_value FROM installation_numbers", []).first?.integer(0)
            guard let sample = AudienceSample(last: last ?? 0) else { return .countable }
            var count: Int64 = 0
            for stretch in sample.stretches {
                var sql = audience.select("count(*)")
                sql.append(
                    " AND i.number BETWEEN ? AND ?",
                    [.integer(stretch.lowerBound), .integer(stretch.upperBound)])
                let statement = sql.statement
                count += try session.query(statement.sql, statement.values).first?.integer(0) ?? 0
            }
            return sample.estimate(matchCount: Int(count))
        }
    }
}
