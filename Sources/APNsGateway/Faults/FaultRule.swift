public import APNs

/// A fault that somebody asked the gateway to show: to some requests, for a number of times or for ever.
public struct FaultRule: Hashable, Sendable {
    /// What happens to a request.
    public var effect: Effect
    /// The share of requests that meet the fault, from 0 to 1.
    public var rate: Double
    /// How many requests meet the fault in all; nil for no end.
    public var count: Int?

    /// What happens to a request that meets a fault.
    public enum Effect: Hashable, Sendable {
        /// It is refused instead of accepted; a nil status means the reason's own.
        case reason(Reason, status: Int?)
        /// It is not processed, and the connection ends with GOAWAY below its stream.
        case goAway(Reason, errorCode: UInt32)
        /// It is not processed, and its stream ends with RST_STREAM.
        case reset(errorCode: UInt32)
        /// It is not processed and never answered.
        case silence
        /// Its answer comes this many milliseconds late.
        case latency(milliseconds: Int)
        /// It is answered, and its connection's stream limit falls to this for a while.
        case maxStreams(Int)
        /// It is not processed, and its connection is cut without a word.
        case drop
    }

    /// The longest delay, in milliseconds: ten minutes.
    public static let latencyMillisecondsMax = 600_000

    /// Makes a rule; a rate outside 0…1 is moved to the nearer end.
    public init(_ effect: Effect, rate: Double = 1, count: Int? = nil) {
        self.effect = effect
        self.rate = rate.isNaN ? 0 : min(max(rate, 0), 1)
        self.count = count.map { max(0, $0) }
    }
}
