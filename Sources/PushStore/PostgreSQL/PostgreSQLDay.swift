internal import PostgreSQL
internal import Recurrence

/// The days that tables which grow with time are split by.
enum PostgreSQLDay {
    private static let millisecondsPerDay: Int64 = 86_400_000
    /// Batches of one day; a day has far fewer.
    private static let batchesPerDay: Int64 = 1 << 32
    /// For how many days ahead there are partitions.
    private static let aheadCount: Int64 = 3

    static func day(of time: Instant) -> Int64 { time.millisecondsSince1970 / millisecondsPerDay }

    /// What is added to a count to make the number of a batch that is made at a time.
    static func batchBase(at time: Instant) -> Int64 { max(0, day(of: time)) * batchesPerDay }

    /// Makes the partitions of the days that come, and drops those of days of which nothing is kept.
    ///
    /// Yesterday's stays: who began before midnight may still write to it.
    ///
    /// Where the default partition has rows of a day already, they stay there.
    static func arrange(now: Instant, _ session: Session) throws {
        let today = day(of: now)
        guard today > 0 else { return }
        let existing = Set(
            try session.query(
                """
                SELECT c.relname FROM pg_inherits AS h JOIN pg_class AS c ON c.oid = h.inhrelid
                WHERE h.inhparent = 'batches'::regclass
                """
            ).map { try $0.string(0) })
        for day in today...today + aheadCount {
            guard !existing.contains("batches_\(day)") else { continue }
            try attempt(
                """
                CREATE TABLE batches_\(day) PARTITION OF batches
                FOR VALUES FROM (\(day * batchesPerDay)) TO (\((day + 1) * batchesPerDay))
                """, session)
        }
        for name in existing.sorted() {
            guard let day = Int64(name.split(separator: "_").last ?? ""), day < today - 1,
                try session.query("SELECT 1 FROM batches_\(day) LIMIT 1", isKept: false).isEmpty
            else { continue }
            try attempt("DROP TABLE IF EXISTS batches_\(day)", session)
        }
    }

    /// Changes the parts of the table, unless that would keep everybody waiting; then the next time will do.
    private static func attempt(_ sql: String, _ session: Session) throws {
        do throws(PostgreSQLError) {
            try session.executeScript("SET lock_timeout = 2000; \(sql); SET lock_timeout = 30000")
        } catch {
            // Another node was faster, the default part has rows of that day, or the table is in heavy use.
            guard !session.isBroken else { throw error }
            try session.executeScript("SET lock_timeout = 30000")
        }
    }
}
