public import Recurrence

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How interests fade: by half in every half-life, all at the same pace.
///
/// A row keeps a *score*: the binary logarithm of the weight it would have had at a fixed time. A score
/// changes only when a weight is added, and of two scores the larger one is the larger interest at any time,
/// so that an index on scores serves a threshold.
public struct InterestScale: Sendable, Hashable {
    /// The time that scores refer to: 2025-01-01T00:00:00Z.
    public static let epoch = Instant(secondsSince1970: 1_735_689_600)

    /// How long an interest takes to weigh half.
    public var halfLifeSeconds: Double

    /// Makes a scale; two weeks when nothing is given.
    public init(halfLifeSeconds: Double = 14 * 86_400) {
        self.halfLifeSeconds = halfLifeSeconds
    }

    /// The score after a weight was added at a time.
    ///
    /// - Parameters:
    ///   - weight: More than 0; 1 is one ordinary event.
    ///   - score: What there was before; nil for nothing.
    public func score(adding weight: Double, to score: Double?, at now: Instant) -> Double {
        let halfLives = halfLives(at: now)
        guard let score else { return log2(weight) + halfLives }
        // Of the two exponents the larger stands outside, so that neither overflows.
        let added = log2(weight) + halfLives
        let (large, small) = score > added ? (score, added) : (added, score)
        return large + log2(1 + exp2(small - large))
    }

    /// The interest that a score is at a time, more than 0 and less than 1: weight / (weight + 1).
    public func value(ofScore score: Double, at now: Instant) -> Double {
        1 / (1 + exp2(halfLives(at: now) - score))
    }

    /// The score that an interest has at a time; infinite for values outside of 0...1.
    public func score(ofValue value: Double, at now: Instant) -> Double {
        if value <= 0 { return -.infinity }
        if value >= 1 { return .infinity }
        return log2(value / (1 - value)) + halfLives(at: now)
    }

    private func halfLives(at now: Instant) -> Double {
        let milliseconds = now.millisecondsSince1970 - InterestScale.epoch.millisecondsSince1970
        return Double(milliseconds) / 1000 / halfLifeSeconds
    }
}
