internal import PostgreSQL

extension PostgreSQLSchema {
    /// Finds the entries of an app's audit log that are too old.
    static let audit = Migration(
        version: 6, name: "audit", compatibleVersion: 2,
        script: """
            CREATE INDEX audit_log_app ON audit_log (app, at);
            """)
}
