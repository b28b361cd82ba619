internal import APNs
internal import PostgreSQL
public import Recurrence
internal import Synchronization

extension PostgreSQLStore {
    /// A batch as it was claimed, before its push is read.
    private struct Claim {
        var number: Int64
        var push: Int64
        var app: Int64
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

    /// How often a claim of which nobody knows whether it was kept is looked up; each waits for the server.
    private static let lookUpCountMax = 10
    /// How many batches one claim makes ready.
    private static let readyCountMax = 200

    /// Claims the batch whose turn it is.
    public func claimBatch(
        owner: String, leaseUntil: Instant, held: Set<Int64>?, now: Instant
    ) async throws(StoreError) -> ClaimedBatch? {
        guard incompatibility == nil else { return nil }
        var waiting = try await waiting(held: held ?? [], now: now)
        if held == nil { waiting.isAbandoned = false }
        guard waiting.isReady || waiting.isDue || waiting.isAbandoned else { return nil }
        let found = waiting
        let attempt = Mutex<ClaimedBatch?>(nil)
        do throws(StoreError) {
            return try await write { session in
                let batch = try Self.claimBatch(
                    found, owner: owner, leaseUntil: leaseUntil, held: held ?? [], now: now, session)
                attempt.withLock { $0 = batch }
                return batch
            }
        } catch {
            // A batch that nobody knows to be theirs would lie until its lease has run out.
            guard error.code == .uncertain, let batch = attempt.withLock({ $0 }), try await isHeld(batch)
            else {
                throw error
            }
            return batch
        }
    }

