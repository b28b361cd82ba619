/// How much is waiting, for metrics.
public struct QueueCounts: Sendable, Hashable {
    /// Pushes by state, those that have not ended.
    public var pushes: [Push.State: Int]
    /// Batches that wait for their time or a sender.
    public var readyBatchCount: Int
    /// Batches that a sender holds.
    public var claimedBatchCount: Int
    /// Devices without an outcome.
    public var pendingDeviceCount: Int

    /// Makes counts.
    public init(
        pushes: [Push.State: Int], readyBatchCount: Int, claimedBatchCount: Int, pendingDeviceCount: Int
    ) {
        self.pushes = pushes
        self.readyBatchCount = readyBatchCount
        self.claimedBatchCount = claimedBatchCount
        self.pendingDeviceCount = pendingDeviceCount
    }
}
