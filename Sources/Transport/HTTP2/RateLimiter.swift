/// A token bucket: so many events at once, so many more each second.
struct RateLimiter {
    private let burst: UInt64
    private let perSecond: UInt64
    private var tokensTimesThousand: UInt64
    private var updatedAtMilliseconds: UInt64

    init(burst: Int, perSecond: Int, nowMilliseconds: UInt64) {
        self.burst = UInt64(max(burst, 0))
        self.perSecond = UInt64(max(perSecond, 0))
        tokensTimesThousand = self.burst * 1000
        updatedAtMilliseconds = nowMilliseconds
    }

    /// Takes one event; false when there were too many.
    mutating func take(nowMilliseconds: UInt64) -> Bool {
        if nowMilliseconds > updatedAtMilliseconds {
            let gained = (nowMilliseconds - updatedAtMilliseconds) * perSecond
            tokensTimesThousand = min(tokensTimesThousand + gained, burst * 1000)
            updatedAtMilliseconds = nowMilliseconds
        }
        guard tokensTimesThousand >= 1000 else { return false }
        tokensTimesThousand -= 1000
        return true
    }
}
