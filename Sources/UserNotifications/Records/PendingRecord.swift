package import Recurrence

/// A request that waits for its trigger.
package struct PendingRecord: Hashable, Sendable, Codable {
    private let shared: SharedValue<RequestRecord>
    /// Counts additions: a later one has a larger number.
    package var sequence: Int
    /// When it was added, in milliseconds since 1970: what a repeating interval counts from.
    package var addedMilliseconds: Int64
    /// When it fires next, in milliseconds since 1970; nil when a place decides, not time.
    package var nextMilliseconds: Int64?

    private enum CodingKeys: String, CodingKey {
        case shared = "request"
        case sequence, addedMilliseconds, nextMilliseconds
    }

    package init(request: RequestRecord, sequence: Int, added: Instant, next: Instant?) {
        shared = SharedValue(request)
        self.sequence = sequence
        addedMilliseconds = added.millisecondsSince1970
        nextMilliseconds = next?.millisecondsSince1970
    }

    package var request: RequestRecord { shared.value }
    package var next: Instant? { nextMilliseconds.map { Instant(millisecondsSince1970: $0) } }
    package var added: Instant { Instant(millisecondsSince1970: addedMilliseconds) }
}
