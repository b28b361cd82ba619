internal import SQLite

extension SQLiteSchema {
    /// Whose turn it is: apps among each other, and pushes of one app.
    ///
    /// `batches.state`: 0 ready, 1 claimed, 2 done, 3 held while its push is paused, 4 not due yet. ``FairTurn`` says
    /// what the turns are.
    static let turns = Migration(
        version: 6, name: "turns",
        script: """
            ALTER TABLE administration ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE apps ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE apps ADD COLUMN batch_turn INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE pushes ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;

            ALTER TABLE segments ADD COLUMN app INTEGER NOT NULL DEFAULT 0;
            -- How often its push has had planning's attention for it.
            ALTER TABLE segments ADD COLUMN chunk_count INTEGER NOT NULL DEFAULT 0;
            UPDATE segments SET app = (SELECT app FROM pushes WHERE number = push) WHERE is_planned = 0;
            CREATE INDEX segments_app ON segments (app, due_at) WHERE is_planned = 0;

            ALTER TABLE batches ADD COLUMN app INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE batches ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
            UPDATE batches SET app = (SELECT app FROM pushes WHERE number = push),
                state = CASE state WHEN 0 THEN 4 ELSE state END WHERE state IN (0, 1, 3);
            DROP INDEX batches_ready;
            CREATE INDEX batches_turn ON batches (app, turn) WHERE state = 0;
            CREATE INDEX batches_waiting ON batches (not_before) WHERE state = 4;
            CREATE INDEX batches_leases ON batches (lease_until) WHERE state = 1;
            """)
}
