public import Recurrence
internal import SQLite

extension SQLiteStore: ConsoleStore {
    private static let userColumns = "name, role, password_hash, created_at, signed_in_at"

    /// All users by name.
    public func consoleUsers() async throws(StoreError) -> [ConsoleUser] {
        try await read { database in
            try Self.users(database, "ORDER BY name", [])
        }
    }

    /// The user with a name.
    public func consoleUser(name: String) async throws(StoreError) -> ConsoleUser? {
        try await read { database in
            try Self.users(database, "WHERE name = ?", [.text(name)]).first
        }
    }

    private static func users(
        _ database: Database, _ condition: String, _ values: [Value]
    ) throws -> [ConsoleUser] {
        let rows = try database.all("SELECT \(userColumns) FROM console_users \(condition)", values) {
            row throws(SQLiteError) in
            (
                name: try row.string(0), role: try row.string(1), hash: try row.string(2),
                createdAt: try row.integer(3), signedInAt: try row.optionalInteger(4)
            )
        }
        return try rows.map { row in
            guard let role = ConsoleUser.Role(rawValue: row.role) else {
                throw StoreError(.database, "a user of the console has no known role")
            }
            return ConsoleUser(
                name: row.name, role: role, passwordHash: row.hash,
                createdAt: Instant(millisecondsSince1970: row.createdAt),
                signedInAt: row.signedInAt.map(Instant.init(millisecondsSince1970:)))
        }
    }

    /// Adds a user.
    public func addConsoleUser(_ user: ConsoleUser, onlyFirst: Bool) async throws(StoreError) {
        try user.validate()
        try await write { database in
            let names = try database.all("SELECT name FROM console_users") { row throws(SQLiteError) in
                try row.string(0)
            }
            if onlyFirst, !names.isEmpty {
                throw StoreError(.conflict, "the console has a user already")
            }
            guard !names.contains(user.name) else {
                throw StoreError(.conflict, "name: there is a user with this name already")
            }
            try database.execute(
                "INSERT INTO console_users (\(Self.userColumns)) VALUES (?, ?, ?, ?, ?)",
                [
                    .text(user.name), .text(user.role.rawValue), .text(user.passwordHash),
                    .integer(user.createdAt.millisecondsSince1970),
                    Value(user.signedInAt?.millisecondsSince1970),
                ])
        }
    }

    /// Changes role and password of a user, and ends the user's sessions.
    public func updateConsoleUser(_ user: ConsoleUser) async throws(StoreError) {
        try user.validate()
        try await write { database in
            let changed = try database.execute(
                "UPDATE console_users SET role = ?, password_hash = ? WHERE name = ?",
                [.text(user.role.rawValue), .text(user.passwordHash), .text(user.name)])
            guard changed == 1 else {
                throw StoreError(.notFound, "name: there is no user with this name")
            }
            try Self.checkOwner(database)
            try database.execute("DELETE FROM console_sessions WHERE user = ?", [.text(user.name)])
        }
    }

    /// Removes a user with all sessions.
    public func removeConsoleUser(name: String) async throws(StoreError) -> Bool {
        try await write { database in
            try database.execute("DELETE FROM console_sessions WHERE user = ?", [.text(name)])
            let count = try database.execute("DELETE FROM console_users WHERE name = ?", [.text(name)])
            guard count > 0 else { return false }
            try Self.checkOwner(database)
            return true
        }
    }

    /// Without an owner nobody could add one.
    private static func checkOwner(_ database: Database) throws {
        let isThere = try database.first("SELECT 1 FROM console_users WHERE role = 'owner'") { _ in true }
        guard isThere == true else { throw StoreError(.invalid, "role: the last owner has to stay one") }
    }

    // MARK: - Sessions

    /// Adds a session, notes that the user signed in, and forgets sessions that have ended.
    public func addConsoleSession(_ session: ConsoleSession) async throws(StoreError) {
        try await write { database in
            try database.execute(
                "DELETE FROM console_sessions WHERE expires_at <= ?",
                [.integer(session.createdAt.millisecondsSince1970)])
            let known = try database.execute(
                "UPDATE console_users SET signed_in_at = ? WHERE name = ?",
                [.integer(session.createdAt.millisecondsSince1970), .text(session.user)])
            guard known == 1 else {
                throw StoreError(.notFound, "name: there is no user with this name")
            }
            try database.execute(
                "INSERT INTO console_sessions (digest, user, created_at, expires_at) VALUES (?, ?, ?, ?)",
                [
                    .blob(session.digest), .text(session.user),
                    .integer(session.createdAt.millisecondsSince1970),
                    .integer(session.expiresAt.millisecondsSince1970),
                ])
        }
    }

