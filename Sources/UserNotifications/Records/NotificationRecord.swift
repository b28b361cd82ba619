package import Recurrence

/// A request that was delivered, and when.
package struct NotificationRecord: Hashable, Sendable, Codable {
    private let shared: SharedValue<RequestRecord>
    package var dateMilliseconds: Int64

    private enum CodingKeys: String, CodingKey {
        case shared = "request"
        case dateMilliseconds
    }

    package init(request: RequestRecord, date: Instant) {
        shared = SharedValue(request)
        dateMilliseconds = date.millisecondsSince1970
    }

    package var request: RequestRecord { shared.value }
    package var identifier: String { request.identifier }

    /// When it was due; for a remote one, when it arrived.
    package var date: Instant { Instant(millisecondsSince1970: dateMilliseconds) }
}
