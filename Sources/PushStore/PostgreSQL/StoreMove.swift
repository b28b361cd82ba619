public import PostgreSQL
internal import SQLite

/// Moves everything a SQLite store has into an empty PostgreSQL database.
///
/// Rows keep their numbers, and what is sealed stays sealed: the secret is the same afterwards. One transaction.
public struct StoreMove: Sendable {
    /// What was moved.
    public struct Report: Sendable, Hashable {
        /// The rows of each table that had any, in the order they were moved in.
        public var tables: [(name: String, rowCount: Int)]

        /// Whether two reports say the same.
        public static func == (left: Report, right: Report) -> Bool {
            left.tables.elementsEqual(right.tables) { $0 == $1 }
        }

        /// Hashes the number of tables.
        public func hash(into hasher: inout Hasher) { hasher.combine(tables.count) }
    }

    private let path: String
    private let address: ConnectionString
    private let secret: StoreSecret

    /// A move from the file of a SQLite store, which no service uses meanwhile.
    public init(fromFile path: String, to address: ConnectionString, secret: StoreSecret) {
        self.path = path
        self.address = address
        self.secret = secret
    }

    /// Moves everything, or nothing when it throws.
    ///
    /// - Parameter progress: called with a table's name and how many of its rows have been moved.
    /// - Throws: `conflict` when the database has an app already; `secret` when the file was made with another secret.
    public func run(
        progress: @escaping @Sendable (_ table: String, _ rowCount: Int) -> Void = { _, _ in }
    ) async throws(StoreError) -> Report {
        // Brings the file to the newest schema, and proves the secret before anything is read.
        await (try await SQLiteStore.open(path: path, secret: secret)).close()
        let path = path
        let connection: PostgreSQL.Connection
        do throws(PostgreSQLError) {
            connection = try PostgreSQL.Connection(Session.Configuration(connectionString: address))
        } catch {
            throw StoreError(error)
        }
        let result: Result<Report, StoreError>
        do throws(PostgreSQLError) {
            result = try await connection.run { session in
                do {
                    try session.migrate(PostgreSQLSchema.migrations)
                    let file = try Database(
                        path: path, configuration: Database.Configuration(access: .readOnly))
                    return .success(
                        try session.transaction { try StoreMove.move(file, session, progress) })
                } catch let error as PostgreSQLError {
                    return .failure(StoreError(error))
                } catch let error as SQLiteError {
                    return .failure(StoreError(error))
                } catch {
                    return .failure(error as? StoreError ?? StoreError(.database, "\(error)"))
                }
            }
        } catch {
            result = .failure(StoreError(error))
        }
        await connection.close()
        return try result.get()
    }

    // MARK: - Tables

    /// How a column's value is written in the binary format of COPY, which takes exactly the column's type.
    private enum Kind {
        case integer, small, boolean, real, text, bytes
        /// JSON text into `jsonb`.
        case json
        /// A JSON list of texts into `text[]`.
        case channels
        /// `,a,b,` into `text[]`.
        case words
    }

    private struct Table {
        var name: StaticString
        var columns: StaticString
        var kinds: [Kind]
        /// What is selected of the file, where it is not the columns of a table with the same name.
        var select: String?
    }

