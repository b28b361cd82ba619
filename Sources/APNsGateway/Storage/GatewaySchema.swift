internal import SQLite

/// The tables of `gateway.sqlite`: every step ever released.
///
/// Times are milliseconds since 1970, ids of requests are 16 bytes, and a device's id is its number.
enum GatewaySchema {
    static let migrations = [
        Migration(version: 1, name: "devices and channels", script: devices + channels)
    ]

    /// The columns of a notification, in the order in which `NotificationColumns` reads and writes them.
    private static let notification = """
        apns_id BLOB NOT NULL,
        unique_id BLOB NOT NULL,
        token BLOB NOT NULL,
        topic TEXT NOT NULL,
        push_type TEXT,
        priority INTEGER NOT NULL,
        expiration INTEGER,
        collapse_id TEXT,
        payload BLOB NOT NULL,
        received_at INTEGER NOT NULL,
        notification_environment TEXT NOT NULL
        """

    private static let devices = """
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            is_online INTEGER NOT NULL,
            is_power_saving INTEGER NOT NULL,
            is_linked INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            next_sequence INTEGER NOT NULL,
            acknowledged_sequence INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE app (
            device INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            bundle_id TEXT NOT NULL,
            environment TEXT NOT NULL,
            is_installed INTEGER NOT NULL,
            is_enabled INTEGER NOT NULL,
            UNIQUE (device, bundle_id, environment)
        ) STRICT;
        CREATE TABLE token (
            token BLOB NOT NULL UNIQUE,
            device INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            topic TEXT NOT NULL,
            environment TEXT NOT NULL,
            family TEXT NOT NULL,
            instance TEXT NOT NULL,
            state TEXT NOT NULL,
            state_since INTEGER,
            is_returnable INTEGER NOT NULL,
            expires_at INTEGER,
            registered_at INTEGER NOT NULL,
            probe_until INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX token_device ON token (device);
        CREATE TABLE waiting (
            device INTEGER NOT NULL,
            bundle_id TEXT NOT NULL,
            environment TEXT NOT NULL,
            place TEXT NOT NULL CHECK (place IN ('stored', 'held')),
            until INTEGER NOT NULL,
            release INTEGER,
            is_single_attempt INTEGER NOT NULL,
            \(notification),
            UNIQUE (device, bundle_id, environment, place),
            FOREIGN KEY (device, bundle_id, environment)
                REFERENCES app (device, bundle_id, environment) ON DELETE CASCADE
        ) STRICT;
        CREATE TABLE delivery (
            device INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            sequence INTEGER NOT NULL,
            channel TEXT,
            delivered_at INTEGER NOT NULL,
            \(notification),
            UNIQUE (device, sequence)
        ) STRICT;

        """

    private static let channels = """
        CREATE TABLE channel (
            id TEXT NOT NULL UNIQUE,
            bundle_id TEXT NOT NULL,
            environment TEXT NOT NULL,
            storage_policy INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            message_count INTEGER NOT NULL,
            message_number INTEGER,
            message_until INTEGER,
            message_id BLOB,
            message_priority INTEGER,
            message_expiration INTEGER,
            message_payload BLOB,
            message_received_at INTEGER
        ) STRICT;
        CREATE TABLE subscription (
            channel TEXT NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
            token BLOB NOT NULL,
            seen INTEGER NOT NULL,
            PRIMARY KEY (channel, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE broadcast_disabled (
            bundle_id TEXT NOT NULL,
            environment TEXT NOT NULL,
            PRIMARY KEY (bundle_id, environment)
        ) STRICT, WITHOUT ROWID;
        """
}
