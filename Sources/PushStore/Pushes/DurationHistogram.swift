/// Durations counted in buckets that grow by a fifth each: any percentile to within ten in a hundred.
public struct DurationHistogram: Sendable, Hashable {
    /// Up to ten minutes; what took longer is in the last bucket.
    public static let bucketCount = 96

    /// How many durations each bucket has.
    public private(set) var counts: [UInt32]

    /// The upper ends of the buckets, in microseconds.
    private static let ends: [UInt64] = {
        var ends: [UInt64] = []
        var end = 20.0
        for _ in 0..<bucketCount {
            ends.append(UInt64(end))
            end *= 1.2
        }
        return ends
    }()

    /// Makes an empty histogram.
    public init() {
        counts = Array(repeating: 0, count: Self.bucketCount)
    }

    /// Reads what ``bytes`` wrote; nil for anything else.
    public init?(bytes: [UInt8]) {
        guard let numbers = NumberList.decodeEach(bytes), numbers.count <= Self.bucketCount else {
            return nil
        }
        self.init()
        for (index, number) in numbers.enumerated() { counts[index] = UInt32(clamping: number) }
    }

    /// The counts without the zeros at the end.
    public var bytes: [UInt8] {
        let used = counts.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        return NumberList.encodeEach(counts[..<used].map(Int64.init))
    }

    /// How many durations there are.
    public var count: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Counts a duration, or several of the same length.
    public mutating func add(microseconds: UInt64, times: UInt32 = 1) {
        var low = 0
        var high = Self.bucketCount - 1
        while low < high {
            let middle = (low + high) / 2
            if Self.ends[middle] < microseconds { low = middle + 1 } else { high = middle }
        }
        counts[low] &+= times
    }

    /// Adds the durations of another histogram.
    public mutating func add(_ other: DurationHistogram) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
    }

    /// The duration that a share of all does not exceed, in microseconds; nil without any.
    ///
    /// - Parameter share: from 0 to 1, for example 0.99.
    public func percentile(_ share: Double) -> UInt64? {
        let all = count
        guard all > 0 else { return nil }
        let wanted = max(1, Int((Double(all) * share).rounded(.up)))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= wanted { return Self.ends[index] }
        }
        return Self.ends.last
    }

    /// Median and 99th percentile in whole milliseconds, rounded up; nil without any duration.
    public var timing: PushRecord.Timing? {
        guard let median = percentile(0.5), let high = percentile(0.99) else { return nil }
        return PushRecord.Timing(
            median: Int64((median + 999) / 1000), percentile99: Int64((high + 999) / 1000))
    }
}
