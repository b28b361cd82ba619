internal import APNs
public import Recurrence
internal import SQLite

extension SQLiteStore: InstallationStore {
    /// Makes or changes one row; concurrent calls share transactions.
    public func save(
        _ change: InstallationChange, app: Int64, now: Instant
    ) async throws(ChangeError) -> SavedInstallation {
        // What does not need the row is checked before the writer is asked.
        let merge = try InstallationMerge(change)
        let result: Result<SavedInstallation, ChangeError>
        do {
            result = try await write { database in
                do {
                    return .success(try Self.save(merge, app: app, now: now, database))
                } catch let error as ChangeError {
                    return .failure(error)
                }
            }
        } catch {
            throw ChangeError(error)
        }
        return try result.get()
    }

    /// Errors of a change are found before the first row is written, so they leave nothing to undo.
    private static func save(
        _ merge: InstallationMerge, app: Int64, now: Instant, _ database: Database
    ) throws -> SavedInstallation {
        let resolution = try merge.resolve(try candidates(merge, app: app, database))
        if let condition = merge.change.condition {
            guard let target = resolution.target,
                try holds(condition, number: target.number, app: app, now: now, database)
            else { throw ChangeError(code: 305, "no effect: the condition in where does not hold") }
        }
        let old =
            resolution.target
            ?? Installation(number: 0, objectID: ObjectID.make(now: now), createdAt: now, updatedAt: now)
        var (row, changedKeys) = try merge.applied(to: old, now: now)
        for obsolete in resolution.obsolete { try InstallationRow.delete(obsolete, app: app, database) }
        if resolution.target == nil {
            guard let number = try InstallationRow.insert(row, app: app, database) else {
                throw ChangeError(code: 137, "deviceToken: another row has it")
            }
            row.number = number
        } else {
            try InstallationRow.update(row, from: old, app: app, database)
        }
        return SavedInstallation(
            installation: row, wasCreated: resolution.target == nil, changedKeys: changedKeys)
    }

    private static func candidates(
        _ merge: InstallationMerge, app: Int64, _ database: Database
    ) throws(SQLiteError) -> InstallationMerge.Candidates {
        var candidates = InstallationMerge.Candidates()
        if let objectID = merge.objectID {
            candidates.byObjectID = try rows("object_id", objectID, app: app, database).first
        }
        if let token = merge.deviceToken {
            candidates.byToken = try rows("device_token", token, app: app, database).first
        }
        if candidates.byObjectID == nil, let id = merge.installationID {
            candidates.byInstallationID = try rows("installation_id", id, app: app, database)
        }
        return candidates
    }

    /// How many rows with one installation id are looked at; more are a client's fault.
    private static let sameInstallationCountMax = 16

    static func rows(
        _ column: StaticString, _ value: String, app: Int64, _ database: Database
    ) throws(SQLiteError) -> [Installation] {
        try database.all(
            """
            SELECT \(InstallationRow.columns) FROM installations i WHERE i.app = ? AND i.\(column) = ?
            ORDER BY i.updated_at DESC LIMIT \(sameInstallationCountMax)
            """, [.integer(app), .text(value)]
        ) { row throws(SQLiteError) in try InstallationRow.read(row) }
    }

    /// The row with an objectId.
    public func installation(objectID: String, app: Int64) async throws(StoreError) -> Installation? {
        try await read { database in
            try Self.rows("object_id", objectID, app: app, database).first
        }
    }

    /// The rows a query asks for.
    public func installations(
        _ find: InstallationFind, app: Int64, now: Instant
    ) async throws(StoreError) -> [Installation] {
        guard find.limit > 0 else { return [] }
        let query = try InstallationQuery(find.filter, app: app, now: now).ordered(by: find.order)
        let (sql, values) = query.statement(selecting: InstallationRow.columns)
        return try await readLimited { database in
            try database.all(
                "\(sql) ORDER BY \(query.order.sql) LIMIT ? OFFSET ?",
                values + query.order.values
                    + [Value(min(find.limit, InstallationFind.limitMax)), Value(max(0, find.skip))]
            ) { row throws(SQLiteError) in try InstallationRow.read(row) }
        }
    }

