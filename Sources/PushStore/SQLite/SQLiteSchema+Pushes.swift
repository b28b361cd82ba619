internal import SQLite

extension SQLiteSchema {
    /// Pushes, their batches and what is known of their devices.
    ///
    /// `batches.state`: 0 ready, 1 claimed, 2 done, 3 held while its push is paused.
    static let pushes = Migration(
        version: 2, name: "pushes",
        script: """
            CREATE TABLE records (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
                object_id TEXT NOT NULL,
                notification_id TEXT,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX records_object_id ON records (app, object_id);
            CREATE UNIQUE INDEX records_notification_id ON records (app, notification_id)
                WHERE notification_id IS NOT NULL;
            CREATE INDEX records_created_at ON records (created_at);

            CREATE TABLE pushes (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
                record INTEGER NOT NULL REFERENCES records (number) ON DELETE CASCADE,
                object_id TEXT NOT NULL,
                request TEXT NOT NULL,
                state TEXT NOT NULL,
                error TEXT,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                due_at INTEGER NOT NULL,
                expires_at INTEGER,
                began_at INTEGER,
                ended_at INTEGER,
                -- When the next batch of a paced push may be sent.
                pace_at INTEGER,
                -- Of a recurring push: the occurrence that due_at stands for. Of one that it made: which it is.
                occurrence TEXT,
                fired_count INTEGER NOT NULL DEFAULT 0,
                schedule INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX pushes_object_id ON pushes (app, object_id);
            CREATE UNIQUE INDEX pushes_occurrence ON pushes (schedule, occurrence) WHERE schedule IS NOT NULL;
            CREATE INDEX pushes_record ON pushes (record);
            CREATE INDEX pushes_open ON pushes (state, due_at) WHERE ended_at IS NULL;

            CREATE TABLE segments (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                push INTEGER NOT NULL REFERENCES pushes (number) ON DELETE CASCADE,
                -- everybody; zone: those in time_zone, null for those without; moved: those who changed zones.
                kind TEXT NOT NULL CHECK (kind IN ('everybody', 'zone', 'moved')),
                time_zone TEXT,
                due_at INTEGER NOT NULL,
                cursor INTEGER NOT NULL DEFAULT 0,
                is_planned INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX segments_open ON segments (due_at) WHERE is_planned = 0;
            CREATE INDEX segments_push ON segments (push);

            CREATE TABLE batches (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                push INTEGER NOT NULL REFERENCES pushes (number) ON DELETE CASCADE,
                state INTEGER NOT NULL,
                not_before INTEGER NOT NULL,
                due_at INTEGER NOT NULL,
                owner TEXT,
                lease_until INTEGER,
                generation INTEGER NOT NULL DEFAULT 0,
                attempts INTEGER NOT NULL DEFAULT 0,
                first INTEGER NOT NULL,
                last INTEGER NOT NULL,
                device_count INTEGER NOT NULL,
                pending_count INTEGER NOT NULL,
                installations BLOB,
                tokens TEXT,
                outcomes BLOB NOT NULL,
                badges BLOB,
                articles BLOB,
                details TEXT,
                answering BLOB,
                claimed_at INTEGER,
                first_claimed_at INTEGER,
                finished_at INTEGER
            ) STRICT;
            CREATE INDEX batches_ready ON batches (state, not_before) WHERE state < 2;
            CREATE INDEX batches_push ON batches (push, state);

            CREATE TABLE request_ids (
                app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
                request_id TEXT NOT NULL,
                push INTEGER NOT NULL REFERENCES pushes (number) ON DELETE CASCADE,
                at INTEGER NOT NULL,
                PRIMARY KEY (app, request_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX request_ids_at ON request_ids (at);
            CREATE INDEX request_ids_push ON request_ids (push);

            CREATE TABLE opens (
                record INTEGER NOT NULL REFERENCES records (number) ON DELETE CASCADE,
                installation TEXT NOT NULL,
                at INTEGER NOT NULL,
                PRIMARY KEY (record, installation)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE sent_pushes (
                installation INTEGER NOT NULL,
                at INTEGER NOT NULL,
                push INTEGER NOT NULL,
                PRIMARY KEY (installation, push)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sent_pushes_at ON sent_pushes (at);

            CREATE INDEX installations_zone_changed_at ON installations (zone_changed_at)
                WHERE zone_changed_at IS NOT NULL;
            """)
}