    private static let tables: [Table] = [
        Table(
            name: "apps", columns: "number, id, name, topic, settings, created_at",
            kinds: [.integer, .text, .text, .text, .text, .integer]),
        Table(
            name: "app_turns", columns: "app, turn, start_turn, batch_turn",
            kinds: [.integer, .integer, .integer, .integer],
            select: """
                SELECT number, turn, (SELECT turn FROM administration), batch_turn FROM apps
                """),
        Table(
            name: "app_keys", columns: "number, app, kind, secret, created_at, expires_at",
            kinds: [.integer, .integer, .text, .bytes, .integer, .integer]),
        Table(
            name: "credentials",
            columns: """
                number, app, kind, secret, key_id, team_id, environments, device_profile, topics, expires_at, \
                created_at, check_at, check_is_good, check_message
                """,
            kinds: [
                .integer, .integer, .text, .bytes, .text, .text, .text, .text, .text, .integer, .integer,
                .integer, .boolean, .text,
            ]),
        Table(
            name: "provider_tokens", columns: "number, key, issued_at, token",
            kinds: [.integer, .bytes, .integer, .bytes]),
        Table(
            name: "audit_log", columns: "number, at, app, actor, action, detail",
            kinds: [.integer, .integer, .integer, .text, .text, .text]),
        Table(
            name: "console_users", columns: "name, role, password_hash, created_at, signed_in_at",
            kinds: [.text, .text, .text, .integer, .integer]),
        Table(
            name: "console_sessions", columns: "digest, user_name, created_at, expires_at",
            kinds: [.bytes, .text, .integer, .integer],
            select: "SELECT digest, user, created_at, expires_at FROM console_sessions"),
        Table(
            name: "installations",
            columns: """
                number, app, updated_at, created_at, badge, token_registered_at, zone_changed_at, environment, valid, \
                device_type, time_zone, locale, apns_topic, apns_team_id, device_profile, object_id, device_token, \
                installation_id, channels, attributes
                """,
            kinds: [
                .integer, .integer, .integer, .integer, .integer, .integer, .integer, .small, .boolean, .text,
                .text, .text, .text, .text, .text, .text, .text, .text, .channels, .json,
            ]),
        Table(
            name: "installation_keys", columns: "app, kind, key, installation",
            kinds: [.integer, .integer, .text, .integer],
            select: """
                SELECT app, 0, object_id, number FROM installations
                UNION ALL SELECT app, 1, device_token, number FROM installations WHERE device_token IS NOT NULL
                """),
        Table(
            name: "installation_ids", columns: "app, installation_id, installation",
            kinds: [.integer, .text, .integer],
            select: """
                SELECT app, installation_id, number FROM installations WHERE installation_id IS NOT NULL
                """),
        Table(
            name: "installation_channels", columns: "app, channel, installation",
            kinds: [.integer, .text, .integer]),
        Table(
            name: "imports", columns: "app, file, row_count, stored_count, skipped, updated_at",
            kinds: [.integer, .text, .integer, .integer, .text, .integer]),
        Table(
            name: "installation_interests", columns: "app, tag, installation, score",
            kinds: [.integer, .text, .integer, .real]),
        Table(
            name: "seen_articles", columns: "installation, article, at", kinds: [.integer, .text, .integer]),
        Table(
            name: "recent_events", columns: "number, installation, at, name, article, properties",
            kinds: [.integer, .integer, .integer, .text, .text, .text]),
        Table(
            name: "event_counts", columns: "app, day, name, count",
            kinds: [.integer, .integer, .text, .integer]
        ),
        Table(
            name: "records", columns: "number, app, object_id, notification_id, created_at",
            kinds: [.integer, .integer, .text, .text, .integer]),
        Table(
            name: "pushes",
            columns: """
                number, app, record, object_id, request, state, error, notes, created_at, updated_at, due_at, expires_at, \
                began_at, ended_at, pace_at, occurrence, fired_count, schedule, turn
                """,
            kinds: [
                .integer, .integer, .integer, .text, .text, .text, .text, .text, .integer, .integer,
                .integer, .integer, .integer, .integer, .integer, .text, .integer, .integer, .integer,
            ]),
        Table(
            name: "segments",
            columns: "number, push, app, kind, time_zone, due_at, cursor, is_planned, chunk_count",
            kinds: [
                .integer, .integer, .integer, .text, .text, .integer, .integer, .boolean, .integer,
            ]),
        Table(
            name: "batches",
            columns: """
                number, push, app, turn, state, not_before, due_at, owner, lease_until, generation, attempts, first, last, \
                device_count, pending_count, claimed_at, first_claimed_at, finished_at, installations, tokens, \
                outcomes, badges, articles, details, answering
                """,
            kinds: [
                .integer, .integer, .integer, .integer, .small, .integer, .integer, .text, .integer, .integer,
                .integer, .integer,
                .integer, .integer, .integer, .integer, .integer, .integer, .bytes, .text, .bytes, .bytes,
                .bytes, .text, .bytes,
            ]),
        Table(
            name: "request_ids", columns: "app, request_id, push, at",
            kinds: [.integer, .text, .integer, .integer]),
        Table(name: "opens", columns: "record, installation, at", kinds: [.integer, .text, .integer]),
        Table(name: "receipts", columns: "record, installation, at", kinds: [.integer, .text, .integer]),
        Table(
            name: "sent_pushes", columns: "installation, push, at", kinds: [.integer, .integer, .integer]),
        Table(
            name: "webhooks",
            columns: """
                number, app, url, secret, kinds, created_at, dropped_count, failure_count, failure, succeeded_at, \
                paused_until
                """,
            kinds: [
                .integer, .integer, .text, .bytes, .words, .integer, .integer, .integer, .text, .integer,
                .integer,
            ]),
        Table(
            name: "webhook_outbox",
            columns: "number, webhook, due_at, created_at, attempt_count, event_id, kind, data",
            kinds: [.integer, .integer, .integer, .integer, .integer, .text, .text, .text]),
    ]

