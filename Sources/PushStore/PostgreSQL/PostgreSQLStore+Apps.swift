internal import APNs
internal import PostgreSQL
public import Recurrence

extension PostgreSQLStore: AppStore {
    /// A number that changes with every change of apps, keys, settings or credentials, whoever made it.
    public func administrationRevision() async throws(StoreError) -> Int64 {
        try await read { try $0.query("SELECT revision FROM administration").first?.integer(0) ?? 0 }
    }

    /// All apps by number.
    public func apps() async throws(StoreError) -> [App] {
        try await read { session in
            try session.query(
                "SELECT number, id, name, topic, settings, created_at FROM apps ORDER BY number"
            ).map {
                App(
                    number: try $0.integer(0), id: try $0.string(1), name: try $0.string(2),
                    topic: try $0.string(3), settings: SQLiteStore.settings(try $0.string(4)),
                    createdAt: Instant(millisecondsSince1970: try $0.integer(5)))
            }
        }
    }

    /// Makes an app with its first two keys, all or nothing.
    public func createApp(
        id: String, name: String, topic: String, appKey: String, masterKey: String, now: Instant
    ) async throws(StoreError) -> App {
        try AppRules.check(id: id)
        try AppRules.check(name: name)
        try AppRules.check(topic: topic)
        try AppRules.check(key: appKey, .app)
        try AppRules.check(key: masterKey, .master)
        guard appKey != masterKey else {
            throw StoreError(.invalid, "masterKey: it is the app key; the two have to differ")
        }
        let settings = AppSettings()
        let text = try SQLiteStore.text(settings)
        return try await write { [box] session in
            let made = try session.query(
                """
                INSERT INTO apps (id, name, topic, settings, created_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (id) DO NOTHING RETURNING number
                """,
                [.text(id), .text(name), .text(topic), .text(text), .integer(now.millisecondsSince1970)])
            guard let number = try made.first?.integer(0) else {
                throw StoreError(.conflict, "id: there is an app \(id) already")
            }
            for (kind, key) in [(AppKey.Kind.app, appKey), (.master, masterKey)] {
                try Self.insert(key, kind, app: number, now: now, box, session)
            }
            try Self.bumpRevision(session)
            return App(number: number, id: id, name: name, topic: topic, settings: settings, createdAt: now)
        }
    }

    /// Changes name, topic and settings of an app.
    public func updateApp(_ app: App, now: Instant) async throws(StoreError) {
        try AppRules.check(name: app.name)
        try AppRules.check(topic: app.topic)
        let text = try SQLiteStore.text(app.settings)
        try await write { session in
            let count = try session.execute(
                "UPDATE apps SET name = $1, topic = $2, settings = $3 WHERE number = $4",
                [.text(app.name), .text(app.topic), .text(text), .integer(app.number)])
            guard count == 1 else { throw StoreError(.notFound, "there is no app \(app.id)") }
            try Self.bumpRevision(session)
        }
    }

    /// The keys of an app that are valid at a time, the current ones first.
    public func keys(app: Int64, now: Instant) async throws(StoreError) -> [AppKey] {
        try await read { [box] session in
            try session.query(
                """
                SELECT number, kind, secret, created_at, expires_at FROM app_keys
                WHERE app = $1 AND (expires_at IS NULL OR expires_at > $2)
                ORDER BY expires_at IS NOT NULL, number
                """, [.integer(app), .integer(now.millisecondsSince1970)]
            ).map { row in
                let number = try row.integer(0)
                guard let kind = AppKey.Kind(rawValue: try row.string(1)) else {
                    throw StoreError(.database, "key \(number) is of an unknown kind")
                }
                return AppKey(
                    kind: kind, secret: try box.open(try row.bytes(2), at: SQLiteStore.place(key: number)),
                    createdAt: Instant(millisecondsSince1970: try row.integer(3)),
                    expiresAt: try row.optionalInteger(4).map(Instant.init(millisecondsSince1970:)))
            }
        }
    }

    /// Makes a key the current one of its kind; the former stays valid until a time.
    public func rotateKey(
        app: Int64, kind: AppKey.Kind, secret: String, formerValidUntil: Instant, now: Instant
    ) async throws(StoreError) {
        try AppRules.check(key: secret, kind)
        // A key that is in use, as either kind, would not be a new one.
        let known = try await keys(app: app, now: now)
        guard !known.contains(where: { $0.secret == secret }) else {
            throw StoreError(.conflict, "\(kind) key: the app has this key already")
        }
        try await write { [box] session in
            let former = try session.execute(
                "UPDATE app_keys SET expires_at = $1 WHERE app = $2 AND kind = $3 AND expires_at IS NULL",
                [.integer(formerValidUntil.millisecondsSince1970), .integer(app), .text(kind.rawValue)])
            guard former > 0 else { throw StoreError(.notFound, "there is no app number \(app)") }
            try session.execute(
                "DELETE FROM app_keys WHERE app = $1 AND expires_at <= $2",
                [.integer(app), .integer(now.millisecondsSince1970)])
            try Self.insert(secret, kind, app: app, now: now, box, session)
            try Self.bumpRevision(session)
        }
    }

