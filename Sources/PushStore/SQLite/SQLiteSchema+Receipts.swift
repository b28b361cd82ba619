internal import SQLite

extension SQLiteSchema {
    /// Which installations said that a push arrived.
    static let receipts = Migration(
        version: 9, name: "receipts",
        script: """
            CREATE TABLE receipts (
                record INTEGER NOT NULL REFERENCES records (number) ON DELETE CASCADE,
                installation TEXT NOT NULL,
                at INTEGER NOT NULL,
                PRIMARY KEY (record, installation)
            ) STRICT, WITHOUT ROWID;
            """)
}
