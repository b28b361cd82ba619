internal import SQLite

extension SQLiteSchema {
    /// Interests, seen articles and counts of events.
    static let events = Migration(
        version: 3, name: "events",
        script: """
            CREATE TABLE installation_interests (
                app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
                tag TEXT NOT NULL,
                installation INTEGER NOT NULL REFERENCES installations (number) ON DELETE CASCADE,
                score REAL NOT NULL,
                PRIMARY KEY (app, tag, installation)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX installation_interests_installation
                ON installation_interests (installation, tag, score);
            CREATE INDEX installation_interests_score ON installation_interests (app, tag, score);
            CREATE TABLE seen_articles (
                installation INTEGER NOT NULL REFERENCES installations (number) ON DELETE CASCADE,
                article TEXT NOT NULL,
                at INTEGER NOT NULL,
                PRIMARY KEY (installation, article)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX seen_articles_at ON seen_articles (at);
            CREATE TABLE event_counts (
                app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
                day INTEGER NOT NULL,
                name TEXT NOT NULL,
                count INTEGER NOT NULL,
                PRIMARY KEY (app, day, name)
            ) STRICT, WITHOUT ROWID;
            """)
}
