/// The last requests, in a ring: a new one takes the place of the oldest when the ring is full.
package struct JournalRing: Sendable {
    /// How many requests are kept.
    package let capacity: Int
    /// Counts of all requests since the start, also those that left the ring.
    package private(set) var counters = JournalCounters()
    /// The sequence number of the newest request; 0 before the first.
    package private(set) var newestSequence: UInt64 = 0

    private var records: [JournalRecord] = []

    /// Makes an empty ring, which takes memory as it fills.
    package init(capacity: Int) {
        precondition(capacity > 0, "a journal keeps at least one request")
        self.capacity = capacity
    }

    /// The sequence number of the oldest request still kept; 1 before the first.
    package var oldestSequence: UInt64 { newestSequence - UInt64(records.count) + 1 }

    /// Keeps a request.
    ///
    /// - Returns: Its sequence number.
    @discardableResult
    package mutating func append(_ record: JournalRecord) -> UInt64 {
        newestSequence += 1
        counters.count(record)
        let place = place(newestSequence)
        if records.count < capacity {
            records.append(record)
        } else {
            records[place] = record
        }
        records[place].sequence = newestSequence
        return newestSequence
    }

    /// Sets what became of a request later; without effect when it left the ring.
    package mutating func amend(_ sequence: UInt64, decision: JournalDecision) {
        guard sequence >= oldestSequence, sequence <= newestSequence else { return }
        let place = place(sequence)
        counters.amend(records[place].decision, to: decision)
        records[place].decision = decision
    }

    /// Appends those requests in a range of sequence numbers that a query asks for, at most so many.
    func collect(
        _ query: JournalQuery, in range: ClosedRange<UInt64>, newestFirst: Bool, countMax: Int,
        to output: inout [JournalRecord]
    ) {
        guard !records.isEmpty, range.upperBound >= oldestSequence, range.lowerBound <= newestSequence else {
            return
        }
        let low = max(range.lowerBound, oldestSequence)
        let high = min(range.upperBound, newestSequence)
        for offset in 0...(high - low) where output.count < countMax {
            let place = place(newestFirst ? high - offset : low + offset)
            if query.matches(records[place]) { output.append(records[place]) }
        }
    }

    private func place(_ sequence: UInt64) -> Int { Int((sequence - 1) % UInt64(capacity)) }
}
