package import Recurrence

/// A request that was delivered, and when.
package struct NotificationRecord: Hashable, Sendable, Codable {
    package var request: RequestRecord
    package var dateMilliseconds: Int64

    package init(request: RequestRecord, date: Instant) {
        self.request = request
        dateMilliseconds = date.millisecondsSince1970
    }

    package var identifier: String { request.identifier }

    /// When it was due; for a remote one, when it arrived.
    package var date: Instant { Instant(millisecondsSince1970: dateMilliseconds) }
}
