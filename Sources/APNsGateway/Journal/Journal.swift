internal import Synchronization

/// The last requests to the gateway, written by all event loops and read by the control API.
///
/// Writing one takes a lock for some ten nanoseconds. Reading holds it for a few thousand records at a time,
/// so that a long search does not keep the event loops waiting.
package final class Journal: Sendable {
    /// How many requests are kept unless told otherwise.
    package static let capacityDefault = 100_000

    private static let sliceCount: UInt64 = 4096

    private let ring: Mutex<JournalRing>

    /// Makes an empty journal.
    package init(capacity: Int = Journal.capacityDefault) {
        ring = Mutex(JournalRing(capacity: capacity))
    }

    /// Keeps a request.
    ///
    /// - Returns: Its sequence number.
    @discardableResult
    package func append(_ record: JournalRecord) -> UInt64 {
        ring.withLock { $0.append(record) }
    }

    /// Sets what became of a request later; without effect when it left the journal.
    package func amend(_ sequence: UInt64, decision: JournalDecision) {
        ring.withLock { $0.amend(sequence, decision: decision) }
    }

    /// Counts of all requests since the start.
    package var counters: JournalCounters { ring.withLock { $0.counters } }

    /// The sequence number of the newest request; 0 before the first.
    package var newestSequence: UInt64 { ring.withLock { $0.newestSequence } }

    /// The requests a query asks for, in order of their sequence numbers.
    ///
    /// With `since` these are the first ones after it, so that repeated queries read everything that stays
    /// long enough; without it they are the newest ones.
    package func records(_ query: JournalQuery) -> [JournalRecord] {
        var found: [JournalRecord] = []
        guard query.limit > 0 else { return found }
        let (oldest, newest) = ring.withLock { ($0.oldestSequence, $0.newestSequence) }
        guard newest > 0 else { return found }
        if let since = query.since {
            var low = max(oldest, since == .max ? since : since + 1)
            while low <= newest, found.count < query.limit {
                let high = min(newest, low + Journal.sliceCount - 1)
                collect(query, low...high, newestFirst: false, to: &found)
                low = high + 1
            }
        } else {
            var high = newest
            while high >= oldest, found.count < query.limit {
                let low = max(oldest, high >= Journal.sliceCount ? high - Journal.sliceCount + 1 : 1)
                collect(query, low...high, newestFirst: true, to: &found)
                high = low - 1
            }
            found.reverse()
        }
        return found
    }

    private func collect(
        _ query: JournalQuery, _ range: ClosedRange<UInt64>, newestFirst: Bool,
        to found: inout [JournalRecord]
    ) {
        found = ring.withLock { [found] ring in
            var found = found
            ring.collect(
                query, in: range, newestFirst: newestFirst, countMax: query.limit, to: &found)
            return found
        }
    }
}