    /// The session of a secret's digest with its user; nil when there is none or it has ended.
    public func consoleSession(
        digest: [UInt8], now: Instant
    ) async throws(StoreError) -> (session: ConsoleSession, user: ConsoleUser)? {
        try await read { database in
            let session = try database.first(
                """
                SELECT user, created_at, expires_at FROM console_sessions WHERE digest = ? AND expires_at > ?
                """, [.blob(digest), .integer(now.millisecondsSince1970)]
            ) { row throws(SQLiteError) in
                ConsoleSession(
                    digest: digest, user: try row.string(0),
                    createdAt: Instant(millisecondsSince1970: try row.integer(1)),
                    expiresAt: Instant(millisecondsSince1970: try row.integer(2)))
            }
            guard let session,
                let user = try Self.users(database, "WHERE name = ?", [.text(session.user)]).first
            else { return nil }
            return (session: session, user: user)
        }
    }

    /// Ends a session.
    public func removeConsoleSession(digest: [UInt8]) async throws(StoreError) {
        try await write { database in
            try database.execute("DELETE FROM console_sessions WHERE digest = ?", [.blob(digest)])
        }
    }

    // MARK: - Views

    /// Installations of an app by their objectIds, the largest first: those made here begin with their time.
    public func newestInstallations(limit: Int, app: Int64) async throws(StoreError) -> [Installation] {
        try await read { database in
            // Without the index a million rows would be sorted for one page.
            try database.all(
                """
                SELECT \(InstallationRow.columns) FROM installations AS i INDEXED BY installations_object_id
                WHERE i.app = ? ORDER BY i.object_id DESC LIMIT ?
                """, [.integer(app), Value(max(0, limit))]
            ) { row throws(SQLiteError) in try InstallationRow.read(row) }
        }
    }

    /// Pushes of an app, newest first, schedules included.
    public func pushes(before: Int64?, limit: Int, app: Int64) async throws(StoreError) -> [Push] {
        try await read { database in
            try PushRow.all(
                database, where: "p.app = ? AND p.number < ? ORDER BY p.number DESC LIMIT ?",
                [.integer(app), .integer(before ?? .max), Value(max(0, limit))])
        }
    }

    /// What became of devices over time, in spans of one length; empty spans are left out.
    public func deliverySlices(
        from start: Instant, to end: Instant, stepSeconds: Int64, app: Int64
    ) async throws(StoreError) -> [DeliverySlice] {
        guard stepSeconds > 0 else { throw StoreError(.invalid, "stepSeconds: a positive number is needed") }
        let step = stepSeconds * 1000
        let range: [Value] = [
            .integer(start.millisecondsSince1970), .integer(end.millisecondsSince1970), .integer(app),
        ]
        return try await read { database in
            var slices: [Int64: DeliverySlice] = [:]
            func change(_ at: Int64, _ body: (inout DeliverySlice) -> Void) {
                let index = (at - start.millisecondsSince1970) / step
                let begin = start.advanced(byMilliseconds: index * step)
                body(&slices[index, default: DeliverySlice(start: begin)])
            }
            var counts = [Int](repeating: 0, count: 256)
            try database.forEach(
                """
                SELECT b.finished_at, b.outcomes, b.answering
                FROM batches AS b JOIN pushes AS p ON p.number = b.push
                WHERE b.finished_at >= ? AND b.finished_at < ? AND p.app = ?
                """, range
            ) { row throws(SQLiteError) in
                let outcomes = try row.bytes(1)
                let answering = try row.optionalBytes(2).flatMap(DurationHistogram.init(bytes:))
                for byte in outcomes { counts[Int(byte)] += 1 }
                change(try row.integer(0)) { slice in
                    for byte in counts.indices where counts[byte] > 0 {
                        let outcome = DeviceOutcome(rawValue: UInt8(byte))
                        if outcome.isDevice { slice.outcomes[outcome, default: 0] += counts[byte] }
                        counts[byte] = 0
                    }
                    if let answering { slice.answering.add(answering) }
                }
            }
            try database.forEach(
                """
                SELECT (o.at - ?1) / ?4, count(*) FROM opens AS o JOIN records AS r ON r.number = o.record
                WHERE o.at >= ?1 AND o.at < ?2 AND r.app = ?3 GROUP BY 1
                """, range + [.integer(step)]
            ) { row throws(SQLiteError) in
                let at = start.millisecondsSince1970 + (try row.integer(0)) * step
                let count = Int(try row.integer(1))
                change(at) { $0.openCount += count }
            }
            return slices.values.sorted { $0.start < $1.start }
        }
    }
}
