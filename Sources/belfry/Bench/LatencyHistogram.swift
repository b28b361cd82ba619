/// Counts latencies in buckets about 1.6 % wide, so that percentiles of any number of values cost no memory.
struct LatencyHistogram: Sendable {
    /// 64 buckets for each doubling.
    private static let precisionBits = 6
    private static let bucketCount = (32 - precisionBits + 1) << precisionBits

    private var counts = [Int](repeating: 0, count: bucketCount)
    private(set) var count = 0
    private(set) var max: UInt32 = 0

    mutating func add(_ microseconds: UInt32) {
        counts[Self.bucket(of: microseconds)] += 1
        count += 1
        max = Swift.max(max, microseconds)
    }

    /// The latency that a share of all values does not exceed, in microseconds; 0 when there are none.
    ///
    /// - Parameter share: 0 to 1; 0.5 is the median.
    func percentile(_ share: Double) -> UInt32 {
        guard count > 0 else { return 0 }
        let rank = Swift.max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() {
            seen += count
            if seen >= rank { return min(Self.upperBound(of: bucket), max) }
        }
        return max
    }

    static func bucket(of value: UInt32) -> Int {
        let width = 32 - value.leadingZeroBitCount
        let shift = Swift.max(0, width - precisionBits - 1)
        return (shift << precisionBits) + Int(value >> UInt32(shift))
    }

    /// The largest value that falls into a bucket.
    static func upperBound(of bucket: Int) -> UInt32 {
        let shift = Swift.max(0, (bucket >> precisionBits) - 1)
        let mantissa = bucket - (shift << precisionBits)
        return UInt32(clamping: ((mantissa + 1) << shift) - 1)
    }
}
