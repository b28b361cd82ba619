internal import SQLite

/// The tables of `belfry.sqlite`: every step ever released, in order.
///
/// Times are milliseconds since 1970 in UTC; truth values are 0 and 1.
enum SQLiteSchema {
    static let migrations = [
        Migration(version: 1, name: "apps and installations", script: apps + installations + statistics),
        pushes,
        events,
        webhooks,
        console,
        turns,
        kept,
        shared,
        receipts,
        notes,
        audit,
    ]

    private static let apps = """
        CREATE TABLE administration (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            revision INTEGER NOT NULL,
            salt BLOB NOT NULL,
            proof BLOB
        ) STRICT;
        INSERT INTO administration (only, revision, salt) VALUES (1, 0, randomblob(16));

        CREATE TABLE apps (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            topic TEXT NOT NULL,
            settings TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE app_keys (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('app', 'master')),
            secret BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER
        ) STRICT;
        CREATE INDEX app_keys_app ON app_keys (app);

        CREATE TABLE credentials (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('key', 'certificate')),
            secret BLOB NOT NULL,
            key_id TEXT,
            team_id TEXT,
            environments TEXT NOT NULL,
            device_profile TEXT,
            topics TEXT NOT NULL,
            expires_at INTEGER,
            created_at INTEGER NOT NULL,
            check_at INTEGER,
            check_is_good INTEGER,
            check_message TEXT
        ) STRICT;
        CREATE INDEX credentials_app ON credentials (app);

        CREATE TABLE audit_log (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            app INTEGER,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;

        """

    /// What queries read often comes first: SQLite reads a row from its start and only as far as it must.
    private static let installations = """
        CREATE TABLE installations (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            valid INTEGER NOT NULL,
            environment INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            badge INTEGER NOT NULL,
            device_type TEXT,
            time_zone TEXT,
            locale TEXT,
            apns_topic TEXT,
            apns_team_id TEXT,
            device_profile TEXT,
            token_registered_at INTEGER,
            zone_changed_at INTEGER,
            object_id TEXT NOT NULL,
            device_token TEXT,
            installation_id TEXT,
            channels TEXT NOT NULL,
            attributes TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX installations_object_id ON installations (app, object_id);
        CREATE UNIQUE INDEX installations_device_token ON installations (app, device_token)
            WHERE device_token IS NOT NULL;
        CREATE INDEX installations_installation_id ON installations (app, installation_id)
            WHERE installation_id IS NOT NULL;

        CREATE TABLE installation_channels (
            app INTEGER NOT NULL,
            channel TEXT NOT NULL,
            installation INTEGER NOT NULL,
            PRIMARY KEY (app, channel, installation)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE imports (
            app INTEGER NOT NULL,
            file TEXT NOT NULL,
            row_count INTEGER NOT NULL,
            stored_count INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (app, file)
        ) STRICT, WITHOUT ROWID;

        """

    /// What the query planner shall think of the tables: many rows, most of them of one app.
    ///
    /// Without figures it takes `app = ?` for a condition that few rows meet, walks an index of the app and sorts a
    /// million rows for one page. The figures are constants so that plans do not depend on when somebody ran ANALYZE.
    private static let statistics = """
        ANALYZE;
        INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
            ('installations', 'installations_object_id', '1000000 1000000 1'),
            ('installations', 'installations_device_token', '1000000 1000000 1'),
            ('installations', 'installations_installation_id', '1000000 1000000 1'),
            ('installation_channels', 'installation_channels', '2000000 2000000 20000 1');

        """
}
