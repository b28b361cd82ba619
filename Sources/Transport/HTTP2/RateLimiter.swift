/// A token bucket: so many events at once, so many more each second.
struct RateLimiter {
    private let burst: UInt64
    private let perSecond: UInt64
    private var tokensTimesThousand: UInt64
    private var updatedAtMilliseconds: UInt64

    /// Far above any sensible limit, and small enough that no product overflows.
    private static let countMax = 1 << 31

    init(burst: Int, perSecond: Int, nowMilliseconds: UInt64) {
        self.burst = UInt64(min(max(burst, 0), Self.countMax))
        self.perSecond = UInt64(min(max(perSecond, 0), Self.countMax))
        tokensTimesThousand = self.burst * 1000
        updatedAtMilliseconds = nowMilliseconds
    }

    /// Takes one event; false when there were too many.
    mutating func take(nowMilliseconds: UInt64) -> Bool {
        if nowMilliseconds > updatedAtMilliseconds {
            let elapsed = min(nowMilliseconds - updatedAtMilliseconds, UInt64(Self.countMax))
            tokensTimesThousand = min(tokensTimesThousand + elapsed * perSecond, burst * 1000)
            updatedAtMilliseconds = nowMilliseconds
        }
        guard tokensTimesThousand >= 1000 else { return false }
        tokensTimesThousand -= 1000
        return true
    }

    /// Forgives events, never above the burst.
    mutating func giveBack(_ count: Int) {
        tokensTimesThousand = min(
            tokensTimesThousand + UInt64(min(max(count, 0), Self.countMax)) * 1000, burst * 1000)
    }
}
