internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// A batch as it was claimed, before its push is read.
    private struct Claim {
        var number: Int64
        var push: Int64
        var generation: Int64
        var installations: [UInt8]?
        var tokens: String?
        var outcomes: [UInt8]
        var badges: [UInt8]?
        var articles: [UInt8]?
        var attempts: Int64
        var notBefore: Int64
    }

    /// Claims the batch that has been ready longest.
    public func claimBatch(
        owner: String, leaseUntil: Instant, now: Instant
    ) async throws(StoreError) -> ClaimedBatch? {
        guard try await hasBatch(now: now) else { return nil }
        return try await write { database in
            guard let claim = try Self.claim(owner: owner, leaseUntil: leaseUntil, now: now, database) else {
                return nil
            }
            let pushes = try PushRow.all(database, where: "p.number = ?", [.integer(claim.push)])
            guard let push = pushes.first else {
                throw StoreError(.database, "a batch has no push")
            }
            let installations = claim.installations.map(NumberList.decode) ?? []
            let badges = claim.badges.map(NumberList.decodeEach) ?? []
            let articles = claim.articles.map(NumberList.decodeEach) ?? []
            guard let installations, let badges, let articles else {
                throw StoreError(.database, "batch \(claim.number) cannot be read")
            }
            var batch = ClaimedBatch(
                number: claim.number, generation: claim.generation, push: push, installations: installations,
                deviceTokens: try Self.tokens(claim.tokens), outcomes: claim.outcomes.map(DeviceOutcome.init),
                badges: badges, articles: articles.map { Int($0) - 1 },
                attemptCount: Int(claim.attempts) - 1,
                readyAt: Instant(millisecondsSince1970: claim.notBefore), leaseUntil: leaseUntil)
            if let increment = push.request.badgeIncrement, claim.badges == nil, push.state == .running {
                batch.badges = try Self.raiseBadges(
                    batch.installations, by: increment, app: push.app, database)
                try database.execute(
                    "UPDATE batches SET badges = ? WHERE number = ?",
                    [.blob(NumberList.encodeEach(batch.badges)), .integer(batch.number)])
            }
            return batch
        }
    }

    /// Whether there is something to claim, without asking for the write lock.
    private func hasBatch(now: Instant) async throws(StoreError) -> Bool {
        try await read { database in
            try database.first(
                """
                SELECT EXISTS (SELECT 1 FROM batches WHERE state = 0 AND not_before <= ?)
                    OR EXISTS (SELECT 1 FROM batches WHERE state = 1 AND lease_until <= ?)
                """, [.integer(now.millisecondsSince1970), .integer(now.millisecondsSince1970)]
            ) { row throws(SQLiteError) in try row.boolean(0) } ?? false
        }
    }

    private static let claimed = """
        state = 1, owner = ?, lease_until = ?, generation = generation + 1, attempts = attempts + 1,
        claimed_at = ?, first_claimed_at = coalesce(first_claimed_at, ?)
        """
    private static let claimColumns = """
        number, push, generation, installations, tokens, outcomes, badges, articles, attempts, not_before
        """

    private static func claim(
        owner: String, leaseUntil: Instant, now: Instant, _ database: Database
    ) throws(SQLiteError) -> Claim? {
        let at: Value = .integer(now.millisecondsSince1970)
        let values: [Value] = [.text(owner), .integer(leaseUntil.millisecondsSince1970), at, at, at]
        for choice in [
            "SELECT number FROM batches WHERE state = 0 AND not_before <= ? ORDER BY not_before, number LIMIT 1",
            // A sender has died, or has not been heard of for the whole of its lease.
            "SELECT number FROM batches WHERE state = 1 AND lease_until <= ? ORDER BY number LIMIT 1",
        ] {
            let claims = try database.all(
                "UPDATE batches SET \(claimed) WHERE number = (\(choice)) RETURNING \(claimColumns)", values
            ) { row throws(SQLiteError) in
                Claim(
                    number: try row.integer(0), push: try row.integer(1), generation: try row.integer(2),
                    installations: try row.optionalBytes(3), tokens: try row.optionalString(4),
                    outcomes: try row.bytes(5), badges: try row.optionalBytes(6),
                    articles: try row.optionalBytes(7), attempts: try row.integer(8),
                    notBefore: try row.integer(9))
            }
            if let claim = claims.first { return claim }
        }
        return nil
    }

    private static func tokens(_ text: String?) throws(StoreError) -> [String] {
        guard let text else { return [] }
        guard let json = try? JSONValue(parsing: text), case .array(let items) = json else {
            throw StoreError(.database, "the tokens of a batch cannot be read")
        }
        return items.compactMap { if case .string(let token) = $0 { token } else { nil } }
    }

    /// Raises the badges of installations and gives the new numbers; 0 for rows that are gone or not valid.
    private static func raiseBadges(
        _ numbers: [Int64], by increment: Int64, app: Int64, _ database: Database
    ) throws(SQLiteError) -> [Int64] {
        var badges: [Int64] = []
        badges.reserveCapacity(numbers.count)
        for number in numbers {
            let badge = try database.all(
                """
                UPDATE installations SET badge = min(max(0, badge + ?), ?)
                WHERE number = ? AND app = ? AND valid = 1 RETURNING badge
                """, [.integer(increment), .integer(Int64(Int32.max)), .integer(number), .integer(app)]
            ) { row throws(SQLiteError) in try row.integer(0) }
            badges.append(badge.first ?? 0)
        }
        return badges
    }

    /// When the next batch is ready that nobody holds, or a lease runs out.
    public func nextBatchTime() async throws(StoreError) -> Instant? {
        let time = try await read { database in
            try database.first(
                """
                SELECT min(at) FROM (
                    SELECT min(not_before) AS at FROM batches WHERE state = 0
                    UNION ALL SELECT min(lease_until) FROM batches WHERE state = 1)
                """
            ) { row throws(SQLiteError) in try row.optionalInteger(0) }
        }
        return (time ?? nil).map(Instant.init(millisecondsSince1970:))
    }

    /// The installations of a batch that can be sent to now.
    public func sendableInstallations(
        _ numbers: [Int64], withAttributes: Bool, app: Int64
    ) async throws(StoreError) -> [SendableInstallation] {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        let columns = """
            i.number, i.object_id, i.device_token, i.device_type, i.apns_topic, i.apns_team_id,
            i.device_profile, i.environment, i.locale, i.time_zone\(withAttributes ? ", i.attributes" : "")
            """
        let condition = "i.app = ? AND i.valid = 1 AND i.device_token IS NOT NULL"
        // Reading a stretch of the table is cheaper than finding rows one by one, unless most are others'.
        let isDense = last - first < Int64(numbers.count) * 8
        return try await read { database in
            var rows: [SendableInstallation] = []
            rows.reserveCapacity(numbers.count)
            if isDense {
                var index = 0
                try database.forEach(
                    """
                    SELECT \(columns) FROM installations AS i
                    WHERE i.number BETWEEN ? AND ? AND \(condition) ORDER BY i.number
                    """, [.integer(first), .integer(last), .integer(app)]
                ) { row throws(SQLiteError) in
                    let number = try row.integer(0)
                    while index < numbers.count, numbers[index] < number { index += 1 }
                    guard index < numbers.count, numbers[index] == number else { return }
                    rows.append(try Self.sendable(row, number, withAttributes: withAttributes))
                }
                return rows
            }
            for number in numbers {
                try database.forEach(
                    "SELECT \(columns) FROM installations AS i WHERE i.number = ? AND \(condition)",
                    [.integer(number), .integer(app)]
                ) { row throws(SQLiteError) in
                    rows.append(try Self.sendable(row, number, withAttributes: withAttributes))
                }
            }
            return rows
        }
    }

    private static func sendable(
        _ row: borrowing Row, _ number: Int64, withAttributes: Bool
    ) throws(SQLiteError) -> SendableInstallation {
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
            if case .object(let members)? = try? JSONValue(parsing: try row.string(10)) {
                installation.attributes = members
            }
        }
        return installation
    }

    /// How many pushes installations got since a time, for those that got any.
    public func sentCounts(_ numbers: [Int64], since: Instant) async throws(StoreError) -> [Int64: Int] {
        guard let first = numbers.first, let last = numbers.last else { return [:] }
        let wanted = Set(numbers)
        return try await read { database in
            var counts: [Int64: Int] = [:]
            try database.forEach(
                """
                SELECT installation, count(*) FROM sent_pushes
                WHERE installation BETWEEN ? AND ? AND at > ? GROUP BY installation
                """, [.integer(first), .integer(last), .integer(since.millisecondsSince1970)]
            ) { row throws(SQLiteError) in
                let number = try row.integer(0)
                if wanted.contains(number) { counts[number] = Int(try row.integer(1)) }
            }
            return counts
        }
    }

    /// What articles and interests installations have, for a digest.
    public func digestRows(
        _ numbers: [Int64], tags: [String], articles: [String], app: Int64, now: Instant
    ) async throws(StoreError) -> [Int64: DigestRow] {
        guard let first = numbers.first, let last = numbers.last else { return [:] }
        let wanted = Set(numbers)
        let scale = InterestScale()
        let articleIndices = Dictionary(
            articles.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        return try await read { database in
            var rows: [Int64: DigestRow] = [:]
            for (index, tag) in tags.enumerated() {
                try database.forEach(
                    """
                    SELECT installation, score FROM installation_interests
                    WHERE app = ? AND tag = ? AND installation BETWEEN ? AND ?
                    """, [.integer(app), .text(tag), .integer(first), .integer(last)]
                ) { row throws(SQLiteError) in
                    let number = try row.integer(0)
                    guard wanted.contains(number) else { return }
                    let value = scale.value(ofScore: try row.real(1), at: now)
                    rows[number, default: DigestRow()].interests.append((tag: index, value: value))
                }
            }
            try database.forEach(
                "SELECT installation, article FROM seen_articles WHERE installation BETWEEN ? AND ?",
                [.integer(first), .integer(last)]
            ) { row throws(SQLiteError) in
                let number = try row.integer(0)
                guard wanted.contains(number), let index = articleIndices[try row.string(1)] else { return }
                rows[number, default: DigestRow()].seen.insert(index)
            }
            return rows
        }
    }
}
