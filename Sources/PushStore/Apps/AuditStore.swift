public import Recurrence

/// A record of who changed what in the administration of a service.
public protocol AuditStore: Sendable {
    /// Adds an entry.
    func recordAudit(_ entry: AuditEntry) async throws(StoreError)

    /// The newest entries first.
    ///
    /// - Parameters:
    ///   - app: the app, or nil for all.
    ///   - limit: how many at most.
    func auditLog(app: Int64?, limit: Int) async throws(StoreError) -> [AuditEntry]

    /// Removes entries older than their app keeps them (``AppSettings/auditDays``).
    ///
    /// - Parameter limit: how many at most, of all apps together.
    /// - Returns: how many are gone.
    func removeOldAudit(now: Instant, limit: Int) async throws(StoreError) -> Int
}

/// One administrative act.
public struct AuditEntry: Sendable, Hashable {
    /// When.
    public var at: Instant
    /// The app's number, if it concerns one.
    public var app: Int64?
    /// Who, for example `command line` or `master key`.
    public var actor: String
    /// What, for example `app.create`.
    public var action: String
    /// Which, in words and without secrets.
    public var detail: String

    /// Makes an entry.
    public init(at: Instant, app: Int64?, actor: String, action: String, detail: String) {
        self.at = at
        self.app = app
        self.actor = actor
        self.action = action
        self.detail = detail
    }
}
