internal import APNs
internal import PostgreSQL
public import Recurrence

/// What a sender asks about the installations of its batch.
extension PostgreSQLStore {
    /// The installations of a batch that can be sent to now.
    public func sendableInstallations(
        _ numbers: [Int64], withAttributes: Bool, app: Int64
    ) async throws(StoreError) -> [SendableInstallation] {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        let columns = """
            i.number, i.object_id, i.device_token, i.device_type, i.apns_topic, i.apns_team_id,
            i.device_profile, i.environment, i.locale, i.time_zone\(withAttributes ? ", i.attributes" : "")
            """
        // Reading a stretch of the table is cheaper than finding rows one by one, unless most are others'.
        let isDense = last - first < Int64(numbers.count) * 8
        let wanted = Set(numbers)
        return try await read { session in
            let rows =
                isDense
                ? try session.query(
                    """
                    SELECT \(columns) FROM installations AS i WHERE i.number BETWEEN $1 AND $2
                    AND i.app = $3 AND i.valid AND i.device_token IS NOT NULL ORDER BY i.number
                    """, [.integer(first), .integer(last), .integer(app)])
                : try session.query(
                    """
                    SELECT \(columns) FROM unnest($1) AS w(number) JOIN installations AS i ON i.number = w.number
                    WHERE i.app = $2 AND i.valid AND i.device_token IS NOT NULL ORDER BY i.number
                    """, [.integers(numbers), .integer(app)])
            var sendable: [SendableInstallation] = []
            sendable.reserveCapacity(numbers.count)
            for row in rows {
                let number = try row.integer(0)
                guard wanted.contains(number) else { continue }
                sendable.append(try Self.sendable(row, number, withAttributes: withAttributes))
            }
            return sendable
        }
    }

    private static func sendable(
        _ row: Row, _ number: Int64, withAttributes: Bool
    ) throws -> SendableInstallation {
        var installation = SendableInstallation(
            number: number, objectID: try row.string(1), deviceToken: try row.string(2))
        installation.deviceType = try row.optionalString(3)
        installation.apnsTopic = try row.optionalString(4)
        installation.apnsTeamID = try row.optionalString(5)
        installation.deviceProfile = try row.optionalString(6)
        installation.environment = InstallationRow.environment(try row.integer(7))
        installation.locale = try row.optionalString(8)
        installation.timeZone = try row.optionalString(9)
        if withAttributes {
            installation.attributes = try PostgreSQLInstallationRow.attributes(try row.string(10))
        }
        return installation
    }

    /// Takes a place under a frequency cap for each installation that has one left.
    public func takeSends(
        _ numbers: [Int64], push: Int64, countMax: Int, since: Instant, now: Instant
    ) async throws(StoreError) -> Set<Int64> {
        guard !numbers.isEmpty else { return [] }
        let sorted = Set(numbers).sorted()
        return try await write { session in
            // Two pushes that ask for the last place of a device at once, on any nodes: one waits for the other here,
            // and counts afterwards.
            try session.query(
                "SELECT number FROM installations WHERE number = ANY($1) ORDER BY number FOR NO KEY UPDATE",
                [.integers(sorted)])
            let refused = try session.query(
                """
                WITH wanted AS (
                    SELECT w.number, (SELECT count(*) FROM sent_pushes AS s
                        WHERE s.installation = w.number AND s.push <> $2 AND s.at > $4) AS sent_count
                    FROM unnest($1) AS w(number)),
                taken AS (
                    INSERT INTO sent_pushes (installation, push, at)
                    SELECT number, $2, $3 FROM wanted WHERE sent_count < $5
                    ON CONFLICT (installation, push) DO UPDATE SET at = excluded.at)
                SELECT number FROM wanted WHERE sent_count >= $5
                """,
                [
                    .integers(sorted), .integer(push), .integer(now.millisecondsSince1970),
                    .integer(since.millisecondsSince1970), .integer(countMax),
                ])
            return Set(try refused.map { try $0.integer(0) })
        }
    }

    /// What articles and interests installations have, for a digest.
    public func digestRows(
        _ numbers: [Int64], tags: [String], articles: [String], app: Int64, now: Instant
    ) async throws(StoreError) -> [Int64: DigestRow] {
        guard !numbers.isEmpty else { return [:] }
        let scale = InterestScale()
        func indices(_ texts: [String]) -> [String: Int] {
            Dictionary(
                texts.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        }
        let tagIndices = indices(tags)
        let articleIndices = indices(articles)
        return try await read { session in
            var rows: [Int64: DigestRow] = [:]
            for row in try session.query(
                """
                SELECT s.installation, s.tag, s.score FROM unnest($1) AS w(number)
                JOIN installation_interests AS s ON s.installation = w.number
                WHERE s.app = $2 AND s.tag = ANY($3)
                """, [.integers(numbers), .integer(app), .texts(tags)])
            {
                guard let index = tagIndices[try row.string(1)] else { continue }
                let value = scale.value(ofScore: try row.real(2), at: now)
                rows[try row.integer(0), default: DigestRow()].interests.append((tag: index, value: value))
            }
            for number in rows.keys { rows[number]?.interests.sort { $0.tag < $1.tag } }
            for row in try session.query(
                """
                SELECT s.installation, s.article FROM unnest($1) AS w(number)
                JOIN seen_articles AS s ON s.installation = w.number WHERE s.article = ANY($2)
                """, [.integers(numbers), .texts(articles)])
            {
                guard let index = articleIndices[try row.string(1)] else { continue }
                rows[try row.integer(0), default: DigestRow()].seen.insert(index)
            }
            return rows
        }
    }
}
