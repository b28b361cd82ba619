internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore {
    /// The record with an objectId or a notification id.
    public func record(id: String, app: Int64) async throws(StoreError) -> PushRecord? {
        try await read { database in
            guard let number = try Self.recordNumber(id: id, app: app, database) else { return nil }
            return try Self.record(number: number, database)
        }
    }

    /// Records, newest first.
    public func records(limit: Int, skip: Int, app: Int64) async throws(StoreError) -> [PushRecord] {
        try await read { database in
            let numbers = try database.all(
                "SELECT number FROM records WHERE app = ? ORDER BY number DESC LIMIT ? OFFSET ?",
                [.integer(app), Value(limit), Value(skip)]
            ) { row throws(SQLiteError) in try row.integer(0) }
            return try numbers.compactMap { try Self.record(number: $0, database) }
        }
    }

    static func recordNumber(
        id: String, app: Int64, _ database: Database
    ) throws(SQLiteError) -> Int64? {
        try database.first(
            """
            SELECT number FROM records WHERE app = ? AND object_id = ?
            UNION ALL SELECT number FROM records WHERE app = ? AND notification_id = ?
            UNION ALL SELECT record FROM pushes WHERE app = ? AND object_id = ? LIMIT 1
            """, [.integer(app), .text(id), .integer(app), .text(id), .integer(app), .text(id)]
        ) { row throws(SQLiteError) in try row.integer(0) }
    }

    static func record(number: Int64, _ database: Database) throws -> PushRecord? {
        let head = try database.first(
            "SELECT object_id, notification_id, created_at FROM records WHERE number = ?", [.integer(number)]
        ) { row throws(SQLiteError) in
            (
                objectID: try row.string(0), notificationID: try row.optionalString(1),
                createdAt: try row.integer(2)
            )
        }
        guard let head else { return nil }
        let pushes = try PushRow.all(
            database, where: "p.record = ? ORDER BY p.number", [.integer(number)])
        var counts = Array(repeating: 0, count: 256)
        var queueing = DurationHistogram()
        var answering = DurationHistogram()
        var updatedAt = head.createdAt
        try database.forEach(
            """
            SELECT b.outcomes, b.first_claimed_at - max(b.due_at, p.created_at), b.device_count, b.answering,
                max(coalesce(b.finished_at, 0), coalesce(b.claimed_at, 0))
            FROM batches AS b JOIN pushes AS p ON p.number = b.push WHERE p.record = ?
            """, [.integer(number)]
        ) { row throws(SQLiteError) in
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
        let (receiptCount, openCount) =
            try database.first(
                """
                SELECT (SELECT count(*) FROM receipts WHERE record = ?1),
                    (SELECT count(*) FROM opens WHERE record = ?1)
                """, [.integer(number)]
            ) { row throws(SQLiteError) in (Int(try row.integer(0)), Int(try row.integer(1))) } ?? (0, 0)
        var outcomes: [DeviceOutcome: Int] = [:]
        for (byte, count) in counts.enumerated() where count > 0 {
            outcomes[DeviceOutcome(rawValue: UInt8(byte))] = count
        }
        for push in pushes {
            updatedAt = max(updatedAt, push.endedAt?.millisecondsSince1970 ?? 0)
        }
        return PushRecord(
            objectID: head.objectID, notificationID: head.notificationID, pushes: pushes,
            createdAt: Instant(millisecondsSince1970: head.createdAt),
            updatedAt: Instant(millisecondsSince1970: updatedAt), outcomes: outcomes,
            queueing: queueing.timing, answering: answering.timing, receiptCount: receiptCount,
            openCount: openCount)
    }

    /// Cancels what is still queued of a record's pushes and removes the record.
    public func deleteRecord(id: String, app: Int64, now: Instant) async throws(StoreError) -> Bool {
        try await write { database in
            guard let number = try Self.recordNumber(id: id, app: app, database) else { return false }
            // Rows of a push in a sender's hands go too: what it reports then finds no batch, and it stops.
            try database.execute("DELETE FROM records WHERE number = ?", [.integer(number)])
            return true
        }
    }

    /// Counts that an installation opened a push; once for each.
    public func countOpen(
        record id: String, installation: String?, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { database in
            guard let number = try Self.recordNumber(id: id, app: app, database) else { return false }
            let count = try database.execute(
                "INSERT OR IGNORE INTO opens (record, installation, at) VALUES (?, ?, ?)",
                [
                    .integer(number),
                    // Without a name every open is somebody else's.
                    .text(installation ?? "? \(PushIdentifier.random())"),
                    .integer(now.millisecondsSince1970),
                ])
            if count > 0 {
                try WebhookOutbox.add(
                    .opened(pushID: id, installationID: installation, at: now), app: app, now: now,
                    in: database)
            }
            return true
        }
    }

    /// Removes records older than their app keeps them.
    public func removeOldRecords(now: Instant, limit: Int) async throws(StoreError) -> Int {
        var count = 0
        for app in try await apps() {
            let cutoff = now.advanced(bySeconds: -86_400 * Int64(app.settings.recordDays))
            count += try await write { database in
                try database.all(
                    """
                    DELETE FROM records WHERE number IN (
                        SELECT r.number FROM records AS r WHERE r.app = ? AND r.created_at < ?
                        AND NOT EXISTS (SELECT 1 FROM pushes AS p WHERE p.record = r.number
                            AND (p.ended_at IS NULL OR p.ended_at >= ?))
                        LIMIT ?)
                    RETURNING number
                    """,
                    [
                        .integer(app.number), .integer(cutoff.millisecondsSince1970),
                        .integer(cutoff.millisecondsSince1970), Value(limit),
                    ]
                ) { row throws(SQLiteError) in try row.integer(0) }.count
            }
        }
        // The longest span a frequency cap may look back over.
        let capCutoff = now.advanced(bySeconds: -31 * 86_400)
        try await write { database in
            try database.execute(
                "DELETE FROM sent_pushes WHERE at < ?", [.integer(capCutoff.millisecondsSince1970)])
        }
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
        let query = PushAudience(request, app: app, now: now, purpose: .whole)
        let sql = """
            \(query.selectOnly("i.environment, i.locale, i.time_zone, count(*)"))
            GROUP BY i.environment, i.locale, i.time_zone
            """
        return try await read { database in
            var count = AudienceCount()
            try database.forEach(sql, query.values) { row throws(SQLiteError) in
                let rows = Int(try row.integer(3))
                count.total += rows
                count.environments[InstallationRow.environment(try row.integer(0)), default: 0] += rows
                count.locales[try row.optionalString(1), default: 0] += rows
                count.timeZones[try row.optionalString(2), default: 0] += rows
            }
            return count
        }
    }

    /// What is known of a push and a device; nil when the push is not known.
    public func evidence(
        push id: String, installation objectID: String, app: Int64
    ) async throws(StoreError) -> DeliveryEvidence? {
        let installation = try await installation(objectID: objectID, app: app)
        return try await read { database in
            let pushes = try PushRow.all(
                database,
                where: "p.app = ? AND (p.object_id = ? OR r.object_id = ?) ORDER BY p.number LIMIT 1",
                [.integer(app), .text(id), .text(id)])
            guard let push = pushes.first else { return nil }
            func moment(in table: String) throws(SQLiteError) -> Instant? {
                try database.first(
                    """
                    SELECT t.at FROM \(table) AS t JOIN records AS r ON r.number = t.record
                    WHERE r.object_id = ? AND r.app = ? AND t.installation = ?
                    """, [.text(push.recordID), .integer(app), .text(objectID)]
                ) { row throws(SQLiteError) in Instant(millisecondsSince1970: try row.integer(0)) }
            }
            return DeliveryEvidence(
                push: push, installation: installation,
                placements: try Self.placements(of: installation, push: push, database),
                receivedAt: try moment(in: "receipts"), openedAt: try moment(in: "opens"))
        }
    }

    private static func placements(
        of installation: Installation?, push: Push, _ database: Database
    ) throws(SQLiteError) -> [DeliveryEvidence.Placement] {
        guard let installation else { return [] }
        var placements: [DeliveryEvidence.Placement] = []
        try database.forEach(
            """
            SELECT number, installations, tokens, outcomes, details, not_before, claimed_at, finished_at, attempts
            FROM batches WHERE push = ? AND (first = 0 OR (first <= ? AND last >= ?)) ORDER BY number
            """, [.integer(push.number), .integer(installation.number), .integer(installation.number)]
        ) { row throws(SQLiteError) in
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
            guard let position, position < outcomes.count else { return }
            var detail: String?
            if let text = try row.optionalString(4), let json = try? JSONValue(parsing: text),
                case .string(let reason)? = json["\(position)"]
            {
                detail = reason
            }
            placements.append(
                DeliveryEvidence.Placement(
                    batch: try row.integer(0), outcome: DeviceOutcome(rawValue: outcomes[position]),
                    detail: detail, notBefore: Instant(millisecondsSince1970: try row.integer(5)),
                    claimedAt: try row.optionalInteger(6).map(Instant.init(millisecondsSince1970:)),
                    finishedAt: try row.optionalInteger(7).map(Instant.init(millisecondsSince1970:)),
                    attemptCount: Int(try row.integer(8))))
        }
        return placements
    }

    /// Numbers for metrics.
    public func queueCounts(now: Instant) async throws(StoreError) -> QueueCounts {
        try await read { database in
            var pushes: [Push.State: Int] = [:]
            var stoppedCount = 0
            try database.forEach(
                "SELECT state, count(*), count(error) FROM pushes WHERE ended_at IS NULL GROUP BY state"
            ) { row throws(SQLiteError) in
                if let state = Push.State(rawValue: try row.string(0)) {
                    pushes[state] = Int(try row.integer(1))
                    if state == .paused { stoppedCount = Int(try row.integer(2)) }
                }
            }
            // Each state by itself, since each has an index of its own.
            let counts = try [0, 1, 4].map { state in
                try database.first(
                    "SELECT count(*), coalesce(sum(pending_count), 0) FROM batches WHERE state = \(state)"
                ) { row throws(SQLiteError) in (Int(try row.integer(0)), Int(try row.integer(1))) } ?? (0, 0)
            }
            let oldest = try database.first(
                """
                SELECT min(at) FROM (
                    SELECT min(not_before) AS at FROM batches WHERE state = 0
                    UNION ALL SELECT min(not_before) FROM batches WHERE state = 4)
                WHERE at <= ?
                """, [.integer(now.millisecondsSince1970)]
            ) { row throws(SQLiteError) in try row.optionalInteger(0) }
            return QueueCounts(
                pushes: pushes, stoppedPushCount: stoppedCount,
                readyBatchCount: counts[0].0 + counts[2].0, claimedBatchCount: counts[1].0,
                pendingDeviceCount: counts.reduce(0) { $0 + $1.1 },
                oldestDueAt: (oldest ?? nil).map(Instant.init(millisecondsSince1970:)))
        }
    }
}
