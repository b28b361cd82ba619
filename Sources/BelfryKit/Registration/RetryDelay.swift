internal import Recurrence

/// How long to wait before the next attempt: twice as long each time, up to a cap, and spread.
struct RetryDelay: Hashable, Sendable {
    /// Before the second attempt, in milliseconds.
    static let firstMilliseconds: Int64 = 2_000
    /// Longest, in milliseconds.
    static let longestMilliseconds: Int64 = 15 * 60_000

    private var attemptCount = 0

    /// When to try again.
    ///
    /// - Parameters:
    ///   - random: from 0 to 1: the delay is between half of the full one and the full one, so that phones which lost the
    ///     service together do not come back together.
    ///   - floorSeconds: what the service asked for, which is kept up to a day.
    mutating func next(after now: Instant, random: Double, floorSeconds: Double? = nil) -> Instant {
        let shift = min(attemptCount, 20)
        attemptCount += 1
        let full = min(Self.firstMilliseconds << shift, Self.longestMilliseconds)
        let spread = Int64(Double(full) * (0.5 + 0.5 * min(max(random, 0), 1)))
        // A header can say "nan", which no comparison holds back and no integer takes.
        let asked = floorSeconds.flatMap { $0.isNaN ? nil : $0 } ?? 0
        let floor = Int64(min(max(asked, 0), 86_400) * 1000)
        return now.advanced(byMilliseconds: max(spread, floor))
    }

    mutating func reset() { attemptCount = 0 }
}
