public import Recurrence

/// What became of devices, and what was opened, in one span of time.
public struct DeliverySlice: Sendable, Hashable {
    /// When the span begins.
    public var start: Instant
    /// How many devices got each outcome in batches that were finished in it.
    public var outcomes: [DeviceOutcome: Int]
    /// How many openings were reported in it.
    public var openCount: Int
    /// From a notification's submission to APNs' answer.
    public var answering: DurationHistogram

    /// Makes an empty span.
    public init(start: Instant) {
        self.start = start
        outcomes = [:]
        openCount = 0
        answering = DurationHistogram()
    }

    /// Adds what happened in another span.
    public mutating func add(_ other: DeliverySlice) {
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        openCount += other.openCount
        answering.add(other.answering)
    }
}
