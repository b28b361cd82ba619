package import Recurrence

/// A request that waits for its trigger.
package struct PendingRecord: Hashable, Sendable, Codable {
    package var request: RequestRecord
    /// Counts additions: a later one has a larger number.
    package var sequence: Int
    /// When it was added, in milliseconds since 1970: what a repeating interval counts from.
    package var addedMilliseconds: Int64
    /// When it fires next, in milliseconds since 1970; nil when a place decides, not time.
    package var nextMilliseconds: Int64?

    package var next: Instant? { nextMilliseconds.map { Instant(millisecondsSince1970: $0) } }
    package var added: Instant { Instant(millisecondsSince1970: addedMilliseconds) }
}
