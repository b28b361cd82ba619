internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore: ConsoleStore {
    private static let userColumns = "name, role, password_hash, created_at, signed_in_at"

    /// All users by name.
    public func consoleUsers() async throws(StoreError) -> [ConsoleUser] {
        try await read { session in try Self.users(session, "ORDER BY name", []) }
    }

    /// The user with a name.
    public func consoleUser(name: String) async throws(StoreError) -> ConsoleUser? {
        try await read { session in try Self.users(session, "WHERE name = $1", [.text(name)]).first }
    }

    private static func users(
        _ session: Session, _ condition: String, _ values: [Value]
    ) throws -> [ConsoleUser] {
        try session.query("SELECT \(userColumns) FROM console_users \(condition)", values).map { row in
            guard let role = ConsoleUser.Role(rawValue: try row.string(1)) else {
                throw StoreError(.database, "a user of the console has no known role")
            }
            return ConsoleUser(
                name: try row.string(0), role: role, passwordHash: try row.string(2),
                createdAt: Instant(millisecondsSince1970: try row.integer(3)),
                signedInAt: try row.optionalInteger(4).map(Instant.init(millisecondsSince1970:)))
        }
    }

    /// Adds a user.
    public func addConsoleUser(_ user: ConsoleUser, onlyFirst: Bool) async throws(StoreError) {
        try user.validate()
        try await write { session in
            // Two at once must not both be the first.
            try Self.lockUsers(session)
            let found = try session.query(
                "SELECT count(*), count(*) FILTER (WHERE name = $1) FROM console_users", [.text(user.name)])[
                    0]
            let (count, sameNameCount) = (try found.integer(0), try found.integer(1))
            if onlyFirst, count > 0 { throw StoreError(.conflict, "the console has a user already") }
            guard sameNameCount == 0 else {
                throw StoreError(.conflict, "name: there is a user with this name already")
            }
            try session.execute(
                "INSERT INTO console_users (\(Self.userColumns)) VALUES ($1, $2, $3, $4, $5)",
                [
                    .text(user.name), .text(user.role.rawValue), .text(user.passwordHash),
                    .integer(user.createdAt.millisecondsSince1970),
                    .integer(user.signedInAt?.millisecondsSince1970),
                ])
        }
    }

    /// Changes role and password of a user, and ends the user's sessions.
    public func updateConsoleUser(_ user: ConsoleUser) async throws(StoreError) {
        try user.validate()
        try await write { session in
            try Self.lockUsers(session)
            let changed = try session.execute(
                "UPDATE console_users SET role = $1, password_hash = $2 WHERE name = $3",
                [.text(user.role.rawValue), .text(user.passwordHash), .text(user.name)])
            guard changed == 1 else {
                throw StoreError(.notFound, "name: there is no user with this name")
            }
            try Self.checkOwner(session)
            try session.execute("DELETE FROM console_sessions WHERE user_name = $1", [.text(user.name)])
        }
    }

    /// Removes a user with all sessions.
    public func removeConsoleUser(name: String) async throws(StoreError) -> Bool {
        try await write { session in
            try Self.lockUsers(session)
            // The sessions go with the user.
            let count = try session.execute("DELETE FROM console_users WHERE name = $1", [.text(name)])
            guard count > 0 else { return false }
            try Self.checkOwner(session)
            return true
        }
    }

    /// Makes changes of users wait for each other, so that two cannot each take the other's last owner away.
    private static func lockUsers(_ session: Session) throws {
        try session.execute("LOCK TABLE console_users IN SHARE ROW EXCLUSIVE MODE")
    }

    /// Without an owner nobody could add one.
    private static func checkOwner(_ session: Session) throws {
        let owners = try session.query("SELECT 1 FROM console_users WHERE role = 'owner' LIMIT 1")
        guard !owners.isEmpty else { throw StoreError(.invalid, "role: the last owner has to stay one") }
    }

    // MARK: - Sessions

    /// Adds a session, notes that the user signed in, and forgets sessions that have ended.
    public func addConsoleSession(_ added: ConsoleSession) async throws(StoreError) {
        try await write { session in
            let at = Value.integer(added.createdAt.millisecondsSince1970)
            try session.execute("DELETE FROM console_sessions WHERE expires_at <= $1", [at])
            let known = try session.execute(
                "UPDATE console_users SET signed_in_at = $1 WHERE name = $2", [at, .text(added.user)])
            guard known == 1 else {
                throw StoreError(.notFound, "name: there is no user with this name")
            }
            try session.execute(
                """
                INSERT INTO console_sessions (digest, user_name, created_at, expires_at)
                VALUES ($1, $2, $3, $4)
                """,
                [
                    .bytes(added.digest), .text(added.user), at,
                    .integer(added.expiresAt.millisecondsSince1970),
                ])
        }
    }

    /// The session of a secret's digest with its user; nil when there is none or it has ended.
    public func consoleSession(
        digest: [UInt8], now: Instant
    ) async throws(StoreError) -> (session: ConsoleSession, user: ConsoleUser)? {
        try await read { session in
            let found = try session.query(
                """
                SELECT user_name, created_at, expires_at FROM console_sessions
                WHERE digest = $1 AND expires_at > $2
                """, [.bytes(digest), .integer(now.millisecondsSince1970)]
            ).first.map { row in
                ConsoleSession(
                    digest: digest, user: try row.string(0),
                    createdAt: Instant(millisecondsSince1970: try row.integer(1)),
                    expiresAt: Instant(millisecondsSince1970: try row.integer(2)))
            }
            guard let found, let user = try Self.users(session, "WHERE name = $1", [.text(found.user)]).first
            else { return nil }
            return (session: found, user: user)
        }
    }

    /// Ends a session.
    public func removeConsoleSession(digest: [UInt8]) async throws(StoreError) {
        try await write { session in
            try session.execute("DELETE FROM console_sessions WHERE digest = $1", [.bytes(digest)])
        }
    }

    // MARK: - Views

    /// Installations of an app by their objectIds, the largest first.
    public func newestInstallations(limit: Int, app: Int64) async throws(StoreError) -> [Installation] {
        try await read { session in
            try session.query(
                """
                SELECT \(PostgreSQLInstallationRow.columns) FROM (
                    SELECT installation, key FROM installation_keys WHERE app = $1 AND kind = 0
                    ORDER BY key DESC LIMIT $2) AS k
                JOIN installations AS i ON i.number = k.installation ORDER BY k.key DESC
                """, [.integer(app), .integer(max(0, limit))]
            ).map { try PostgreSQLInstallationRow.read($0) }
        }
    }

    /// Pushes of an app, newest first, schedules included.
    public func pushes(before: Int64?, limit: Int, app: Int64) async throws(StoreError) -> [Push] {
        try await read { session in
            try PostgreSQLPushRow.all(
                session, where: "p.app = $1 AND p.number < $2 ORDER BY p.number DESC LIMIT $3",
                [.integer(app), .integer(before ?? .max), .integer(max(0, limit))])
        }
    }

    /// How many batches are read at once; one has up to a few KB.
    private static let batchPageCountMax = 2_000

    /// What became of devices over time, in spans of one length; empty spans are left out.
    public func deliverySlices(
        from start: Instant, to end: Instant, stepSeconds: Int64, app: Int64
    ) async throws(StoreError) -> [DeliverySlice] {
        guard stepSeconds > 0 else { throw StoreError(.invalid, "stepSeconds: a positive number is needed") }
        let step = stepSeconds * 1000
        let range: [Value] = [
            .integer(start.millisecondsSince1970), .integer(end.millisecondsSince1970), .integer(app),
        ]
        return try await snapshot { session in
            var slices: [Int64: DeliverySlice] = [:]
            func change(_ at: Int64, _ body: (inout DeliverySlice) -> Void) {
                let index = (at - start.millisecondsSince1970) / step
                let begin = start.advanced(byMilliseconds: index * step)
                body(&slices[index, default: DeliverySlice(start: begin)])
            }
            var counts = [Int](repeating: 0, count: 256)
            try session.forEachPage(
                """
                SELECT b.finished_at, b.outcomes, b.answering
                FROM batches AS b JOIN pushes AS p ON p.number = b.push
                WHERE b.finished_at >= $1 AND b.finished_at < $2 AND p.app = $3
                """, range, rowCountMax: Self.batchPageCountMax
            ) { page in
                for row in page {
                    for byte in try row.bytes(1) { counts[Int(byte)] += 1 }
                    let answering = try row.optionalBytes(2).flatMap(DurationHistogram.init(bytes:))
                    change(try row.integer(0)) { slice in
                        for byte in counts.indices where counts[byte] > 0 {
                            let outcome = DeviceOutcome(rawValue: UInt8(byte))
                            if outcome.isDevice { slice.outcomes[outcome, default: 0] += counts[byte] }
                            counts[byte] = 0
                        }
                        if let answering { slice.answering.add(answering) }
                    }
                }
                return true
            }
            let opens = try session.query(
                """
                SELECT (o.at - $1) / $4, count(*) FROM opens AS o JOIN records AS r ON r.number = o.record
                WHERE o.at >= $1 AND o.at < $2 AND r.app = $3 GROUP BY 1
                """, range + [.integer(step)])
            for row in opens {
                let at = start.millisecondsSince1970 + (try row.integer(0)) * step
                let count = Int(try row.integer(1))
                change(at) { $0.openCount += count }
            }
            return slices.values.sorted { $0.start < $1.start }
        }
    }
}
