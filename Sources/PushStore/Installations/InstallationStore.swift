public import Recurrence

/// Installations of apps.
///
/// Rows of one app are never seen, matched or changed through another.
public protocol InstallationStore: Sendable {
    /// Makes or changes one row; concurrent calls share transactions.
    ///
    /// Which row a `matching` change means, how rows with the same token are merged, what is read-only and
    /// what each `__op` does: LeanCloud's REST API guide, where it is silent Parse Server.
    /// - Throws: a ``ChangeError`` with LeanCloud's code when the body is at fault.
    func save(
        _ change: InstallationChange, app: Int64, now: Instant
    ) async throws(ChangeError) -> SavedInstallation

    /// The row with an objectId.
    func installation(objectID: String, app: Int64) async throws(StoreError) -> Installation?

    /// The rows a query asks for.
    func installations(
        _ find: InstallationFind, app: Int64, now: Instant
    ) async throws(StoreError)
        -> [Installation]

    /// How many rows a filter matches.
    func installationCount(_ filter: WhereClause?, app: Int64, now: Instant) async throws(StoreError) -> Int

    /// Rows in the order of their numbers, for walking all of them.
    ///
    /// - Parameters:
    ///   - filter: which rows; nil for all.
    ///   - after: the number after which to go on; 0 to begin.
    ///   - limit: how many at most.
    func scanInstallations(
        _ filter: WhereClause?, after: Int64, limit: Int, app: Int64, now: Instant
    ) async throws(StoreError) -> [Installation]

    /// Deletes a row.
    ///
    /// - Parameter condition: what has to hold of it; `conditionNotMet` is thrown otherwise.
    /// - Returns: whether there was one.
    func deleteInstallation(
        objectID: String, condition: WhereClause?, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool

    /// Adds or replaces rows of an export, keeping objectId, createdAt and updatedAt; one transaction.
    ///
    /// - Returns: for each row, nil when it was taken, or why it was not.
    func importInstallations(
        _ rows: [ImportedInstallation], app: Int64, now: Instant
    ) async throws(StoreError) -> [ChangeError?]

    /// Removes rows that were not saved for as long as their app's settings say.
    ///
    /// - Returns: how many.
    func removeExpiredInstallations(now: Instant, limit: Int) async throws(StoreError) -> Int
}
