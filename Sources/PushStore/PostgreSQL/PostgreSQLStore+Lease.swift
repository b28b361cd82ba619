internal import PostgreSQL
internal import Synchronization

extension PostgreSQLStore {
    /// How long a node plans before another may take over, if nothing is heard of it.
    ///
    /// By the server's clock, which all nodes share.
    static let leaseSeconds = 4
    private static let leaseName = "scheduler"
    /// A lease that was renewed since then is not renewed again.
    private static let renewalMilliseconds: Int64 = 1_000

    /// Whether this node is the one that plans: it takes the lease when nobody has it, and renews it when it has it.
    ///
    /// The work itself is safe without: two that plan at once do nothing twice, they only do it in vain.
    /// With the same statement every node learns whether a newer one has changed the schema so that it cannot go on;
    /// it takes no lease then, and lets go of the one it has.
    func hasLease() async throws(StoreError) -> Bool {
        let asked = ServerClock.elapsedMilliseconds
        if let renewed = leaseRenewal.withLock({ $0 }), asked - renewed < Self.renewalMilliseconds {
            return true
        }
        let name = name
        let (needed, isOurs) = try await write { session in
            let row = try session.query(
                """
                WITH schema AS (SELECT coalesce(max(compatible_version), 0) AS needed FROM schema_version),
                taken AS (
                    INSERT INTO leases AS l (name, owner, until)
                    SELECT $1, $2, clock_timestamp() + make_interval(secs => \(Self.leaseSeconds)) FROM schema
                    WHERE needed <= $3
                    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
                    WHERE l.owner = excluded.owner OR l.until <= clock_timestamp()
                        -- The server's clock was set back, and who held it then is not heard of.
                        OR l.until > clock_timestamp() + make_interval(secs => \(2 * Self.leaseSeconds))
                    RETURNING 1)
                SELECT needed, EXISTS (SELECT 1 FROM taken) FROM schema
                """, [.text(Self.leaseName), .text(name), .integer(Self.knownSchemaVersion)])[0]
            return (Int(try row.integer(0)), try row.boolean(1))
        }
        neededSchemaVersion.withLock { $0 = needed }
        leaseRenewal.withLock { $0 = isOurs ? asked : nil }
        return isOurs
    }

    /// Lets others plan at once.
    func endLease() async throws(StoreError) {
        guard leaseRenewal.withLock({ $0 != nil }) else { return }
        let name = name
        try await write { session in
            let count = try session.execute(
                "DELETE FROM leases WHERE name = $1 AND owner = $2", [.text(Self.leaseName), .text(name)])
            if count > 0 { try Self.announceWork(session) }
        }
    }
}
