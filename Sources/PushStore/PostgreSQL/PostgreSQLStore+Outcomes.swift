internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// Stores a report and its effects in one transaction.
    public func store(
        _ report: BatchReport, of batch: ClaimedBatch, now: Instant
    ) async throws(StoreError) -> Push.State {
        try await write { session in
            let (state, kept, details, histogram) = try Self.current(batch, report, session)
            var outcomes = report.outcomes
            // A report comes twice when the connection broke while it was being kept: who is in a later batch by now
            // is not handed on again.
            let deferrals = report.deferrals.compactMap { deferral -> BatchReport.Deferral? in
                var deferral = deferral
                deferral.positions.removeAll {
                    kept.indices.contains($0) && kept[$0] == DeviceOutcome.moved.rawValue
                }
                return deferral.positions.isEmpty ? nil : deferral
            }
            for deferral in report.deferrals {
                for position in deferral.positions { outcomes[position] = .moved }
            }
            var statements = [
                try Self.update(batch, outcomes, report, state, details, histogram, now: now)
            ]
            statements += Self.effects(report, outcomes, of: batch, now: now)
            var isStopping = false
            if case .stop(let text) = report.next, state == .running {
                isStopping = true
                statements.append(
                    Statement(
                        """
                        UPDATE pushes SET state = 'paused', error = $1, \(PushRow.keptNotes), updated_at = $2
                        WHERE number = $3
                        """,
                        [.text(text), .integer(now.millisecondsSince1970), .integer(batch.push.number)]))
            }
            try session.pipeline(statements)
            if !report.deadTokens.isEmpty { try Self.remove(report.deadTokens, of: batch, now: now, session) }
            try NewBatch.insert(
                deferrals.map { Self.handedOn($0, of: batch, report) }, now: now, session)
            if isStopping || state == .paused {
                try session.execute(
                    "UPDATE batches SET state = 3 WHERE push = $1 AND state IN (0, 4)",
                    [.integer(batch.push.number)])
            }
            return isStopping ? .paused : state
        }
    }

    /// Where the push stands, and what the batch keeps beside its outcomes; the batch is locked.
    ///
    /// - Throws: `leaseLost` when the batch is another sender's by now: a sender that was stopped for longer than its
    ///   lease learns it here, before anything it brings is looked at.
    private static func current(
        _ batch: ClaimedBatch, _ report: BatchReport, _ session: Session
    ) throws -> (state: Push.State, kept: [UInt8], details: String?, histogram: DurationHistogram) {
        // Whoever pauses or cancels the push has to wait where its state decides what becomes of devices.
        let lock =
            switch report.next {
            case .stop: "FOR NO KEY UPDATE"
            case .giveBack: "FOR SHARE"
            case .goOn, .finish: report.deferrals.isEmpty ? "" : "FOR SHARE"
            }
        let found = try session.pipeline([
            Statement(
                "SELECT state FROM pushes WHERE number = $1 \(lock)", [.integer(batch.push.number)]),
            Statement(
                """
                SELECT details, answering, \(report.deferrals.isEmpty ? "NULL" : "outcomes") FROM batches WHERE number = $1 AND generation = $2 AND state = 1
                FOR UPDATE
                """, [.integer(batch.number), .integer(batch.generation)]),
        ])
        guard let state = try found[0].first.flatMap({ Push.State(rawValue: try $0.string(0)) }) else {
            throw StoreError(.leaseLost, "the push of batch \(batch.number) is gone")
        }
        guard let row = found[1].first else {
            throw StoreError(.leaseLost, "another sender has taken batch \(batch.number) over")
        }
        return (
            state, try row.optionalBytes(2) ?? [], try row.optionalString(0),
            try row.optionalBytes(1).flatMap(DurationHistogram.init(bytes:)) ?? DurationHistogram()
        )
    }

    private static func update(
        _ batch: ClaimedBatch, _ outcomes: [DeviceOutcome], _ report: BatchReport, _ pushState: Push.State,
        _ formerDetails: String?, _ formerHistogram: DurationHistogram, now: Instant
    ) throws -> Statement {
        let pendingCount = outcomes.count { $0 == .pending }
        var state: Int64 = 1
        var leaseUntil: Instant? = batch.leaseUntil
        var finishedAt: Instant?
        // Devices of a batch that is handed back have not had their turn: they are tried as often as others.
        var isAttempt = true
        switch report.next {
        case .goOn(let until): leaseUntil = until
        case .finish:
            precondition(pendingCount == 0, "a batch is finished when every device has its outcome")
            state = 2
            finishedAt = now
        case .giveBack:
            state = pushState == .paused ? 3 : 0
            leaseUntil = nil
            isAttempt = false
        case .stop:
            // Held until somebody resumes the push; of one that was cancelled meanwhile nobody does, and whoever claims
            // the batch next ends it.
            state = pendingCount == 0 ? 2 : pushState.isFinal ? 0 : 3
            isAttempt = pendingCount == 0
            finishedAt = pendingCount == 0 ? now : nil
            leaseUntil = nil
        }
        var details = formerDetails
        if !report.details.isEmpty {
            var members: [String: JSONValue] = [:]
            if let details, case .object(let old)? = try? JSONValue(parsing: details) { members = old }
            for detail in report.details { members["\(detail.position)"] = .string(detail.text) }
            details = (try? JSONValue.object(members).encoded()).map { String(decoding: $0, as: UTF8.self) }
        }
        var histogram = formerHistogram
        histogram.add(report.answering)
        return Statement(
            """
            UPDATE batches SET outcomes = $1, pending_count = $2, state = $3, not_before = $4, lease_until = $5,
                finished_at = $6, details = $7, answering = $8, articles = coalesce($9, articles),
                attempts = attempts - $10
            WHERE number = $11 AND generation = $12 AND state = 1
            """,
            [
                .bytes(outcomes.map(\.rawValue)), .integer(pendingCount), .integer(state),
                .integer(batch.readyAt.millisecondsSince1970), .integer(leaseUntil?.millisecondsSince1970),
                .integer(finishedAt?.millisecondsSince1970), .text(details), .bytes(histogram.bytes),
                .bytes(
                    report.articles.isEmpty
                        ? nil : NumberList.encodeEach(report.articles.map { Int64($0 + 1) })),
                .integer(isAttempt ? 0 : 1), .integer(batch.number), .integer(batch.generation),
            ])
    }

    /// What the outcomes mean for installations, but for tokens that are dead.
    private static func effects(
        _ report: BatchReport, _ outcomes: [DeviceOutcome], of batch: ClaimedBatch, now: Instant
    ) -> [Statement] {
        var statements: [Statement] = []
        if !report.environments.isEmpty {
            let learned = report.environments.sorted { $0.installation < $1.installation }
            statements.append(
                Statement(
                    """
                    UPDATE installations AS i SET environment = n.environment::smallint
                    FROM unnest($1, $2) AS n(number, environment)
                    WHERE i.number = n.number AND i.environment <> n.environment
                    """,
                    [
                        .integers(learned.map(\.installation)),
                        .integers(learned.map { InstallationRow.number($0.environment) }),
                    ]))
        }
        if report.countsForCap {
            let numbers = notShown(report, outcomes, of: batch)
            if !numbers.isEmpty {
                statements.append(
                    Statement(
                        """
                        DELETE FROM sent_pushes AS s USING unnest($1) AS n(number)
                        WHERE s.installation = n.number AND s.push = $2
                        """, [.integers(numbers), .integer(batch.push.number)]))
            }
        }
        if !report.seenArticles.isEmpty { statements.append(see(report.seenArticles, at: now)) }
        return statements
    }

    /// Devices that give back their places under the frequency cap: they were not shown the push.
    ///
    /// One that is tried again keeps its place, as does one that gave no answer: it may have been shown.
    private static func notShown(
        _ report: BatchReport, _ outcomes: [DeviceOutcome], of batch: ClaimedBatch
    ) -> [Int64] {
        let isHeldOn = if case .goOn = report.next { true } else { false }
        return batch.installations.enumerated().filter { position, _ in
            switch outcomes[position] {
            case .accepted, .unanswered, .moved: false
            case .pending: !isHeldOn
            default: outcomes[position] != batch.outcomes[position]
            }
        }.map(\.element)
    }

    /// Deletes the rows of dead tokens, and tells the app's webhooks.
    private static func remove(
        _ deadTokens: [BatchReport.DeadToken], of batch: ClaimedBatch, now: Instant, _ session: Session
    ) throws {
        let rows = try PostgreSQLInstallationRow.locked(
            deadTokens.map(\.installation), app: batch.push.app, session)
        let byNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var changes = InstallationChanges()
        var events: [WebhookEvent] = []
        for dead in deadTokens {
            // APNs: the token may have been registered again since; then it lives.
            guard let row = byNumber[dead.installation], row.deviceToken == dead.deviceToken,
                row.tokenRegisteredAt ?? row.updatedAt <= dead.at
            else { continue }
            changes.set(nil, from: row, number: row.number, app: batch.push.app)
            events.append(
                .tokenGone(
                    objectID: row.objectID, deviceToken: dead.deviceToken, reason: dead.reason, at: dead.at))
        }
        guard !changes.isEmpty else { return }
        try session.pipeline(try changes.statements())
        try add(events, app: batch.push.app, now: now, session)
    }

    /// The later batch of devices that are not to be disturbed now.
    private static func handedOn(
        _ deferral: BatchReport.Deferral, of batch: ClaimedBatch, _ report: BatchReport
    ) -> NewBatch {
        guard !batch.installations.isEmpty else {
            return NewBatch(
                tokens: deferral.positions.map { batch.deviceTokens[$0] }, push: batch.push,
                notBefore: deferral.notBefore, attemptCount: deferral.attemptCount)
        }
        let chosen = report.articles.isEmpty ? batch.articles : report.articles
        return NewBatch(
            deferral.positions.map { batch.installations[$0] }, notBefore: deferral.notBefore,
            dueAt: deferral.notBefore,
            badges: batch.badges.isEmpty ? nil : deferral.positions.map { batch.badges[$0] },
            articles: chosen.isEmpty ? nil : deferral.positions.map { chosen[$0] },
            attemptCount: deferral.attemptCount, push: batch.push)
    }

    /// Hands back all batches of a sender that ends.
    public func release(owner: String, now: Instant) async throws(StoreError) {
        try await write { session in
            let count = try session.execute(
                """
                UPDATE batches SET state = 0, owner = NULL, lease_until = NULL, generation = generation + 1,
                    attempts = attempts - 1
                WHERE state = 1 AND owner = $1
                """, [.text(owner)])
            if count > 0 { try Self.announceWork(session) }
        }
    }
}
