internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore: InstallationStore {
    /// Makes or changes one row; concurrent calls share transactions.
    public func save(
        _ change: InstallationChange, app: Int64, now: Instant
    ) async throws(ChangeError) -> SavedInstallation {
        // What does not need the row is checked before the database is asked.
        let merge = try InstallationMerge(change)
        let result: Result<SavedInstallation, ChangeError> = await withCheckedContinuation { continuation in
            let job = SaveGroups.Job(merge: merge, app: app, now: now) { continuation.resume(returning: $0) }
            if saves.add(job) { Task { await runSaves() } }
        }
        return try result.get()
    }

    /// Writes groups of saves until none waits; whoever waits for a save waits for this.
    private func runSaves() async {
        while true {
            let jobs = saves.next()
            if jobs.isEmpty { return }
            await write(jobs)
        }
    }

    /// A group that fails for what is in one of its saves is run again one by one, so that each gets its own verdict.
    private func write(_ jobs: [SaveGroups.Job]) async {
        do throws(StoreError) {
            let results = try await write { session in try Self.save(jobs, session) }
            for (job, result) in zip(jobs, results) { job.answer(result) }
        } catch {
            // A server that is away is so for each; and what may have been kept must not be done twice.
            let isOfAll = [.unavailable, .uncertain, .overloaded, .full].contains(error.code)
            guard jobs.count > 1, !isOfAll else {
                for job in jobs { job.answer(.failure(Self.changeError(error))) }
                return
            }
            for job in jobs { await write([job]) }
        }
    }

    private static func changeError(_ error: StoreError) -> ChangeError {
        error.code == .conflict
            ? ChangeError(code: 137, "deviceToken: another row has it") : ChangeError(error)
    }

    private static func save(
        _ jobs: [SaveGroups.Job], _ session: Session
    ) throws -> [Result<SavedInstallation, ChangeError>] {
        var keys: [InstallationChanges.Key] = []
        var ids: [(app: Int64, id: String)] = []
        for job in jobs {
            if let id = job.merge.objectID { keys.append(.init(app: job.app, kind: 0, text: id)) }
            if let token = job.merge.deviceToken { keys.append(.init(app: job.app, kind: 1, text: token)) }
            if let id = job.merge.installationID { ids.append((job.app, id)) }
        }
        var overlay = try InstallationOverlay(keys: keys, installationIDs: ids, session)
        var results: [Result<SavedInstallation, ChangeError>] = []
        for job in jobs {
            do {
                results.append(.success(try save(job, &overlay, session)))
            } catch let error as ChangeError {
                results.append(.failure(error))
            }
        }
        let numbers = try overlay.finish(session)
        return results.map { result in
            result.map { saved in
                var saved = saved
                if let number = numbers[saved.installation.number] { saved.installation.number = number }
                return saved
            }
        }
    }

    /// Errors of a change are found before anything is noted, so they leave nothing to undo.
    private static func save(
        _ job: SaveGroups.Job, _ overlay: inout InstallationOverlay, _ session: Session
    ) throws -> SavedInstallation {
        let merge = job.merge
        var candidates = InstallationMerge.Candidates()
        candidates.byObjectID = overlay.row(0, merge.objectID, app: job.app)
        candidates.byToken = overlay.row(1, merge.deviceToken, app: job.app)
        if candidates.byObjectID == nil {
            candidates.byInstallationID = overlay.rows(installationID: merge.installationID, app: job.app)
        }
        let resolution = try merge.resolve(candidates)
        if let condition = merge.change.condition {
            guard let target = resolution.target,
                try holds(condition, target, app: job.app, now: job.now, session)
            else { throw ChangeError(code: 305, "no effect: the condition in where does not hold") }
        }
        let old =
            resolution.target
            ?? Installation(
                number: 0, objectID: ObjectID.make(now: job.now), createdAt: job.now, updatedAt: job.now)
        var (row, changedKeys) = try merge.applied(to: old, now: job.now)
        for obsolete in resolution.obsolete { overlay.delete(obsolete, app: job.app) }
        if resolution.target == nil {
            row.number = overlay.insert(row, app: job.app)
        } else {
            overlay.update(row, app: job.app)
        }
        return SavedInstallation(
            installation: row, wasCreated: resolution.target == nil, changedKeys: changedKeys)
    }

    /// Whether a row, as the transaction has it now, holds a condition.
    private static func holds(
        _ condition: WhereClause, _ row: Installation, app: Int64, now: Instant, _ session: Session
    ) throws -> Bool {
        try WhereResidual(whole: condition, app: app, now: now).matches([row], session)[0]
    }

    /// The row with an objectId.
    public func installation(objectID: String, app: Int64) async throws(StoreError) -> Installation? {
        try await read { session in
            try session.query(
                """
                SELECT \(PostgreSQLInstallationRow.columns) FROM installation_keys AS k
                JOIN installations AS i ON i.number = k.installation WHERE k.app = $1 AND k.kind = 0 AND k.key = $2
                """, [.integer(app), .text(objectID)]
            ).first.map { try PostgreSQLInstallationRow.read($0) }
        }
    }

    /// The rows a query asks for.
    public func installations(
        _ find: InstallationFind, app: Int64, now: Instant
    ) async throws(StoreError) -> [Installation] {
        guard find.limit > 0 else { return [] }
        let query = PostgreSQLWhere(find.filter, app: app, now: now)
        let order = try Self.order(find.order, query)
        let limit = min(find.limit, InstallationFind.limitMax)
        let skip = max(0, find.skip)
        var sql = PostgreSQLFragment("SELECT ")
        sql.append(Self.columns)
        sql.append(" FROM ")
        sql.append(query.source)
        sql.append(" WHERE ")
        sql.append(query.condition)
        sql.append(" ORDER BY ")
        sql.append(order)
        guard let residual = query.residual else {
            sql.append(" LIMIT ? OFFSET ?", [.integer(limit), .integer(skip)])
            let statement = sql.statement
            return try await readLimited { session, _ in
                try session.query(statement.sql, statement.values, isKept: false).map {
                    try PostgreSQLInstallationRow.read($0)
                }
            }
        }
        let statement = sql.statement
        return try await readLimited { session, deadline in
            var found: [Installation] = []
            try residual.forEachMatch(statement, session, deadline) { row in
                found.append(row)
                return found.count < skip + limit
            }
            return Array(found.dropFirst(skip))
        }
    }

    /// The columns of a row, as a piece of SQL.
    static let columns = PostgreSQLFragment(PostgreSQLInstallationRow.columns)

    private static func order(
        _ keys: [InstallationFind.Order], _ query: PostgreSQLWhere
    ) throws(StoreError) -> PostgreSQLFragment {
        guard keys.count <= InstallationQuery.orderCountMax else {
            throw StoreError(
                .invalid,
                "order: \(keys.count) keys were found, \(InstallationQuery.orderCountMax) are allowed")
        }
        var sql = PostgreSQLFragment()
        for key in keys {
            do {
                for part in try PostgreSQLWhere.order(by: key.key) {
                    sql.append(part)
                    sql.append(key.isDescending ? " DESC NULLS LAST, " : " ASC NULLS FIRST, ")
                }
            } catch {
                throw StoreError(.invalid, "order: \(error.message)")
            }
        }
        // The nearest come first where a place is asked for; otherwise the oldest.
        if keys.isEmpty, let distance = query.distance {
            sql.append(distance)
            sql.append(", ")
        }
        sql.append("i.number")
        return sql
    }

    /// How many rows a filter matches.
    public func installationCount(
        _ filter: WhereClause?, app: Int64, now: Instant
    ) async throws(StoreError) -> Int {
        let query = PostgreSQLWhere(filter, app: app, now: now)
        guard let residual = query.residual else {
            var sql = PostgreSQLFragment("SELECT count(*) FROM ")
            if let channel = query.wholeChannel {
                // Its members are counted without looking at each.
                sql.append(
                    "installation_channels WHERE app = ? AND channel = ?", [.integer(app), .text(channel)])
            } else {
                sql.append(query.source)
                sql.append(" WHERE ")
                sql.append(query.condition)
            }
            let statement = sql.statement
            return try await readLimited { session, _ in
                Int(try session.query(statement.sql, statement.values, isKept: false)[0].integer(0))
            }
        }
        let statement = Self.rows(of: query).statement
        return try await readLimited { session, deadline in
            var count = 0
            try residual.forEachMatch(statement, session, deadline) { _ in
                count += 1
                return true
            }
            return count
        }
    }

    /// All columns of the rows that a query finds.
    static func rows(of query: PostgreSQLWhere) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment("SELECT ")
        sql.append(columns)
        sql.append(" FROM ")
        sql.append(query.source)
        sql.append(" WHERE ")
        sql.append(query.condition)
        return sql
    }

    /// Rows in the order of their numbers, for walking all of them.
    public func scanInstallations(
        _ filter: WhereClause?, after: Int64, limit: Int, app: Int64, now: Instant
    ) async throws(StoreError) -> [Installation] {
        let query = PostgreSQLWhere(filter, app: app, now: now, purpose: .walk)
        var sql = Self.rows(of: query)
        sql.append(query.onward(after: after))
        guard let residual = query.residual else {
            sql.append(" LIMIT ?", [.integer(limit)])
            let statement = sql.statement
            return try await readLimited { session, _ in
                try session.query(statement.sql, statement.values, isKept: false).map {
                    try PostgreSQLInstallationRow.read($0)
                }
            }
        }
        let statement = sql.statement
        return try await readLimited { session, deadline in
            var found: [Installation] = []
            guard limit > 0 else { return found }
            try residual.forEachMatch(statement, session, deadline) { row in
                found.append(row)
                return found.count < limit
            }
            return found
        }
    }

    /// Deletes a row.
    public func deleteInstallation(
        objectID: String, condition: WhereClause?, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { session in
            var overlay = try InstallationOverlay(
                keys: [.init(app: app, kind: 0, text: objectID)], installationIDs: [], session)
            guard let row = overlay.row(0, objectID, app: app) else { return false }
            if let condition {
                guard try Self.holds(condition, row, app: app, now: now, session) else {
                    throw StoreError(.conditionNotMet, "the condition in where does not hold")
                }
            }
            overlay.delete(row, app: app)
            _ = try overlay.finish(session)
            return true
        }
    }

    /// How many rows one transaction of a removal deletes.
    private static let removalCountMax = 1_000

    /// Removes rows that were not saved for as long as their app's settings say.
    public func removeExpiredInstallations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        guard try await hasLease() else { return 0 }
        var count = 0
        for app in try await apps() {
            let cutoff = now.advanced(bySeconds: -86_400 * Int64(app.settings.installationDays))
            while count < limit {
                let sliceCount = min(limit - count, Self.removalCountMax)
                let numbers = try await read { session in
                    try session.query(
                        "SELECT number FROM installations WHERE app = $1 AND updated_at < $2 LIMIT $3",
                        [
                            .integer(app.number), .integer(cutoff.millisecondsSince1970),
                            .integer(sliceCount),
                        ]
                    ).map { try $0.integer(0) }
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
        try await write { session in
            var changes = InstallationChanges()
            var count = 0
            for row in try PostgreSQLInstallationRow.locked(numbers, app: app, session)
            where row.updatedAt < cutoff {
                changes.set(nil, from: row, number: row.number, app: app)
                count += 1
            }
            try session.pipeline(try changes.statements())
            return count
        }
    }
}

extension WhereResidual {
    /// How many rows are read at once.
    private static let pageCountMax = 1_000

    /// Reads the rows a statement finds, page by page, and hands out those that hold the condition.
    ///
    /// - Parameters:
    ///   - deadline: when it is given up.
    ///   - body: false ends the walk.
    func forEachMatch(
        _ statement: Statement, _ session: Session, _ deadline: QueryDeadline? = nil,
        _ body: (Installation) throws -> Bool
    ) throws {
        try session.forEachPage(statement.sql, statement.values, rowCountMax: Self.pageCountMax) { page in
            let rows = try page.map { try PostgreSQLInstallationRow.read($0) }
            for (row, isMatch) in zip(rows, try matches(rows, session)) where isMatch {
                guard try body(row) else { return false }
            }
            // What the server does for the next page has what is left of the time.
            try deadline?.apply(to: session)
            return true
        }
    }
}
