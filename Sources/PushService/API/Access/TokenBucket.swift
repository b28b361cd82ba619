internal import Recurrence

/// Lets so many requests through each second, and as many at once.
///
/// Pure; times never go back in it, whatever the clock does.
struct TokenBucket: Sendable, Hashable {
    /// How many requests a second; also how many at once after a pause.
    private(set) var perSecond: Int
    /// Thousandths of requests that may pass now.
    private var credit: Int64
    private var updatedAt: Instant

    /// A full bucket.
    init(perSecond: Int, now: Instant) {
        self.perSecond = perSecond
        credit = Int64(perSecond) * 1000
        updatedAt = now
    }

    /// Takes the cost of a request out.
    ///
    /// - Parameters:
    ///   - count: how many requests it stands for; of more than a second's worth, a second's worth is taken.
    ///   - perSecond: the limit as it is now.
    /// - Returns: nil when it may pass, otherwise after how many milliseconds it may.
    mutating func take(_ count: Int, perSecond: Int, now: Instant) -> Int64? {
        let capacity = Int64(perSecond) * 1000
        let elapsed = max(0, now.millisecondsSince1970 - updatedAt.millisecondsSince1970)
        // Requests may come a little out of their order; a time that is far behind is a clock that was set back, and
        // without this nothing would be let in until it has caught up.
        let isSetBack = now.millisecondsSince1970 < updatedAt.millisecondsSince1970 - 1_000
        updatedAt = isSetBack ? now : max(updatedAt, now)
        // A millisecond brings as many thousandths as a second brings requests.
        credit = min(capacity, credit + min(elapsed, 1000) * Int64(perSecond))
        self.perSecond = perSecond
        let cost = min(Int64(count) * 1000, capacity)
        guard credit < cost else {
            credit -= cost
            return nil
        }
        return (cost - credit + Int64(perSecond) - 1) / Int64(perSecond)
    }
}