    private static func insert(
        _ key: String, _ kind: AppKey.Kind, app: Int64, now: Instant, _ box: SecretBox, _ session: Session
    ) throws {
        // The number is part of what the secret is bound to, so the row comes first.
        let number = try session.query(
            "INSERT INTO app_keys (app, kind, secret, created_at) VALUES ($1, $2, '', $3) RETURNING number",
            [.integer(app), .text(kind.rawValue), .integer(now.millisecondsSince1970)])[0].integer(0)
        try session.execute(
            "UPDATE app_keys SET secret = $1 WHERE number = $2",
            [.bytes(try box.seal(key, at: SQLiteStore.place(key: number))), .integer(number)])
    }

    static func bumpRevision(_ session: Session) throws {
        try session.execute("UPDATE administration SET revision = revision + 1")
    }

    // MARK: - Credentials

    /// The credentials of an app, oldest first.
    public func credentials(app: Int64) async throws(StoreError) -> [PushCredential] {
        try await read { [box] session in
            try session.query(
                """
                SELECT number, kind, secret, key_id, team_id, environments, device_profile, topics, expires_at,
                    created_at, check_at, check_is_good, check_message
                FROM credentials WHERE app = $1 ORDER BY number
                """, [.integer(app)]
            ).map { row in
                try CredentialRow(
                    number: try row.integer(0), kind: try row.string(1), secret: try row.bytes(2),
                    keyID: try row.optionalString(3), teamID: try row.optionalString(4),
                    environments: try row.string(5), deviceProfile: try row.optionalString(6),
                    topics: try row.string(7), expiresAt: try row.optionalInteger(8),
                    createdAt: try row.integer(9), checkAt: try row.optionalInteger(10),
                    checkIsGood: try row.optionalBoolean(11).map { $0 ? 1 : 0 },
                    checkMessage: try row.optionalString(12)
                ).credential(box)
            }
        }
    }

    /// Adds a credential and gives its number.
    public func addCredential(
        _ credential: PushCredential, app: Int64
    ) async throws(StoreError) -> Int64 {
        try SQLiteStore.check(credential)
        return try await write { [box] session in
            try Self.requireApp(app, session)
            let (kind, secret, keyID, teamID): (String, String, String?, String?) =
                switch credential.secret {
                case .key(let p8, let id, let team): ("key", p8, id, team)
                case .certificate(let pem): ("certificate", pem, nil, credential.teamID)
                }
            let number = try session.query(
                """
                INSERT INTO credentials (app, kind, secret, key_id, team_id, environments, device_profile,
                    topics, expires_at, created_at, check_at, check_is_good, check_message)
                VALUES ($1, $2, '', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING number
                """,
                [
                    .integer(app), .text(kind), .text(keyID), .text(teamID),
                    .text(credential.environments.map(\.rawValue).sorted().joined(separator: ",")),
                    .text(credential.deviceProfile), .text(credential.topics.joined(separator: ",")),
                    .integer(credential.expiresAt?.millisecondsSince1970),
                    .integer(credential.createdAt.millisecondsSince1970),
                    .integer(credential.check?.atMilliseconds), .boolean(credential.check?.isGood),
                    .text(credential.check?.message),
                ])[0].integer(0)
            try session.execute(
                "UPDATE credentials SET secret = $1 WHERE number = $2",
                [.bytes(try box.seal(secret, at: CredentialRow.place(number))), .integer(number)])
            try Self.bumpRevision(session)
            return number
        }
    }

    static func requireApp(_ app: Int64, _ session: Session) throws {
        let known = try session.query("SELECT 1 FROM apps WHERE number = $1", [.integer(app)])
        guard !known.isEmpty else { throw StoreError(.notFound, "there is no app number \(app)") }
    }

    /// Removes a credential.
    public func removeCredential(number: Int64, app: Int64) async throws(StoreError) {
        try await write { session in
            let count = try session.execute(
                "DELETE FROM credentials WHERE number = $1 AND app = $2", [.integer(number), .integer(app)])
            guard count == 1 else { throw StoreError(.notFound, "the app has no credential \(number)") }
            try Self.bumpRevision(session)
        }
    }

    /// Stores how a check against APNs ended.
    public func storeCheck(_ check: PushCredential.Check, credential: Int64) async throws(StoreError) {
        try await write { session in
            let count = try session.execute(
                "UPDATE credentials SET check_at = $1, check_is_good = $2, check_message = $3 WHERE number = $4",
                [
                    .integer(check.atMilliseconds), .boolean(check.isGood), .text(check.message),
                    .integer(credential),
                ])
            guard count == 1 else { throw StoreError(.notFound, "there is no credential \(credential)") }
            try Self.bumpRevision(session)
        }
    }
}
