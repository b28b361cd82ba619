public import Recurrence

/// What a store knows of one push and one device.
public struct DeliveryEvidence: Sendable, Hashable {
    /// One batch the device is in.
    public struct Placement: Sendable, Hashable {
        /// The batch's number.
        public var batch: Int64
        /// What became of the device in it.
        public var outcome: DeviceOutcome
        /// APNs' reason where the outcome has no name for it.
        public var detail: String?
        /// When the batch may be sent.
        public var notBefore: Instant
        /// When it was last claimed; nil before.
        public var claimedAt: Instant?
        /// When it was finished; nil before.
        public var finishedAt: Instant?
        /// How often it was claimed.
        public var attemptCount: Int

        /// Makes a value of what is stored.
        public init(
            batch: Int64, outcome: DeviceOutcome, detail: String?, notBefore: Instant, claimedAt: Instant?,
            finishedAt: Instant?, attemptCount: Int
        ) {
            self.batch = batch
            self.outcome = outcome
            self.detail = detail
            self.notBefore = notBefore
            self.claimedAt = claimedAt
            self.finishedAt = finishedAt
            self.attemptCount = attemptCount
        }
    }

    /// The push.
    public var push: Push
    /// The installation as it is now; nil when it is gone.
    public var installation: Installation?
    /// Where it was planned, oldest first; empty when it never was.
    public var placements: [Placement]
    /// When its app said that the push had arrived; nil when it did not, as far as is known.
    public var receivedAt: Instant?
    /// When it opened the push; nil when it did not, as far as is known.
    public var openedAt: Instant?

    /// Makes a value of what is stored.
    public init(
        push: Push, installation: Installation?, placements: [Placement], receivedAt: Instant? = nil,
        openedAt: Instant?
    ) {
        self.push = push
        self.installation = installation
        self.placements = placements
        self.receivedAt = receivedAt
        self.openedAt = openedAt
    }
}
