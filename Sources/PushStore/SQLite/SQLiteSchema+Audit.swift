internal import SQLite

extension SQLiteSchema {
    /// Finds the entries of an app's audit log that are too old.
    static let audit = Migration(
        version: 11, name: "audit",
        script: """
            CREATE INDEX audit_log_app ON audit_log (app, at);
            """)
}
