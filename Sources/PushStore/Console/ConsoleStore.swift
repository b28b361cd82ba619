public import Recurrence

/// What the console in the browser needs beside the REST API: its users, and views over pushes.
public protocol ConsoleStore: Sendable {
    // MARK: Users

    /// All users by name.
    func consoleUsers() async throws(StoreError) -> [ConsoleUser]

    /// The user with a name.
    func consoleUser(name: String) async throws(StoreError) -> ConsoleUser?

    /// Adds a user.
    ///
    /// - Parameter onlyFirst: whether it is refused when there is any user already.
    /// - Throws: `conflict` when the name is taken, or there is a user and the first one was meant; `invalid` for what
    ///   cannot be a name.
    func addConsoleUser(_ user: ConsoleUser, onlyFirst: Bool) async throws(StoreError)

    /// Changes role and password of a user, and ends the user's sessions.
    ///
    /// - Throws: `notFound` when there is none, `invalid` when no owner would be left.
    func updateConsoleUser(_ user: ConsoleUser) async throws(StoreError)

    /// Removes a user with all sessions.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `invalid` when no owner would be left.
    func removeConsoleUser(name: String) async throws(StoreError) -> Bool

    // MARK: Sessions

    /// Adds a session, notes that the user signed in, and forgets sessions that have ended.
    func addConsoleSession(_ session: ConsoleSession) async throws(StoreError)

    /// The session of a secret's digest with its user; nil when there is none or it has ended.
    func consoleSession(
        digest: [UInt8], now: Instant
    ) async throws(StoreError) -> (session: ConsoleSession, user: ConsoleUser)?

    /// Ends a session.
    func removeConsoleSession(digest: [UInt8]) async throws(StoreError)

    // MARK: Views

    /// Installations of an app by their objectIds, the largest first: those made here begin with their time.
    func newestInstallations(limit: Int, app: Int64) async throws(StoreError) -> [Installation]

    /// Pushes of an app, newest first, schedules included.
    ///
    /// - Parameters:
    ///   - before: only those with a smaller number; nil for the newest.
    ///   - limit: how many at most.
    func pushes(before: Int64?, limit: Int, app: Int64) async throws(StoreError) -> [Push]

    /// What became of devices over time, in spans of one length; empty spans are left out.
    ///
    /// Spans that are over never change, but for records that are removed.
    /// - Parameters:
    ///   - start: when the first span begins.
    ///   - end: what happened from then on is left out.
    ///   - stepSeconds: the length of a span.
    func deliverySlices(
        from start: Instant, to end: Instant, stepSeconds: Int64, app: Int64
    ) async throws(StoreError) -> [DeliverySlice]

    /// What became of the devices of some batches of a record, by environment, language and zone.
    ///
    /// - Parameters:
    ///   - id: the record's objectId.
    ///   - batch: the number of the last batch that was counted; 0 for the first call.
    ///   - limit: how many batches at most; each has up to 2,000 devices.
    /// - Returns: their counts, and what to give as `batch` for the next ones; nil when there are none.
    func outcomeDivision(
        record id: String, after batch: Int64, limit: Int, app: Int64
    ) async throws(StoreError) -> (division: OutcomeDivision, next: Int64?)

    /// Who opened a record's pushes, by environment, language and zone.
    ///
    /// - Parameters:
    ///   - id: the record's objectId.
    ///   - installation: the last objectId that was counted; empty for the first call.
    ///   - limit: how many openings at most.
    /// - Returns: their counts, and what to give as `installation` for the next ones; nil when there are none.
    func openDivision(
        record id: String, after installation: String, limit: Int, app: Int64
    ) async throws(StoreError) -> (division: OutcomeDivision, next: String?)
}