    /// How many rows a filter matches.
    public func installationCount(
        _ filter: WhereClause?, app: Int64, now: Instant
    ) async throws(StoreError) -> Int {
        let (sql, values) = InstallationQuery(filter, app: app, now: now).statement(selecting: "count(*)")
        return try await readLimited { database in
            try database.first(sql, values) { row throws(SQLiteError) in Int(try row.integer(0)) } ?? 0
        }
    }

    /// Rows in the order of their numbers, for walking all of them.
    public func scanInstallations(
        _ filter: WhereClause?, after: Int64, limit: Int, app: Int64, now: Instant
    ) async throws(StoreError) -> [Installation] {
        let query = InstallationQuery(filter, app: app, now: now, purpose: .walk)
        let (sql, values) = query.statement(selecting: InstallationRow.columns)
        let number = query.parts.number
        return try await readLimited { database in
            try database.all(
                "\(sql) AND \(number) > ? ORDER BY \(number) LIMIT ?",
                values + [.integer(after), Value(limit)]
            ) { row throws(SQLiteError) in try InstallationRow.read(row) }
        }
    }

    /// Deletes a row.
    public func deleteInstallation(
        objectID: String, condition: WhereClause?, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { database in
            guard let row = try Self.rows("object_id", objectID, app: app, database).first else {
                return false
            }
            if let condition {
                guard try Self.holds(condition, number: row.number, app: app, now: now, database) else {
                    throw StoreError(.conditionNotMet, "the condition in where does not hold")
                }
            }
            try InstallationRow.delete(row, app: app, database)
            return true
        }
    }

    private static func holds(
        _ condition: WhereClause, number: Int64, app: Int64, now: Instant, _ database: Database
    ) throws -> Bool {
        let (sql, values) = InstallationQuery(condition, app: app, now: now).statement(selecting: "1")
        return try database.first("\(sql) AND i.number = ?", values + [.integer(number)]) { _ in true }
            ?? false
    }

    /// How many rows one transaction of a removal deletes.
    private static let removalCountMax = 1_000

    /// Removes rows that were not saved for as long as their app's settings say.
    public func removeExpiredInstallations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        var count = 0
        for app in try await apps() {
            let cutoff = now.advanced(bySeconds: -86_400 * Int64(app.settings.installationDays))
            while count < limit {
                let sliceCount = min(limit - count, Self.removalCountMax)
                let numbers = try await read { database in
                    try database.all(
                        "SELECT number FROM installations WHERE +app = ? AND updated_at < ? LIMIT ?",
                        [.integer(app.number), .integer(cutoff.millisecondsSince1970), Value(sliceCount)]
                    ) { row throws(SQLiteError) in try row.integer(0) }
                }
                if numbers.isEmpty { break }
                count += try await remove(numbers, notSavedSince: cutoff, app: app.number)
                if numbers.count < sliceCount { break }
            }
        }
        return count
    }

    /// Deletes those rows that nobody has saved meanwhile.
    private func remove(
        _ numbers: [Int64], notSavedSince cutoff: Instant, app: Int64
    ) async throws(StoreError) -> Int {
        try await write { database in
            var count = 0
            for number in numbers {
                let row = try database.first(
                    "SELECT \(InstallationRow.columns) FROM installations i WHERE i.number = ? AND i.updated_at < ?",
                    [.integer(number), .integer(cutoff.millisecondsSince1970)]
                ) { row throws(SQLiteError) in try InstallationRow.read(row) }
                guard let row else { continue }
                try InstallationRow.delete(row, app: app, database)
                count += 1
            }
            return count
        }
    }
}
