internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// Stores a report and its effects in one transaction.
    public func store(
        _ report: BatchReport, of batch: ClaimedBatch, now: Instant
    ) async throws(StoreError) -> Push.State {
        try await write { database in
            guard let state = try Self.state(of: batch.push.number, database) else {
                throw StoreError(.leaseLost, "the push of batch \(batch.number) is gone")
            }
            var outcomes = report.outcomes
            let deferrals = try Self.open(report.deferrals, of: batch, database)
            for deferral in report.deferrals {
                for position in deferral.positions { outcomes[position] = .moved }
            }
            try Self.update(batch, outcomes, report, pushState: state, now: now, database)
            try Self.apply(report, outcomes, of: batch, now: now, database)
            for deferral in deferrals { try Self.hand(on: deferral, of: batch, report, database) }
            if case .stop(let text) = report.next, state == .running {
                try database.execute(
                    """
                    UPDATE pushes SET state = 'paused', error = ?, \(PushRow.keptNotes), updated_at = ?
                    WHERE number = ?
                    """,
                    [.text(text), .integer(now.millisecondsSince1970), .integer(batch.push.number)])
                try database.execute(
                    "UPDATE batches SET state = 3 WHERE push = ? AND state IN (0, 4)",
                    [.integer(batch.push.number)])
                return .paused
            }
            return state
        }
    }

    /// Deferrals without the devices that are in a later batch by now: a report may come twice.
    private static func open(
        _ deferrals: [BatchReport.Deferral], of batch: ClaimedBatch, _ database: Database
    ) throws(SQLiteError) -> [BatchReport.Deferral] {
        guard !deferrals.isEmpty else { return [] }
        let kept = try database.first(
            "SELECT outcomes FROM batches WHERE number = ?", [.integer(batch.number)]
        ) { row throws(SQLiteError) in try row.bytes(0) }
        guard let kept else { return deferrals }
        var open: [BatchReport.Deferral] = []
        for var deferral in deferrals {
            deferral.positions.removeAll {
                kept.indices.contains($0) && kept[$0] == DeviceOutcome.moved.rawValue
            }
            if !deferral.positions.isEmpty { open.append(deferral) }
        }
        return open
    }

    private static func state(of push: Int64, _ database: Database) throws(SQLiteError) -> Push.State? {
        let text = try database.first(
            "SELECT state FROM pushes WHERE number = ?", [.integer(push)]
        ) { row throws(SQLiteError) in try row.string(0) }
        return text.flatMap(Push.State.init(rawValue:))
    }

    /// Writes the batch's row, if it is still this sender's.
    private static func update(
        _ batch: ClaimedBatch, _ outcomes: [DeviceOutcome], _ report: BatchReport, pushState: Push.State,
        now: Instant, _ database: Database
    ) throws {
        let pendingCount = outcomes.count { $0 == .pending }
        var state: Int64 = 1
        let notBefore = batch.readyAt
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
        let (details, answering) = try merged(report, batch, database)
        let changed = try database.execute(
            """
            UPDATE batches SET outcomes = ?, pending_count = ?, state = ?, not_before = ?, lease_until = ?,
                finished_at = ?, details = ?, answering = ?, articles = coalesce(?, articles),
                attempts = attempts - ?
            WHERE number = ? AND generation = ? AND state = 1
            """,
            [
                .blob(outcomes.map(\.rawValue)), Value(pendingCount), .integer(state),
                .integer(notBefore.millisecondsSince1970), Value(leaseUntil?.millisecondsSince1970),
                Value(finishedAt?.millisecondsSince1970), Value(details), Value(answering),
                Value(
                    report.articles.isEmpty
                        ? nil : NumberList.encodeEach(report.articles.map { Int64($0 + 1) })),
                .integer(isAttempt ? 0 : 1), .integer(batch.number), .integer(batch.generation),
            ])
        guard changed == 1 else {
            throw StoreError(.leaseLost, "another sender has taken batch \(batch.number) over")
        }
    }

    /// What a batch keeps beside its outcomes, with what a report adds.
    private static func merged(
        _ report: BatchReport, _ batch: ClaimedBatch, _ database: Database
    ) throws(SQLiteError) -> (details: String?, answering: [UInt8]?) {
        let former = try database.first(
            "SELECT details, answering FROM batches WHERE number = ?", [.integer(batch.number)]
        ) { row throws(SQLiteError) in
            (details: try row.optionalString(0), answering: try row.optionalBytes(1))
        }
        var details = former?.details
        if !report.details.isEmpty {
            var members: [String: JSONValue] = [:]
            if let details, case .object(let old)? = try? JSONValue(parsing: details) { members = old }
            for detail in report.details { members["\(detail.position)"] = .string(detail.text) }
            details = (try? JSONValue.object(members).encoded()).map { String(decoding: $0, as: UTF8.self) }
        }
        var histogram = former?.answering.flatMap(DurationHistogram.init(bytes:)) ?? DurationHistogram()
        histogram.add(report.answering)
        return (details, histogram.bytes)
    }

    /// What the outcomes mean for installations.
    private static func apply(
        _ report: BatchReport, _ outcomes: [DeviceOutcome], of batch: ClaimedBatch, now: Instant,
        _ database: Database
    ) throws(SQLiteError) {
        for learned in report.environments {
            try database.execute(
                "UPDATE installations SET environment = ? WHERE number = ?",
                [
                    .integer(InstallationRow.number(learned.environment)), .integer(learned.installation),
                ])
        }
        for dead in report.deadTokens {
            // APNs: the token may have been registered again since; then it lives.
            let rows = try database.all(
                """
                SELECT \(InstallationRow.columns) FROM installations AS i WHERE i.number = ?
                AND i.device_token = ? AND coalesce(i.token_registered_at, i.updated_at) <= ?
                """,
                [
                    .integer(dead.installation), .text(dead.deviceToken),
                    .integer(dead.at.millisecondsSince1970),
                ]
            ) { row throws(SQLiteError) in try InstallationRow.read(row) }
            for row in rows {
                try InstallationRow.delete(row, app: batch.push.app, database)
                try WebhookOutbox.add(
                    .tokenGone(
                        objectID: row.objectID, deviceToken: dead.deviceToken, reason: dead.reason,
                        at: dead.at),
                    app: batch.push.app, now: now, in: database)
            }
        }
        if report.countsForCap { try giveBackSends(report, outcomes, of: batch, database) }
        for seen in report.seenArticles {
            // Gone rows have no articles.
            let isThere = try database.first(
                "SELECT 1 FROM installations WHERE number = ?", [.integer(seen.installation)]
            ) { _ throws(SQLiteError) in true }
            if isThere == true {
                try see(seen.article, installation: seen.installation, at: now, in: database)
            }
        }
    }

    /// Gives back the places under the frequency cap of devices that were not shown the push.
    ///
    /// One that is tried again keeps its place, as does one that gave no answer: it may have been shown.
    private static func giveBackSends(
        _ report: BatchReport, _ outcomes: [DeviceOutcome], of batch: ClaimedBatch, _ database: Database
    ) throws(SQLiteError) {
        let isHeldOn = if case .goOn = report.next { true } else { false }
        for (position, number) in batch.installations.enumerated() {
            switch outcomes[position] {
            case .accepted, .unanswered, .moved: continue
            case .pending where isHeldOn: continue
            case batch.outcomes[position] where outcomes[position] != .pending: continue
            default: break
            }
            try database.execute(
                "DELETE FROM sent_pushes WHERE installation = ? AND push = ?",
                [.integer(number), .integer(batch.push.number)])
        }
    }

    /// Makes the later batch of devices that are not to be disturbed now.
    private static func hand(
        on deferral: BatchReport.Deferral, of batch: ClaimedBatch, _ report: BatchReport, _ database: Database
    ) throws {
        guard !batch.installations.isEmpty else {
            let tokens = deferral.positions.map { batch.deviceTokens[$0] }
            try insertBatch(
                tokens: tokens, push: batch.push, notBefore: deferral.notBefore,
                attemptCount: deferral.attemptCount, turn: nil, database)
            return
        }
        let numbers = deferral.positions.map { batch.installations[$0] }
        let badges = batch.badges.isEmpty ? nil : deferral.positions.map { batch.badges[$0] }
        let chosen = report.articles.isEmpty ? batch.articles : report.articles
        let articles = chosen.isEmpty ? nil : deferral.positions.map { chosen[$0] }
        try insertBatch(
            numbers, notBefore: deferral.notBefore, dueAt: deferral.notBefore, badges: badges,
            articles: articles, attemptCount: deferral.attemptCount, turn: nil, push: batch.push, database)
    }

    /// Hands back all batches of a sender that ends.
    public func release(owner: String, now: Instant) async throws(StoreError) {
        try await write { database in
            try database.execute(
                """
                UPDATE batches SET state = 0, owner = NULL, lease_until = NULL, generation = generation + 1,
                    attempts = attempts - 1
                WHERE state = 1 AND owner = ?
                """, [.text(owner)])
        }
    }
}
