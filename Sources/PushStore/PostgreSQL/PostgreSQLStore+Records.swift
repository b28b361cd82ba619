internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore {
    /// The record with an objectId or a notification id.
    public func record(id: String, app: Int64) async throws(StoreError) -> PushRecord? {
        try await snapshot { session in
            guard let number = try Self.recordNumber(id: id, app: app, session) else { return nil }
            return try Self.record(number: number, session)
        }
    }

    /// Records, newest first.
    public func records(limit: Int, skip: Int, app: Int64) async throws(StoreError) -> [PushRecord] {
        try await snapshot { session in
            try session.query(
                "SELECT number FROM records WHERE app = $1 ORDER BY number DESC LIMIT $2 OFFSET $3",
                [.integer(app), .integer(limit), .integer(skip)]
            ).compactMap { try Self.record(number: try $0.integer(0), session) }
        }
    }

    static func recordNumber(id: String, app: Int64, _ session: Session) throws -> Int64? {
        try session.query(
            """
            SELECT number FROM records WHERE app = $1 AND object_id = $2
            UNION ALL SELECT number FROM records WHERE app = $1 AND notification_id = $2
            UNION ALL SELECT record FROM pushes WHERE app = $1 AND object_id = $2 LIMIT 1
            """, [.integer(app), .text(id)]
        ).first?.integer(0)
    }

    /// How many batches are read at once; one has up to a few KB.
    private static let batchPageCountMax = 2_000

    static func record(number: Int64, _ session: Session) throws -> PushRecord? {
        let head = try session.query(
            "SELECT object_id, notification_id, created_at FROM records WHERE number = $1", [.integer(number)]
        )
        guard let head = head.first else { return nil }
        let pushes = try PostgreSQLPushRow.all(
            session, where: "p.record = $1 ORDER BY p.number", [.integer(number)])
        var counts = Array(repeating: 0, count: 256)
        var queueing = DurationHistogram()
        var answering = DurationHistogram()
        let createdAt = try head.integer(2)
        var updatedAt = createdAt
        try session.forEachPage(
            """
            SELECT b.outcomes, b.first_claimed_at - greatest(b.due_at, p.created_at), b.device_count, b.answering,
                greatest(coalesce(b.finished_at, 0), coalesce(b.claimed_at, 0))
            FROM batches AS b JOIN pushes AS p ON p.number = b.push WHERE p.record = $1
            """, [.integer(number)], rowCountMax: batchPageCountMax
        ) { page in
            for row in page {
                for byte in try row.bytes(0) { counts[Int(byte)] += 1 }
                if let waited = try row.optionalInteger(1) {
                    queueing.add(
                        microseconds: UInt64(max(0, waited)) * 1000,
                        times: UInt32(clamping: try row.integer(2)))
                }
                if let bytes = try row.optionalBytes(3), let part = DurationHistogram(bytes: bytes) {
                    answering.add(part)
                }
                updatedAt = max(updatedAt, try row.integer(4))
            }
            return true
        }
        let counted = try session.query(
            """
            SELECT (SELECT count(*) FROM receipts WHERE record = $1), (SELECT count(*) FROM opens WHERE record = $1)
            """, [.integer(number)])[0]
        var outcomes: [DeviceOutcome: Int] = [:]
        for (byte, count) in counts.enumerated() where count > 0 {
            outcomes[DeviceOutcome(rawValue: UInt8(byte))] = count
        }
        for push in pushes {
            updatedAt = max(updatedAt, push.endedAt?.millisecondsSince1970 ?? 0)
        }
        return PushRecord(
            objectID: try head.string(0), notificationID: try head.optionalString(1), pushes: pushes,
            createdAt: Instant(millisecondsSince1970: createdAt),
            updatedAt: Instant(millisecondsSince1970: updatedAt), outcomes: outcomes,
            queueing: queueing.timing, answering: answering.timing,
            receiptCount: Int(try counted.integer(0)), openCount: Int(try counted.integer(1)))
    }

    /// Cancels what is still queued of a record's pushes and removes the record.
    public func deleteRecord(id: String, app: Int64, now: Instant) async throws(StoreError) -> Bool {
        try await write { session in
            guard let number = try Self.recordNumber(id: id, app: app, session) else { return false }
            // Rows of a push in a sender's hands go too: what it reports then finds no batch, and it stops.
            try session.execute("DELETE FROM records WHERE number = $1", [.integer(number)])
            return true
        }
    }

    /// Counts that an installation opened a push; once for each.
    public func countOpen(
        record id: String, installation: String?, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { session in
            guard let number = try Self.recordNumber(id: id, app: app, session) else { return false }
            let count = try session.execute(
                """
                INSERT INTO opens (record, installation, at)
                SELECT number, $2, $3 FROM records WHERE number = $1 FOR KEY SHARE
                ON CONFLICT DO NOTHING
                """,
                [
                    .integer(number),
                    // Without a name every open is somebody else's.
                    .text(installation ?? "? \(PushIdentifier.random())"),
                    .integer(now.millisecondsSince1970),
                ])
            if count > 0 {
                try Self.add(
                    [.opened(pushID: id, installationID: installation, at: now)], app: app, now: now, session)
            }
            return true
        }
    }

    /// Removes records older than their app keeps them; the parts of tables that have become empty go too.
    public func removeOldRecords(now: Instant, limit: Int) async throws(StoreError) -> Int {
        guard try await hasLease() else { return 0 }
        var count = 0
        for app in try await apps() {
            let cutoff = now.advanced(bySeconds: -86_400 * Int64(app.settings.recordDays))
            count += try await write { session in
                try session.execute(
                    """
                    DELETE FROM records WHERE number IN (
                        SELECT r.number FROM records AS r WHERE r.app = $1 AND r.created_at < $2
                        AND NOT EXISTS (SELECT 1 FROM pushes AS p WHERE p.record = r.number
                            AND (p.ended_at IS NULL OR p.ended_at >= $2))
                        LIMIT $3)
                    """,
                    [.integer(app.number), .integer(cutoff.millisecondsSince1970), .integer(limit)])
            }
        }
        // The longest span a frequency cap may look back over.
        let capCutoff = now.advanced(bySeconds: -31 * 86_400)
        try await write { session in
            try session.execute(
                "DELETE FROM sent_pushes WHERE at < $1", [.integer(capCutoff.millisecondsSince1970)])
        }
        try await arrangeDays(now: now)
        return count
    }

    /// How many installations a request would reach now, by environment, language and zone.
    public func audience(
        of request: PushRequest, app: App, now: Instant
    ) async throws(StoreError) -> AudienceCount {
        if let tokens = request.givenAddresses {
            var count = AudienceCount()
            count.total = tokens.count
            return count
        }
        let audience = PostgreSQLAudience(request, app: app, now: now, purpose: .whole)
        guard let residual = audience.query.residual else {
            var sql = audience.select("i.environment, i.locale, i.time_zone, count(*)")
            sql.append(" GROUP BY i.environment, i.locale, i.time_zone")
            let statement = sql.statement
            return try await readLimited { session, _ in
                var count = AudienceCount()
                for row in try session.query(statement.sql, statement.values, isKept: false) {
                    count.add(
                        Int(try row.integer(3)), InstallationRow.environment(try row.integer(0)),
                        try row.optionalString(1), try row.optionalString(2))
                }
                return count
            }
        }
        let statement = audience.select(PostgreSQLInstallationRow.columns).statement
        return try await readLimited { session, deadline in
            var count = AudienceCount()
            try residual.forEachMatch(statement, session, deadline) { row in
                count.add(1, row.environment, row.locale, row.timeZone)
                return true
            }
            return count
        }
    }

    /// What is known of a push and a device; nil when the push is not known.
    public func evidence(
        push id: String, installation objectID: String, app: Int64
    ) async throws(StoreError) -> DeliveryEvidence? {
        let installation = try await installation(objectID: objectID, app: app)
        return try await snapshot { session in
            let pushes = try PostgreSQLPushRow.all(
                session,
                where: "p.app = $1 AND (p.object_id = $2 OR r.object_id = $2) ORDER BY p.number LIMIT 1",
                [.integer(app), .text(id)])
            guard let push = pushes.first else { return nil }
            func moment(in table: String) throws -> Instant? {
                try session.query(
                    """
                    SELECT t.at FROM \(table) AS t JOIN records AS r ON r.number = t.record
                    WHERE r.object_id = $1 AND r.app = $2 AND t.installation = $3
                    """, [.text(push.recordID), .integer(app), .text(objectID)]
                ).first.map { Instant(millisecondsSince1970: try $0.integer(0)) }
            }
            return DeliveryEvidence(
                push: push, installation: installation,
                placements: try Self.placements(of: installation, push: push, session),
                receivedAt: try moment(in: "receipts"), openedAt: try moment(in: "opens"))
        }
    }

    private static func placements(
        of installation: Installation?, push: Push, _ session: Session
    ) throws -> [DeliveryEvidence.Placement] {
        guard let installation else { return [] }
        return try session.query(
            """
            SELECT number, installations, tokens, outcomes, details, not_before, claimed_at, finished_at, attempts
            FROM batches WHERE push = $1 AND (first = 0 OR (first <= $2 AND last >= $2)) ORDER BY number
            """, [.integer(push.number), .integer(installation.number)]
        ).compactMap { row in
            let position: Int?
            if let bytes = try row.optionalBytes(1) {
                position = NumberList.decode(bytes)?.firstIndex(of: installation.number)
            } else if let text = try row.optionalString(2), let token = installation.deviceToken,
                case .array(let items)? = try? JSONValue(parsing: text)
            {
                position = items.firstIndex(of: .string(token))
            } else {
                position = nil
            }
            let outcomes = try row.bytes(3)
            guard let position, position < outcomes.count else { return nil }
            var detail: String?
            if let text = try row.optionalString(4), let json = try? JSONValue(parsing: text),
                case .string(let reason)? = json["\(position)"]
            {
                detail = reason
            }
            return DeliveryEvidence.Placement(
                batch: try row.integer(0), outcome: DeviceOutcome(rawValue: outcomes[position]),
                detail: detail, notBefore: Instant(millisecondsSince1970: try row.integer(5)),
                claimedAt: try row.optionalInteger(6).map(Instant.init(millisecondsSince1970:)),
                finishedAt: try row.optionalInteger(7).map(Instant.init(millisecondsSince1970:)),
                attemptCount: Int(try row.integer(8)))
        }
    }

    /// Numbers for metrics.
    public func queueCounts(now: Instant) async throws(StoreError) -> QueueCounts {
        try await snapshot { session in
            var pushes: [Push.State: Int] = [:]
            var stoppedCount = 0
            for row in try session.query(
                "SELECT state, count(*), count(error) FROM pushes WHERE ended_at IS NULL GROUP BY state")
            {
                if let state = Push.State(rawValue: try row.string(0)) {
                    pushes[state] = Int(try row.integer(1))
                    if state == .paused { stoppedCount = Int(try row.integer(2)) }
                }
            }
            let batches = try session.query(
                """
                SELECT (SELECT count(*) FROM batches WHERE state = 0) + (SELECT count(*) FROM batches WHERE state = 4),
                    (SELECT count(*) FROM batches WHERE state = 1),
                    (coalesce((SELECT sum(pending_count) FROM batches WHERE state = 0), 0)
                    + coalesce((SELECT sum(pending_count) FROM batches WHERE state = 1), 0)
                    + coalesce((SELECT sum(pending_count) FROM batches WHERE state = 4), 0))::bigint,
                    (SELECT min(at) FROM (
                        SELECT min(not_before) AS at FROM batches WHERE state = 0
                        UNION ALL SELECT min(not_before) FROM batches WHERE state = 4) AS times
                    WHERE at <= $1)
                """, [.integer(now.millisecondsSince1970)])[0]
            return QueueCounts(
                pushes: pushes, stoppedPushCount: stoppedCount,
                readyBatchCount: Int(try batches.integer(0)),
                claimedBatchCount: Int(try batches.integer(1)),
                pendingDeviceCount: Int(try batches.integer(2)),
                oldestDueAt: try batches.optionalInteger(3).map(Instant.init(millisecondsSince1970:)))
        }
    }
}

extension AudienceCount {
    fileprivate mutating func add(
        _ rows: Int, _ environment: Environment?, _ locale: String?, _ timeZone: String?
    ) {
        total += rows
        environments[environment, default: 0] += rows
        locales[locale, default: 0] += rows
        timeZones[timeZone, default: 0] += rows
    }
}
