/// How many batches are in senders' hands at once; pure.
///
/// What is in their hands is what a crash may send again, so there are no more of them than bring throughput. Two
/// keep a connection busy where APNs is near. Where answers take long, more are let in one by one as long as a
/// batch does not wait for its place on the wire, and sent away when they only wait for each other.
struct LaneGovernor: Sendable {
    /// Full batches that are in senders' hands at once, at least and at most.
    static let fullCountMin = 2
    static let fullCountMax = 16
    /// How many senders there are.
    static let laneCount = 16
    /// A batch of at most so many devices takes no full batch's place: a few devices must not wait for many.
    static let lightDeviceCountMax = 100
    /// Two batches that take no longer keep a connection busy: while one is on the wire the next is made.
    private static let nearMilliseconds = 60.0

    /// How many full batches may be out.
    private(set) var fullCount = fullCountMin
    private var openCount = 0
    private var sendingMilliseconds: Double?
    private var answeringMilliseconds: Double?

    /// Asks for a full batch's place; whoever gets it gives it back with ``leave()``.
    mutating func enter() -> Bool {
        guard openCount < fullCount else { return false }
        openCount += 1
        return true
    }

    /// Gives a place back: the batch has ended, there was none, or it was a light one.
    mutating func leave() {
        openCount -= 1
    }

    /// Takes note of a full batch.
    ///
    /// - Parameters:
    ///   - milliseconds: from its claim to its end.
    ///   - answeringMilliseconds: how long a notification on the wire took to be answered; nil when none was.
    mutating func record(milliseconds: Double, answeringMilliseconds: Double?) {
        guard let answeringMilliseconds else { return }
        let sending = Self.mean(&sendingMilliseconds, milliseconds)
        let answering = min(Self.mean(&self.answeringMilliseconds, answeringMilliseconds), sending)
        guard sending > Self.nearMilliseconds else {
            fullCount = Self.fullCountMin
            return
        }
        // Batches' worth of notifications that are not on the wire: being made, or waiting for a stream.
        let waiting = Double(fullCount) * (1 - answering / sending)
        if waiting < 1 { fullCount = min(fullCount + 1, Self.fullCountMax) }
        if waiting > 2 { fullCount = max(fullCount - 1, Self.fullCountMin) }
    }

    private static func mean(_ mean: inout Double?, _ value: Double) -> Double {
        let new = mean.map { $0 + (value - $0) / 4 } ?? value
        mean = new
        return new
    }
}