    /// Whether a batch is still in the hands it was claimed by; asked until the server answers, or its lease is over.
    private func isHeld(_ batch: ClaimedBatch) async throws(StoreError) -> Bool {
        for _ in 1..<Self.lookUpCountMax {
            do throws(StoreError) {
                return try await isClaimed(batch)
            } catch {
                guard error.code == .unavailable, !Task.isCancelled else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
        return try await isClaimed(batch)
    }

    private func isClaimed(_ batch: ClaimedBatch) async throws(StoreError) -> Bool {
        try await read { session in
            try !session.query(
                "SELECT 1 FROM batches WHERE number = $1 AND generation = $2 AND state = 1",
                [.integer(batch.number), .integer(batch.generation)]
            ).isEmpty
        }
    }

    private static func claimBatch(
        _ waiting: Waiting, owner: String, leaseUntil: Instant, held: Set<Int64>, now: Instant,
        _ session: Session
    ) throws -> ClaimedBatch? {
        if waiting.isDue { try readyDue(now: now, session) }
        if waiting.isAbandoned { try readyAbandoned(held: held, now: now, session) }
        while let claim = try claim(owner: owner, leaseUntil: leaseUntil, now: now, session) {
            let batch = try batch(of: claim, leaseUntil: leaseUntil, now: now, session)
            // Last, since whoever claims for the same app waits here until this one is committed.
            try PostgreSQLTurn.spend(
                app: claim.app, batchTurn: claim.turn, deviceCount: claim.pendingCount, session)
            if let batch { return batch }
            // What cannot be read is set aside: it must not keep everybody else from being sent.
        }
        return nil
    }

    /// Whether there is something to claim, without taking anything.
    private func waiting(held: Set<Int64>, now: Instant) async throws(StoreError) -> Waiting {
        try await read { session in
            let row = try session.query(
                """
                SELECT EXISTS (SELECT 1 FROM batches WHERE state = 0),
                    EXISTS (SELECT 1 FROM batches WHERE state = 4 AND not_before <= $1),
                    EXISTS (SELECT 1 FROM batches WHERE state = 1 AND lease_until <= $1 AND number <> ALL ($2))
                """, [.integer(now.millisecondsSince1970), .integers(held.sorted())])[0]
            return Waiting(
                isReady: try row.boolean(0), isDue: try row.boolean(1), isAbandoned: try row.boolean(2))
        }
    }

    /// Gives batches whose time has come their turn.
    private static func readyDue(now: Instant, _ session: Session) throws {
        let due = try session.query(
            """
            SELECT number, push FROM batches WHERE state = 4 AND not_before <= $1
            ORDER BY not_before, number LIMIT $2
            """, [.integer(now.millisecondsSince1970), .integer(readyCountMax)]
        ).map { (number: try $0.integer(0), push: try $0.integer(1)) }
        guard !due.isEmpty else { return }
        // The pushes first and in their order, as everybody does who changes a push and its batches. Of nodes that
        // come at once one waits here, and finds nothing left to do.
        try session.query(
            "SELECT number FROM pushes WHERE number = ANY($1) ORDER BY number FOR NO KEY UPDATE",
            [.integers(Set(due.map(\.push)).sorted())])
        let open = try session.query(
            """
            SELECT number, push, pending_count FROM batches WHERE number = ANY($1) AND state = 4
            ORDER BY not_before, number
            """, [.integers(due.map(\.number))]
        ).map { (number: try $0.integer(0), push: try $0.integer(1), count: Int(try $0.integer(2))) }
        var numbers: [Int64] = []
        var turns: [Int64] = []
        for (push, batches) in Dictionary(grouping: open, by: \.push).sorted(by: { $0.key < $1.key }) {
            numbers += batches.map(\.number)
            turns += try PostgreSQLTurn.turns(batches.map(\.count), push: push, session)
        }
        try session.execute(
            """
            UPDATE batches AS b SET state = 0, turn = n.turn FROM unnest($1, $2) AS n(number, turn)
            WHERE b.number = n.number AND b.state = 4
            """, [.integers(numbers), .integers(turns)])
    }

    /// Takes batches from senders that were not heard of; they keep their turn, which has come before.
    private static func readyAbandoned(held: Set<Int64>, now: Instant, _ session: Session) throws {
        try session.execute(
            """
            WITH gone AS (
                SELECT number FROM batches WHERE state = 1 AND lease_until <= $1 AND number <> ALL ($3)
                ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED)
            UPDATE batches AS b SET state = 0, owner = NULL, lease_until = NULL, generation = b.generation + 1
            FROM gone WHERE b.number = gone.number
            """, [.integer(now.millisecondsSince1970), .integer(readyCountMax), .integers(held.sorted())])
    }

    /// Several nodes claim at once: each passes over what another has just locked.
    private static func claim(
        owner: String, leaseUntil: Instant, now: Instant, _ session: Session
    ) throws -> Claim? {
        for app in try PostgreSQLTurn.nextApps(session) {
            let claimed = try session.query(
                """
                WITH choice AS (\(PostgreSQLTurn.nextBatchQuery) FOR UPDATE SKIP LOCKED)
                UPDATE batches AS b SET state = 1, owner = $1, lease_until = $2, generation = b.generation + 1,
                    attempts = b.attempts + 1, claimed_at = $3, first_claimed_at = coalesce(b.first_claimed_at, $3)
                FROM choice WHERE b.number = choice.number
                RETURNING b.number, b.push, b.generation, b.installations, b.tokens, b.outcomes, b.badges, b.articles,
                    b.attempts, b.not_before, b.device_count, b.pending_count, b.turn
                """,
                [
                    .text(owner), .integer(leaseUntil.millisecondsSince1970),
                    .integer(now.millisecondsSince1970), .integer(app),
                ])
            guard let row = claimed.first else { continue }
            return Claim(
                number: try row.integer(0), push: try row.integer(1), app: app,
                generation: try row.integer(2), installations: try row.optionalBytes(3),
                tokens: try row.optionalString(4), outcomes: try row.bytes(5),
                badges: try row.optionalBytes(6), articles: try row.optionalBytes(7),
                attempts: try row.integer(8), notBefore: try row.integer(9),
                deviceCount: Int(try row.integer(10)), pendingCount: Int(try row.integer(11)),
                turn: try row.integer(12))
        }
        return nil
    }

    /// The claimed batch; nil when it or its push cannot be read, and then it is set aside.
    private static func batch(
        of claim: Claim, leaseUntil: Instant, now: Instant, _ session: Session
    ) throws -> ClaimedBatch? {
        guard case .pushes(let pushes) = try PostgreSQLPushRow.readable(session, number: claim.push) else {
            try setAside(push: claim.push, now: now, session)
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
            try setAside(claim, now: now, session)
            return nil
        }
        var batch = ClaimedBatch(
            number: claim.number, generation: claim.generation, push: push, installations: installations,
            deviceTokens: tokens, outcomes: claim.outcomes.map(DeviceOutcome.init(rawValue:)),
            badges: badges, articles: articles.map { Int($0) - 1 }, attemptCount: Int(claim.attempts) - 1,
            readyAt: Instant(millisecondsSince1970: claim.notBefore), leaseUntil: leaseUntil)
        if let increment = push.request.badgeIncrement, claim.badges == nil, push.state == .running {
            batch.badges = try raiseBadges(batch.installations, by: increment, app: push.app, session)
            try session.execute(
                "UPDATE batches SET badges = $1 WHERE number = $2",
                [.bytes(NumberList.encodeEach(batch.badges)), .integer(claim.number)])
        }
        return batch
    }

    // MARK: - What cannot be read

    /// Ends a batch that cannot be read: each of its devices that has no outcome gets one, and the push says so.
    private static func setAside(_ claim: Claim, now: Instant, _ session: Session) throws {
        let outcomes =
            claim.outcomes.count == claim.deviceCount
            ? claim.outcomes : Array(repeating: DeviceOutcome.pending.rawValue, count: claim.deviceCount)
        try end([(number: claim.number, outcomes: outcomes)], as: .damaged, now: now, session)
        try note(
            "batch \(claim.number) cannot be read: \(outcomes.count { $0 == 0 }) devices were not sent to",
            push: claim.push, now: now, session)
    }

    /// Ends a push whose row cannot be read, with all its devices.
    static func setAside(
        push: Int64, because text: String = "the stored request cannot be read", now: Instant,
        _ session: Session
    ) throws {
        try session.execute(
            """
            UPDATE pushes SET state = 'cancelled', error = $1, \(PushRow.keptNotes), updated_at = $2,
                ended_at = coalesce(ended_at, $2) WHERE number = $3
            """, [.text(text), .integer(now.millisecondsSince1970), .integer(push)])
        try session.execute("UPDATE segments SET is_planned = TRUE WHERE push = $1", [.integer(push)])
        try end(
            try openBatches(of: push, states: "0, 1, 3, 4", session), as: .damaged, now: now, session)
    }

    /// The batches of a push in some states, locked in their order.
    ///
    /// - Parameter states: written in the source.
    static func openBatches(
        of push: Int64, states: String, _ session: Session
    ) throws -> [(number: Int64, outcomes: [UInt8])] {
        try session.query(
            """
            SELECT number, outcomes FROM batches WHERE push = $1 AND state IN (\(states)) ORDER BY number FOR UPDATE
            """, [.integer(push)]
        ).map { (number: try $0.integer(0), outcomes: try $0.bytes(1)) }
    }

    /// Ends batches; devices without an outcome get this one.
    static func end(
        _ batches: [(number: Int64, outcomes: [UInt8])], as outcome: DeviceOutcome, now: Instant,
        _ session: Session
    ) throws {
        guard !batches.isEmpty else { return }
        let ended = batches.map { batch in
            batch.outcomes.map { $0 == DeviceOutcome.pending.rawValue ? outcome.rawValue : $0 }
        }
        try session.execute(
            """
            UPDATE batches AS b SET state = 2, outcomes = e.outcomes, pending_count = 0, finished_at = $3,
                generation = b.generation + 1, lease_until = NULL
            FROM unnest($1, $2) AS e(number, outcomes) WHERE b.number = e.number
            """,
            [
                .integers(batches.map(\.number)), .blobs(ended), .integer(now.millisecondsSince1970),
            ])
    }

    /// Adds a sentence to what was left out of a push.
    static func note(_ text: String, push: Int64, now: Instant, _ session: Session) throws {
        // One sentence for each zone would grow without end.
        try session.execute(
            """
            UPDATE pushes SET updated_at = $1,
                notes = CASE WHEN notes IS NULL THEN $2 WHEN length(notes) < 400 THEN notes || '; ' || $2
                    ELSE notes END
            WHERE number = $3
            """, [.integer(now.millisecondsSince1970), .text(text), .integer(push)])
    }

    private static func tokens(_ text: String) -> [String]? {
        guard let json = try? JSONValue(parsing: text), case .array(let items) = json else { return nil }
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
    public func nextBatchTime(held: Set<Int64>) async throws(StoreError) -> Instant? {
        guard incompatibility == nil else { return nil }
        return try await read { session in
            let row = try session.query(
                """
                SELECT least(
                    (SELECT 0::bigint WHERE EXISTS (SELECT 1 FROM batches WHERE state = 0)),
                    (SELECT min(not_before) FROM batches WHERE state = 4),
                    (SELECT min(lease_until) FROM batches WHERE state = 1 AND number <> ALL ($1)))
                """, [.integers(held.sorted())])[0]
            return try row.optionalInteger(0).map(Instant.init(millisecondsSince1970:))
        }
    }
}
