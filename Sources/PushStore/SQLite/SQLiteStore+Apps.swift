internal import APNs
internal import FoundationEssentials
public import Recurrence
internal import SQLite

extension SQLiteStore: AppStore {
    /// A number that changes with every change of apps, keys, settings or credentials, whoever made it.
    public func administrationRevision() async throws(StoreError) -> Int64 {
        try await read { database in
            try database.first("SELECT revision FROM administration") { row throws(SQLiteError) in
                try row.integer(0)
            } ?? 0
        }
    }

    /// All apps by number.
    public func apps() async throws(StoreError) -> [App] {
        try await read { database in
            try database.all(
                "SELECT number, id, name, topic, settings, created_at FROM apps ORDER BY number"
            ) { row throws(SQLiteError) in
                App(
                    number: try row.integer(0), id: try row.string(1), name: try row.string(2),
                    topic: try row.string(3), settings: Self.settings(try row.string(4)),
                    createdAt: Instant(millisecondsSince1970: try row.integer(5)))
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
        let text = try Self.text(settings)
        return try await write { [box] database in
            let isTaken = try database.first("SELECT 1 FROM apps WHERE id = ?", [.text(id)]) { _ in true }
            guard isTaken == nil else { throw StoreError(.conflict, "id: there is an app \(id) already") }
            try database.execute(
                "INSERT INTO apps (id, name, topic, settings, created_at) VALUES (?, ?, ?, ?, ?)",
                [.text(id), .text(name), .text(topic), .text(text), .integer(now.millisecondsSince1970)])
            let number = database.lastInsertedRowID
            for (kind, key) in [(AppKey.Kind.app, appKey), (.master, masterKey)] {
                try Self.insert(key, kind, app: number, now: now, box, database)
            }
            try Self.bumpRevision(database)
            return App(number: number, id: id, name: name, topic: topic, settings: settings, createdAt: now)
        }
    }

    /// Changes name, topic and settings of an app.
    public func updateApp(_ app: App, now: Instant) async throws(StoreError) {
        try AppRules.check(name: app.name)
        try AppRules.check(topic: app.topic)
        let text = try Self.text(app.settings)
        try await write { database in
            let count = try database.execute(
                "UPDATE apps SET name = ?, topic = ?, settings = ? WHERE number = ?",
                [.text(app.name), .text(app.topic), .text(text), .integer(app.number)])
            guard count == 1 else { throw StoreError(.notFound, "there is no app \(app.id)") }
            try Self.bumpRevision(database)
        }
    }

    /// The keys of an app that are valid at a time, the current ones first.
    public func keys(app: Int64, now: Instant) async throws(StoreError) -> [AppKey] {
        try await read { [box] database in
            let rows = try database.all(
                """
                SELECT number, kind, secret, created_at, expires_at FROM app_keys
                WHERE app = ? AND (expires_at IS NULL OR expires_at > ?)
                ORDER BY expires_at IS NOT NULL, number
                """, [.integer(app), .integer(now.millisecondsSince1970)]
            ) { row throws(SQLiteError) in
                (
                    try row.integer(0), try row.string(1), try row.bytes(2), try row.integer(3),
                    try row.optionalInteger(4)
                )
            }
            return try rows.map { number, kind, secret, createdAt, expiresAt in
                guard let kind = AppKey.Kind(rawValue: kind) else {
                    throw StoreError(.database, "key \(number) is of an unknown kind")
                }
                return AppKey(
                    kind: kind, secret: try box.open(secret, at: Self.place(key: number)),
                    createdAt: Instant(millisecondsSince1970: createdAt),
                    expiresAt: expiresAt.map(Instant.init(millisecondsSince1970:)))
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
        try await write { [box] database in
            let former = try database.execute(
                "UPDATE app_keys SET expires_at = ? WHERE app = ? AND kind = ? AND expires_at IS NULL",
                [.integer(formerValidUntil.millisecondsSince1970), .integer(app), .text(kind.rawValue)])
            guard former > 0 else { throw StoreError(.notFound, "there is no app number \(app)") }
            try database.execute(
                "DELETE FROM app_keys WHERE app = ? AND expires_at <= ?",
                [.integer(app), .integer(now.millisecondsSince1970)])
            try Self.insert(secret, kind, app: app, now: now, box, database)
            try Self.bumpRevision(database)
        }
    }

    // MARK: - Rows

    private static func insert(
        _ key: String, _ kind: AppKey.Kind, app: Int64, now: Instant, _ box: SecretBox, _ database: Database
    ) throws {
        // The number is part of what the secret is bound to, so the row comes first.
        try database.execute(
            "INSERT INTO app_keys (app, kind, secret, created_at) VALUES (?, ?, x'', ?)",
            [.integer(app), .text(kind.rawValue), .integer(now.millisecondsSince1970)])
        let number = database.lastInsertedRowID
        try database.execute(
            "UPDATE app_keys SET secret = ? WHERE number = ?",
            [.blob(try box.seal(key, at: place(key: number))), .integer(number)])
    }

    static func place(key number: Int64) -> SecretBox.Place {
        SecretBox.Place(table: "app_keys", row: number, column: "secret")
    }

    static func bumpRevision(_ database: Database) throws {
        try database.execute("UPDATE administration SET revision = revision + 1")
    }

    /// Settings a newer or damaged file does not let us read are the defaults.
    static func settings(_ text: String) -> AppSettings {
        (try? JSONDecoder().decode(AppSettings.self, from: Data(text.utf8))) ?? AppSettings()
    }

    static func text(_ settings: AppSettings) throws(StoreError) -> String {
        try AppRules.check(settings)
        do {
            return String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        } catch {
            throw StoreError(.invalid, "settings: they cannot be written as JSON")
        }
    }
}
