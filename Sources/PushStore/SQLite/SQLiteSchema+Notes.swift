internal import SQLite

extension SQLiteSchema {
    /// What was left out of a push, apart from what stopped it.
    static let notes = Migration(
        version: 10, name: "notes",
        script: """
            ALTER TABLE pushes ADD COLUMN notes TEXT;
            """)
}
