internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// Claims the batch that has been ready longest.
    public func claimBatch(
        owner: String, leaseUntil: Instant, now: Instant
    ) async throws(StoreError) -> ClaimedBatch? {
        guard try await hasBatch(now: now) else { return nil }
        return try await write { session in
            guard let row = try Self.claim(owner: owner, leaseUntil: leaseUntil, now: now, session) else {
                return nil
            }
            let pushNumber = try row.integer(1)
            let pushes = try PostgreSQLPushRow.all(session, where: "p.number = $1", [.integer(pushNumber)])
            guard let push = pushes.first else {
                throw StoreError(.database, "a batch has no push")
            }
            let number = try row.integer(0)
            let storedBadges = try row.optionalBytes(6)
            let installations = try row.optionalBytes(3).map(NumberList.decode) ?? []
            let badges = storedBadges.map(NumberList.decodeEach) ?? []
            let articles = try row.optionalBytes(7).map(NumberList.decodeEach) ?? []
            guard let installations, let badges, let articles else {
                throw StoreError(.database, "batch \(number) cannot be read")
            }
            var batch = ClaimedBatch(
                number: number, generation: try row.integer(2), push: push, installations: installations,
                deviceTokens: try Self.tokens(try row.optionalString(4)),
                outcomes: try row.bytes(5).map(DeviceOutcome.init(rawValue:)), badges: badges,
                articles: articles.map { Int($0) - 1 }, attemptCount: Int(try row.integer(8)) - 1,
                readyAt: Instant(millisecondsSince1970: try row.integer(9)), leaseUntil: leaseUntil)
            if let increment = push.request.badgeIncrement, storedBadges == nil, push.state == .running {
                batch.badges = try Self.raiseBadges(
                    batch.installations, by: increment, app: push.app, session)
                try session.execute(
                    "UPDATE batches SET badges = $1 WHERE number = $2",
                    [.bytes(NumberList.encodeEach(batch.badges)), .integer(number)])
            }
            return batch
        }
    }

    /// Whether there is something to claim, without taking anything.
    private func hasBatch(now: Instant) async throws(StoreError) -> Bool {
        try await read { session in
            try session.query(
                """
                SELECT EXISTS (SELECT 1 FROM batches WHERE state = 0 AND not_before <= $1)
                    OR EXISTS (SELECT 1 FROM batches WHERE state = 1 AND lease_until <= $1)
                """, [.integer(now.millisecondsSince1970)])[0].boolean(0)
        }
    }

    /// Several nodes claim at once: each passes over what another has just locked.
    private static func claim(
        owner: String, leaseUntil: Instant, now: Instant, _ session: Session
    ) throws -> Row? {
        for choice in [
            """
            SELECT number FROM batches WHERE state = 0 AND not_before <= $3 ORDER BY not_before, number LIMIT 1
            """,
            // A sender has died, or has not been heard of for the whole of its lease.
            "SELECT number FROM batches WHERE state = 1 AND lease_until <= $3 ORDER BY lease_until LIMIT 1",
        ] {
            let claimed = try session.query(
                """
                WITH choice AS (\(choice) FOR UPDATE SKIP LOCKED)
                UPDATE batches AS b SET state = 1, owner = $1, lease_until = $2, generation = b.generation + 1,
                    attempts = b.attempts + 1, claimed_at = $3, first_claimed_at = coalesce(b.first_claimed_at, $3)
                FROM choice WHERE b.number = choice.number
                RETURNING b.number, b.push, b.generation, b.installations, b.tokens, b.outcomes, b.badges, b.articles,
                    b.attempts, b.not_before
                """,
                [
                    .text(owner), .integer(leaseUntil.millisecondsSince1970),
                    .integer(now.millisecondsSince1970),
                ])
            if let row = claimed.first { return row }
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
        _ numbers: [Int64], by increment: Int64, app: Int64, _ session: Session
    ) throws -> [Int64] {
        // Rows are locked in their order, as everybody does.
        let raised = try session.query(
            """
            WITH rows AS (
                SELECT i.number FROM unnest($1) AS w(number) JOIN installations AS i ON i.number = w.number
                WHERE i.app = $2 AND i.valid ORDER BY i.number FOR UPDATE OF i)
            UPDATE installations AS i SET badge = least(greatest(0, i.badge + $3), $4)
            FROM rows WHERE i.number = rows.number RETURNING i.number, i.badge
            """,
            [
                .integers(numbers), .integer(app), .integer(increment), .integer(Int64(Int32.max)),
            ])
        var badges: [Int64: Int64] = [:]
        for row in raised { badges[try row.integer(0)] = try row.integer(1) }
        return numbers.map { badges[$0] ?? 0 }
    }

    /// When the next batch is ready that nobody holds, or a lease runs out.
    public func nextBatchTime() async throws(StoreError) -> Instant? {
        try await read { session in
            try session.query(
                """
                SELECT least(
                    (SELECT min(not_before) FROM batches WHERE state = 0),
                    (SELECT min(lease_until) FROM batches WHERE state = 1))
                """)[0].optionalInteger(0).map(Instant.init(millisecondsSince1970:))
        }
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

    /// How many pushes installations got since a time, for those that got any.
    public func sentCounts(_ numbers: [Int64], since: Instant) async throws(StoreError) -> [Int64: Int] {
        guard !numbers.isEmpty else { return [:] }
        return try await read { session in
            var counts: [Int64: Int] = [:]
            for row in try session.query(
                """
                SELECT s.installation, count(*) FROM unnest($1) AS w(number)
                JOIN sent_pushes AS s ON s.installation = w.number WHERE s.at > $2 GROUP BY s.installation
                """, [.integers(numbers), .integer(since.millisecondsSince1970)])
            {
                counts[try row.integer(0)] = Int(try row.integer(1))
            }
            return counts
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
