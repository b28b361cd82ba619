internal import SQLite

extension SQLiteSchema {
    /// Webhooks and their outbox.
    ///
    /// `waiting_count` is kept by triggers: counting a long queue for every event would cost more than the event.
    static let webhooks = Migration(
        version: 4, name: "webhooks",
        script: """
            CREATE TABLE webhooks (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                app INTEGER NOT NULL REFERENCES apps (number) ON DELETE CASCADE,
                url TEXT NOT NULL,
                secret BLOB NOT NULL,
                kinds TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                waiting_count INTEGER NOT NULL DEFAULT 0,
                dropped_count INTEGER NOT NULL DEFAULT 0,
                failure_count INTEGER NOT NULL DEFAULT 0,
                failure TEXT,
                succeeded_at INTEGER,
                paused_until INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE UNIQUE INDEX webhooks_app ON webhooks (app, url);

            CREATE TABLE webhook_outbox (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                webhook INTEGER NOT NULL REFERENCES webhooks (number) ON DELETE CASCADE,
                due_at INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                attempt_count INTEGER NOT NULL DEFAULT 0,
                event_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                data TEXT NOT NULL
            ) STRICT;
            CREATE INDEX webhook_outbox_due ON webhook_outbox (webhook, due_at);
            CREATE INDEX webhook_outbox_age ON webhook_outbox (webhook, created_at);

            CREATE TRIGGER webhook_outbox_added AFTER INSERT ON webhook_outbox BEGIN
                UPDATE webhooks SET waiting_count = waiting_count + 1 WHERE number = NEW.webhook;
            END;
            CREATE TRIGGER webhook_outbox_removed AFTER DELETE ON webhook_outbox BEGIN
                UPDATE webhooks SET waiting_count = waiting_count - 1 WHERE number = OLD.webhook;
            END;
            """)
}
