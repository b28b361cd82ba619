internal import PostgreSQL

extension PostgreSQLSchema {
    /// Which installations said that a push arrived.
    static let receipts = Migration(
        version: 4, name: "receipts", compatibleVersion: 2,
        script: """
            CREATE TABLE receipts (
                record BIGINT NOT NULL REFERENCES records (number) ON DELETE CASCADE,
                installation TEXT COLLATE "C" NOT NULL,
                at BIGINT NOT NULL,
                PRIMARY KEY (record, installation)
            );
            """)
}
