internal import PostgreSQL

extension PostgreSQLSchema {
    /// Users and sessions of the console, and indexes for its views.
    static let console = Migration(
        version: 2, name: "console",
        script: """
            CREATE TABLE console_users (
                name TEXT COLLATE "C" PRIMARY KEY,
                role TEXT NOT NULL CHECK (role IN ('viewer', 'sender', 'owner')),
                password_hash TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                signed_in_at BIGINT
            );

            CREATE TABLE console_sessions (
                digest BYTEA PRIMARY KEY,
                user_name TEXT COLLATE "C" NOT NULL REFERENCES console_users (name) ON DELETE CASCADE,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX console_sessions_user ON console_sessions (user_name);
            CREATE INDEX console_sessions_expires_at ON console_sessions (expires_at);

            CREATE INDEX pushes_app ON pushes (app, number);
            CREATE INDEX batches_finished_at ON batches (finished_at) WHERE finished_at IS NOT NULL;
            CREATE INDEX opens_at ON opens (at);
            """)
}
