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
        var deviceCount: Int
        var pendingCount: Int
        var turn: Int64
    }

    /// What of a batch is waited for.
    private struct Waiting {
        var isReady: Bool
        /// Its time has come.
        var isDue: Bool
        /// A sender has died, or has not been heard of for the whole of its lease.
        var isAbandoned: Bool
    }

    /// How many batches one claim makes ready.
    private static let readyCountMax = 200

    /// Claims the batch whose turn it is.
    public func claimBatch(
        owner: String, leaseUntil: Instant, held: Set<Int64>?, now: Instant
    ) async throws(StoreError) -> ClaimedBatch? {
        let takesOver = held != nil
        let held = Self.list(held ?? [])
        var waiting = try await waiting(held: held, now: now)
        if !takesOver { waiting.isAbandoned = false }
        guard waiting.isReady || waiting.isDue || waiting.isAbandoned else { return nil }
        let found = waiting
        return try await write { database in
            if found.isDue { try Self.readyDue(now: now, database) }
            if found.isAbandoned { try Self.readyAbandoned(held: held, now: now, database) }
            while let claim = try Self.claim(owner: owner, leaseUntil: leaseUntil, now: now, database) {
                if let batch = try Self.batch(of: claim, leaseUntil: leaseUntil, now: now, database) {
                    return batch
                }
                // What cannot be read is set aside: it must not keep everybody else from being sent.
            }
            return nil
        }
    }

    /// The numbers of a parameter from ``list(_:)``.
    private static let listed = "SELECT value FROM json_each(?)"

    private static func list(_ numbers: Set<Int64>) -> Value {
        .text("[" + numbers.map(String.init).joined(separator: ",") + "]")
    }

    /// Whether there is something to claim, without asking for the write lock.
    private func waiting(held: Value, now: Instant) async throws(StoreError) -> Waiting {
        try await read { database in
            try database.first(
                """
                SELECT EXISTS (SELECT 1 FROM batches WHERE state = 0),
                    EXISTS (SELECT 1 FROM batches WHERE state = 4 AND not_before <= ?),
                    EXISTS (SELECT 1 FROM batches WHERE state = 1 AND lease_until <= ? AND number NOT IN (\(Self.listed)))
                """, [.integer(now.millisecondsSince1970), .integer(now.millisecondsSince1970), held]
            ) { row throws(SQLiteError) in
                Waiting(
                    isReady: try row.boolean(0), isDue: try row.boolean(1), isAbandoned: try row.boolean(2))
            } ?? Waiting(isReady: false, isDue: false, isAbandoned: false)
        }
    }

    /// Gives batches whose time has come their turn.
    private static func readyDue(now: Instant, _ database: Database) throws(SQLiteError) {
        let due = try database.all(
            "SELECT number, push, pending_count FROM batches WHERE state = 4 AND not_before <= ? ORDER BY not_before, number LIMIT ?",
            [.integer(now.millisecondsSince1970), Value(readyCountMax)]
        ) { row throws(SQLiteError) in
            (number: try row.integer(0), push: try row.integer(1), count: Int(try row.integer(2)))
        }
        for batch in due {
            let turn = try FairTurn.turns([batch.count], push: batch.push, database)[0]
            try database.execute(
                "UPDATE batches SET state = 0, turn = ? WHERE number = ?",
                [.integer(turn), .integer(batch.number)])
        }
    }

    /// Takes batches from senders that were not heard of; they keep their turn, which has come before.
    private static func readyAbandoned(held: Value, now: Instant, _ database: Database) throws(SQLiteError) {
        try database.execute(
            """
            UPDATE batches SET state = 0, owner = NULL, lease_until = NULL, generation = generation + 1
            WHERE number IN (
                SELECT number FROM batches WHERE state = 1 AND lease_until <= ? AND number NOT IN (\(Self.listed))
                ORDER BY lease_until LIMIT ?)
            """, [.integer(now.millisecondsSince1970), held, Value(readyCountMax)])
    }

    private static let claimed = """
        state = 1, owner = ?, lease_until = ?, generation = generation + 1, attempts = attempts + 1,
        claimed_at = ?, first_claimed_at = coalesce(first_claimed_at, ?)
        """
    private static let claimColumns = """
        number, push, generation, installations, tokens, outcomes, badges, articles, attempts, not_before,
        device_count, pending_count, turn
        """

    private static func claim(
        owner: String, leaseUntil: Instant, now: Instant, _ database: Database
    ) throws(SQLiteError) -> Claim? {
        guard let app = try FairTurn.nextApp(database) else { return nil }
        let at: Value = .integer(now.millisecondsSince1970)
        let claims = try database.all(
            "UPDATE batches SET \(claimed) WHERE number = (\(FairTurn.nextBatchQuery)) RETURNING \(claimColumns)",
            [.text(owner), .integer(leaseUntil.millisecondsSince1970), at, at, .integer(app)]
        ) { row throws(SQLiteError) in
            Claim(
                number: try row.integer(0), push: try row.integer(1), generation: try row.integer(2),
                installations: try row.optionalBytes(3), tokens: try row.optionalString(4),
                outcomes: try row.bytes(5), badges: try row.optionalBytes(6),
                articles: try row.optionalBytes(7), attempts: try row.integer(8),
                notBefore: try row.integer(9), deviceCount: Int(try row.integer(10)),
                pendingCount: Int(try row.integer(11)), turn: try row.integer(12))
        }
        guard let claim = claims.first else { return nil }
        try FairTurn.spend(app: app, batchTurn: claim.turn, deviceCount: claim.pendingCount, database)
        return claim
    }

    /// The claimed batch; nil when it or its push cannot be read, and then it is set aside.
    private static func batch(
        of claim: Claim, leaseUntil: Instant, now: Instant, _ database: Database
    ) throws -> ClaimedBatch? {
        guard case .pushes(let pushes) = try PushRow.readable(database, number: claim.push) else {
            try setAside(push: claim.push, now: now, database)
            return nil
        }
        let count = claim.deviceCount
        let tokens = claim.tokens.map(Self.tokens) ?? []
        let installations = claim.installations.map(NumberList.decode) ?? []
        let badges = claim.badges.map(NumberList.decodeEach) ?? []
        let articles = claim.articles.map(NumberList.decodeEach) ?? []
        guard let push = pushes.first, let installations, let badges, let articles, let tokens,
            claim.outcomes.count == count, installations.count + tokens.count == count,
            badges.isEmpty || badges.count == count, articles.isEmpty || articles.count == count
        else {
            try setAside(claim, now: now, database)
            return nil
        }
        var batch = ClaimedBatch(
            number: claim.number, generation: claim.generation, push: push, installations: installations,
            deviceTokens: tokens, outcomes: claim.outcomes.map(DeviceOutcome.init), badges: badges,
            articles: articles.map { Int($0) - 1 }, attemptCount: Int(claim.attempts) - 1,
            readyAt: Instant(millisecondsSince1970: claim.notBefore), leaseUntil: leaseUntil)
        if let increment = push.request.badgeIncrement, claim.badges == nil, push.state == .running {
            batch.badges = try raiseBadges(batch.installations, by: increment, app: push.app, database)
            try database.execute(
                "UPDATE batches SET badges = ? WHERE number = ?",
                [.blob(NumberList.encodeEach(batch.badges)), .integer(batch.number)])
        }
        return batch
    }

    // MARK: - What cannot be read

    /// Ends a batch that cannot be read: each of its devices that has no outcome gets one, and the push says so.
    private static func setAside(_ claim: Claim, now: Instant, _ database: Database) throws(SQLiteError) {
        let outcomes =
            claim.outcomes.count == claim.deviceCount
            ? claim.outcomes : Array(repeating: DeviceOutcome.pending.rawValue, count: claim.deviceCount)
        try end(batch: claim.number, outcomes, as: .damaged, now: now, database)
        try note(
            "batch \(claim.number) cannot be read: \(outcomes.count { $0 == 0 }) devices were not sent to",
            push: claim.push, now: now, database)
    }

    /// Ends a push whose row cannot be read, with all its devices.
    static func setAside(
        push: Int64, because text: String = "the stored request cannot be read", now: Instant,
        _ database: Database
    ) throws(SQLiteError) {
        try database.execute(
            """
            UPDATE pushes SET state = 'cancelled', error = ?1, \(PushRow.keptNotes), updated_at = ?2,
                ended_at = coalesce(ended_at, ?2) WHERE number = ?3
            """, [.text(text), .integer(now.millisecondsSince1970), .integer(push)])
        try database.execute("UPDATE segments SET is_planned = 1 WHERE push = ?", [.integer(push)])
        let open = try database.all(
            "SELECT number, outcomes FROM batches WHERE push = ? AND state IN (0, 1, 3, 4)", [.integer(push)]
        ) { row throws(SQLiteError) in (number: try row.integer(0), outcomes: try row.bytes(1)) }
        for batch in open {
            try end(batch: batch.number, batch.outcomes, as: .damaged, now: now, database)
        }
    }

    /// Ends a batch; devices without an outcome get this one.
    static func end(
        batch number: Int64, _ outcomes: [UInt8], as outcome: DeviceOutcome, now: Instant,
        _ database: Database
    ) throws(SQLiteError) {
        let all = outcomes.map { $0 == DeviceOutcome.pending.rawValue ? outcome.rawValue : $0 }
        try database.execute(
            """
            UPDATE batches SET state = 2, outcomes = ?, pending_count = 0, finished_at = ?,
                generation = generation + 1, lease_until = NULL WHERE number = ?
            """, [.blob(all), .integer(now.millisecondsSince1970), .integer(number)])
    }

    /// Adds a sentence to what was left out of a push.
    static func note(_ text: String, push: Int64, now: Instant, _ database: Database) throws(SQLiteError) {
        // One sentence for each zone would grow without end.
        try database.execute(
            """
            UPDATE pushes SET updated_at = ?,
                notes = CASE WHEN notes IS NULL THEN ? WHEN length(notes) < 400 THEN notes || '; ' || ?
                    ELSE notes END
            WHERE number = ?
            """, [.integer(now.millisecondsSince1970), .text(text), .text(text), .integer(push)])
    }

    private static func tokens(_ text: String) -> [String]? {
        guard let json = try? JSONValue(parsing: text), case .array(let items) = json else { return nil }
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
    public func nextBatchTime(held: Set<Int64>) async throws(StoreError) -> Instant? {
        let held = Self.list(held)
        let time = try await read { database in
            try database.first(
                """
                SELECT min(at) FROM (
                    SELECT 0 AS at WHERE EXISTS (SELECT 1 FROM batches WHERE state = 0)
                    UNION ALL SELECT min(not_before) FROM batches WHERE state = 4
                    UNION ALL SELECT min(lease_until) FROM batches WHERE state = 1 AND number NOT IN (\(Self.listed)))
                """, [held]
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

    /// Takes a place under a frequency cap for each installation that has one left.
    public func takeSends(
        _ numbers: [Int64], push: Int64, countMax: Int, since: Instant, now: Instant
    ) async throws(StoreError) -> Set<Int64> {
        guard !numbers.isEmpty else { return [] }
        return try await write { database in
            var refused: Set<Int64> = []
            for number in numbers {
                // One statement looks and takes: whoever comes next sees it.
                let taken = try database.execute(
                    """
                    INSERT INTO sent_pushes (installation, at, push)
                    SELECT ?1, ?2, ?3 WHERE (
                        SELECT count(*) FROM sent_pushes WHERE installation = ?1 AND push <> ?3 AND at > ?4) < ?5
                    ON CONFLICT (installation, push) DO UPDATE SET at = excluded.at
                    """,
                    [
                        .integer(number), .integer(now.millisecondsSince1970), .integer(push),
                        .integer(since.millisecondsSince1970), Value(countMax),
                    ])
                if taken == 0 { refused.insert(number) }
            }
            return refused
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
