internal import SQLite

extension SQLiteSchema {
    /// Why an import left rows out, so that one that goes on still says so; the latest events of each installation.
    static let kept = Migration(
        version: 7, name: "kept",
        script: """
            ALTER TABLE imports ADD COLUMN skipped TEXT NOT NULL DEFAULT '';

            CREATE TABLE recent_events (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                installation INTEGER NOT NULL REFERENCES installations (number) ON DELETE CASCADE,
                at INTEGER NOT NULL,
                name TEXT NOT NULL,
                article TEXT,
                properties TEXT NOT NULL
            ) STRICT;
            CREATE INDEX recent_events_installation ON recent_events (installation, at);
            CREATE INDEX recent_events_at ON recent_events (at);
            """)
}
