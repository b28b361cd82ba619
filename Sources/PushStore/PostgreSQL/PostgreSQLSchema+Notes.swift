internal import PostgreSQL

extension PostgreSQLSchema {
    /// What was left out of a push, apart from what stopped it.
    static let notes = Migration(
        version: 5, name: "notes", compatibleVersion: 2,
        script: """
            ALTER TABLE pushes ADD COLUMN notes TEXT;
            """)
}
