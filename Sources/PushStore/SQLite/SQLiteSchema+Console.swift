internal import SQLite

extension SQLiteSchema {
    /// Users and sessions of the console, and indexes for its views.
    static let console = Migration(
        version: 5, name: "console",
        script: """
            CREATE TABLE console_users (
                name TEXT PRIMARY KEY,
                role TEXT NOT NULL CHECK (role IN ('viewer', 'sender', 'owner')),
                password_hash TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                signed_in_at INTEGER
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE console_sessions (
                digest BLOB PRIMARY KEY,
                user TEXT NOT NULL REFERENCES console_users (name) ON DELETE CASCADE,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX console_sessions_user ON console_sessions (user);
            CREATE INDEX console_sessions_expires_at ON console_sessions (expires_at);

            CREATE INDEX pushes_app ON pushes (app, number);
            CREATE INDEX batches_finished_at ON batches (finished_at) WHERE finished_at IS NOT NULL;
            CREATE INDEX opens_at ON opens (at);
            """)
}