    /// How many rows are copied at once.
    private static let sliceCount = 5_000

    private static func move(
        _ file: Database, _ session: Session, _ progress: (String, Int) -> Void
    ) throws -> Report {
        guard try session.query("SELECT 1 FROM apps LIMIT 1").isEmpty else {
            throw StoreError(.conflict, "the database has apps already; an empty one is needed")
        }
        let administration = try file.first("SELECT revision, salt, proof FROM administration") {
            row throws(SQLiteError) in
            (try row.integer(0), try row.bytes(1), try row.optionalBytes(2))
        }
        guard let administration else {
            throw StoreError(.database, "the table administration is empty")
        }
        try session.execute("DELETE FROM administration")
        try session.execute(
            "INSERT INTO administration (only_row, revision, salt, proof) VALUES (1, $1, $2, $3)",
            [.integer(administration.0 + 1), .bytes(administration.1), .bytes(administration.2)])
        var report = Report(tables: [])
        for table in tables {
            let count = try copy(table, file, session, progress)
            if count > 0 { report.tables.append((name: table.name.description, rowCount: count)) }
        }
        for table in [
            "apps", "app_keys", "credentials", "audit_log", "records", "pushes", "segments", "webhooks",
            "webhook_outbox", "provider_tokens",
        ] {
            try session.query(
                "SELECT setval(pg_get_serial_sequence('\(table)', 'number'), coalesce(max(number), 0) + 1, false) FROM \(table)"
            )
        }
        try session.query(
            "SELECT setval('installation_numbers', coalesce(max(number), 0) + 1, false) FROM installations")
        try session.query(
            "SELECT setval('recent_event_numbers', coalesce(max(number), 0) + 1, false) FROM recent_events")
        return report
    }

    private static func copy(
        _ table: Table, _ file: Database, _ session: Session, _ progress: (String, Int) -> Void
    ) throws -> Int {
        var slice: [[PostgreSQL.Value]] = []
        var count = 0
        var failure: (any Error)?
        func flush() throws(SQLiteError) {
            do {
                count += try session.copy(table.name, table.columns, slice)
                slice.removeAll(keepingCapacity: true)
                progress(table.name.description, count)
            } catch {
                failure = error
                throw SQLiteError(code: .cancelled, message: "the copy failed")
            }
        }
        do {
            try file.forEach(table.select ?? "SELECT \(table.columns) FROM \(table.name)") {
                row throws(SQLiteError) in
                var values: [PostgreSQL.Value] = []
                values.reserveCapacity(table.kinds.count)
                for (column, kind) in table.kinds.enumerated() { values.append(try value(row[column], kind)) }
                slice.append(values)
                if slice.count >= sliceCount { try flush() }
            }
            if !slice.isEmpty { try flush() }
        } catch {
            throw failure ?? error
        }
        return count
    }

    private static func value(_ value: SQLite.Value, _ kind: Kind) throws(SQLiteError) -> PostgreSQL.Value {
        switch (value, kind) {
        case (.null, _): return .null
        case (.integer(let integer), .integer): return .integer(integer)
        case (.integer(let integer), .small):
            return .bytes([UInt8(truncatingIfNeeded: integer >> 8), UInt8(truncatingIfNeeded: integer)])
        case (.integer(let integer), .boolean): return .boolean(integer != 0)
        case (.integer(let integer), .real): return .real(Double(integer))
        case (.real(let real), .real): return .real(real)
        case (.text(let text), .text): return .text(text)
        case (.blob(let bytes), .bytes): return .bytes(bytes)
        // A version number stands before the text.
        case (.text(let text), .json): return .bytes([1] + Array(text.utf8))
        case (.text(let text), .channels): return .texts(ChannelName.names(text))
        case (.text(let text), .words): return .texts(text.split(separator: ",").map(String.init))
        default:
            throw SQLiteError(
                code: .typeMismatch, message: "a stored \(value.typeName) is not what its column holds")
        }
    }
}
