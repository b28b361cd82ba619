/// Stretches of time with one offset from UTC each, in order.
struct ZoneSegments: Sendable {
    /// Where each stretch begins, in seconds since 1970; the first one before everything.
    private(set) var starts: [Int] = [ZoneSegments.distantPast]
    /// Seconds to add to UTC in each stretch.
    private(set) var offsets: [Int]

    /// Far enough, and an offset can be added to it.
    static let distantPast = Int.min / 4
    /// No zone was ever further from UTC: local mean time at the date line.
    static let offsetMax = 16 * 3600

    init(offset: Int) {
        offsets = [offset]
    }

    /// Adds a stretch; one with the offset of the stretch before it is the same stretch.
    mutating func append(start: Int, offset: Int) {
        guard offset != offsets.last else { return }
        starts.append(start)
        offsets.append(offset)
    }

    var lastOffset: Int { offsets[offsets.count - 1] }

    /// The stretch that an instant is in.
    func index(at seconds: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle } else { high = middle }
        }
        return low
    }

    /// The instants at which the clocks show a civil time.
    func match(_ civilSeconds: Int) -> ZoneMatch {
        var index = index(at: civilSeconds - Self.offsetMax)
        var first: Int?
        // Later stretches are looked at because one may show the same time again.
        while index < starts.count, starts[index] - Self.offsetMax <= civilSeconds {
            let offset = offsets[index]
            let isBegun = civilSeconds >= starts[index] + offset
            let isOver = index + 1 < starts.count && civilSeconds >= starts[index + 1] + offset
            if isBegun, !isOver {
                if let first { return .twice(offsetFirst: first, offsetSecond: offset) }
                first = offset
            }
            index += 1
        }
        if let first { return .once(offset: first) }
        index = min(index, starts.count) - 1
        while index > 0 {
            let isAfterGapStart = civilSeconds >= starts[index] + offsets[index - 1]
            if isAfterGapStart, civilSeconds < starts[index] + offsets[index] {
                return .skipped(
                    at: Instant(secondsSince1970: Int64(starts[index])), offsetBefore: offsets[index - 1],
                    offsetAfter: offsets[index])
            }
            index -= 1
        }
        return .once(offset: offsets[0])
    }
}
