internal import SQLite
internal import Synchronization

/// Runs changes that arrive together in one transaction, so that they share the wait for the disk.
///
/// Each change is a savepoint of its own: one that fails leaves the others alone. When the transaction itself is
/// lost (a full disk, a damaged file), its changes are run again one by one, so that each gets its own verdict.
final class GroupWriter: Sendable {
    /// One change.
    ///
    /// A result is delivered once, after it has been committed.
    struct Job: Sendable {
        /// Does the work and gives what to call once it is kept; may be run twice.
        var run: @Sendable (Database) throws(SQLiteError) -> @Sendable () -> Void
        /// Called instead when the work is lost.
        var fail: @Sendable (SQLiteError) -> Void
    }

    private struct State {
        var pending: [Job] = []
        var isScheduled = false
    }

    /// The most changes that wait; more are refused as `overloaded`.
    static let pendingCountMax = 20_000
    /// The most changes of one transaction.
    static let groupCountMax = 512
    /// A transaction that has run for so long takes no more changes.
    static let groupMilliseconds: Int64 = 50

    private let connection: Connection
    private let state = Mutex(State())

    init(connection: Connection) {
        self.connection = connection
    }

    /// Queues a change.
    func submit(_ job: Job) {
        let (isTaken, isFirst) = state.withLock { state in
            guard state.pending.count < Self.pendingCountMax else { return (false, false) }
            state.pending.append(job)
            let isFirst = !state.isScheduled
            state.isScheduled = true
            return (true, isFirst)
        }
        guard isTaken else {
            job.fail(
                SQLiteError(code: .overloaded, message: "more than \(Self.pendingCountMax) changes wait"))
            return
        }
        if isFirst { schedule() }
    }

    private func schedule() {
        do throws(SQLiteError) {
            try connection.schedule(afterMilliseconds: 0) { [self] database in
                runGroup(database)
            }
        } catch {
            let jobs = state.withLock { state in
                defer { state = State() }
                return state.pending
            }
            for job in jobs { job.fail(error) }
        }
    }

    private func runGroup(_ database: Database) {
        let jobs = state.withLock { state in
            let count = min(state.pending.count, Self.groupCountMax)
            defer { state.pending.removeFirst(count) }
            return Array(state.pending.prefix(count))
        }
        runTogether(jobs[...], database)
        let isMore = state.withLock { state in
            state.isScheduled = !state.pending.isEmpty
            return state.isScheduled
        }
        if isMore { schedule() }
    }

    private func runTogether(_ jobs: ArraySlice<Job>, _ database: Database) {
        var rest = jobs
        while !rest.isEmpty {
            var deliveries: [@Sendable () -> Void] = []
            let clock = ContinuousClock()
            let deadline = clock.now + .milliseconds(Self.groupMilliseconds)
            do throws(SQLiteError) {
                try database.transaction { () throws(SQLiteError) in
                    for job in rest {
                        deliveries.append(try job.run(database))
                        if clock.now > deadline { break }
                    }
                }
                let count = deliveries.count
                for delivery in deliveries { delivery() }
                rest = rest.dropFirst(count)
            } catch {
                guard rest.count > 1 else {
                    for job in rest { job.fail(error) }
                    return
                }
                for index in rest.indices { runTogether(rest[index...index], database) }
                return
            }
        }
    }
}
