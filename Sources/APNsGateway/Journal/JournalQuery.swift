package import APNs

/// Which requests of the journal to show; without any condition, the newest ones.
package struct JournalQuery: Sendable {
    /// The most requests one query shows.
    package static let limitMax = 10_000

    /// Only requests after this sequence number, the oldest of them first.
    package var since: UInt64?
    /// Only requests for this device token.
    package var token: DeviceToken?
    /// Only requests with this apns-id.
    package var id: NotificationID?
    /// Only requests with this HTTP status; 0 for those without an answer.
    package var status: Int?
    /// Only requests refused for this reason.
    package var reason: Reason?
    /// How many requests to show, at most ``limitMax``.
    package var limit: Int

    /// Makes a query.
    package init(
        since: UInt64? = nil, token: DeviceToken? = nil, id: NotificationID? = nil, status: Int? = nil,
        reason: Reason? = nil, limit: Int = 100
    ) {
        self.since = since
        self.token = token
        self.id = id
        self.status = status
        self.reason = reason
        self.limit = min(max(limit, 0), JournalQuery.limitMax)
    }

    /// Whether a request meets all conditions but `since`.
    func matches(_ record: borrowing JournalRecord) -> Bool {
        if let token, record.token != token { return false }
        if let id, record.id.id != id { return false }
        if let status, Int(record.status) != status { return false }
        if let reason, record.reason != reason { return false }
        return true
    }
}
