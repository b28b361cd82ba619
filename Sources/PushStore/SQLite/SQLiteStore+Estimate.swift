public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// About how many installations a request would reach now; looks at a fixed number of rows.
    public func audienceEstimate(
        of request: PushRequest, app: App, now: Instant
    ) async throws(StoreError) -> AudienceEstimate {
        guard request.givenAddresses == nil else { return .countable }
        let query = PushAudience(request, app: app, now: now, purpose: .walk)
        let sql = "\(query.selectOnly("count(*)")) AND \(query.number) BETWEEN ? AND ?"
        return try await readLimited { database in
            let last = try database.first("SELECT max(number) FROM installations") {
                row throws(SQLiteError) in try row.optionalInteger(0)
            }
            guard let sample = AudienceSample(last: (last ?? nil) ?? 0) else { return .countable }
            var count: Int64 = 0
            for stretch in sample.stretches {
                count +=
                    try database.first(
                        sql, query.values + [.integer(stretch.lowerBound), .integer(stretch.upperBound)]
                    ) { row throws(SQLiteError) in try row.integer(0) } ?? 0
            }
            return sample.estimate(matchCount: Int(count))
        }
    }
}
