public import Recurrence

/// How much is waiting, for metrics.
public struct QueueCounts: Sendable, Hashable {
    /// Pushes by state, those that have not ended.
    public var pushes: [Push.State: Int]
    /// Pushes that a fault of the set-up has stopped; ``pushes`` counts them among those that are paused.
    public var stoppedPushCount: Int
    /// Batches that wait for their time or a sender.
    public var readyBatchCount: Int
    /// Batches that a sender holds.
    public var claimedBatchCount: Int
    /// Devices without an outcome.
    public var pendingDeviceCount: Int
    /// Since when the batch is due that has been due for longest and that nobody has taken; nil for none.
    public var oldestDueAt: Instant?

    /// Makes counts.
    public init(
        pushes: [Push.State: Int], stoppedPushCount: Int = 0, readyBatchCount: Int, claimedBatchCount: Int,
        pendingDeviceCount: Int, oldestDueAt: Instant? = nil
    ) {
        self.pushes = pushes
        self.stoppedPushCount = stoppedPushCount
        self.readyBatchCount = readyBatchCount
        self.claimedBatchCount = claimedBatchCount
        self.pendingDeviceCount = pendingDeviceCount
        self.oldestDueAt = oldestDueAt
    }
}
