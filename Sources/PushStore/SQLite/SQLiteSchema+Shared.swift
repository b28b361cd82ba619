internal import SQLite

extension SQLiteSchema {
    /// Provider tokens that outlive a restart.
    static let shared = Migration(
        version: 8, name: "shared",
        script: """
            CREATE TABLE provider_tokens (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                key BLOB NOT NULL UNIQUE,
                issued_at INTEGER NOT NULL,
                token BLOB NOT NULL
            ) STRICT;
            """)
}
