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
    func hasLease() async throws(StoreError) -> Bool {
        let asked = ServerClock.elapsedMilliseconds
        if let renewed = leaseRenewal.withLock({ $0 }), asked - renewed < Self.renewalMilliseconds {
            return true
        }
        let name = name
        let isOurs = try await write { session in
            try !session.query(
                """
                INSERT INTO leases AS l (name, owner, until)
                VALUES ($1, $2, clock_timestamp() + make_interval(secs => \(Self.leaseSeconds)))
                ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
                WHERE l.owner = excluded.owner OR l.until <= clock_timestamp()
                    -- The server's clock was set back, and who held it then is not heard of.
                    OR l.until > clock_timestamp() + make_interval(secs => \(2 * Self.leaseSeconds))
                RETURNING 1
                """, [.text(Self.leaseName), .text(name)]
            ).isEmpty
        }
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
