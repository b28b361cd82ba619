public import Recurrence

/// What became of a push, or of several that share a record: LeanCloud's `_Notification`.
///
/// All counts are derived from the outcomes of devices.
public struct PushRecord: Sendable, Hashable {
    /// Half and nearly all of some durations, in milliseconds.
    public struct Timing: Sendable, Hashable {
        /// Half took no longer.
        public var median: Int64
        /// 99 of 100 took no longer.
        public var percentile99: Int64

        /// Makes a timing.
        public init(median: Int64, percentile99: Int64) {
            self.median = median
            self.percentile99 = percentile99
        }
    }

    /// 16 letters and digits.
    public var objectID: String
    /// What the requests called it, if they did.
    public var notificationID: String?
    /// The pushes in it, oldest first.
    public var pushes: [Push]
    /// When the first push was accepted.
    public var createdAt: Instant
    /// When it last changed.
    public var updatedAt: Instant
    /// How many devices have each outcome, pending ones included.
    public var outcomes: [DeviceOutcome: Int]
    /// From acceptance of the push, or its due time, to its devices' turn.
    public var queueing: Timing?
    /// From a notification's submission to APNs' answer.
    public var answering: Timing?
    /// How many installations said that it arrived; apps without receipts say nothing.
    public var receiptCount: Int
    /// How many installations opened it.
    public var openCount: Int

    /// Makes a value of what is stored.
    public init(
        objectID: String, notificationID: String?, pushes: [Push], createdAt: Instant, updatedAt: Instant,
        outcomes: [DeviceOutcome: Int], queueing: Timing?, answering: Timing?,
        receiptCount: Int = 0, openCount: Int
    ) {
        self.objectID = objectID
        self.notificationID = notificationID
        self.pushes = pushes
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.outcomes = outcomes
        self.queueing = queueing
        self.answering = answering
        self.receiptCount = receiptCount
        self.openCount = openCount
    }

    /// How many devices matched and were valid.
    public var deviceCount: Int { outcomes.reduce(0) { $0 + ($1.key.isDevice ? $1.value : 0) } }
    /// How many notifications APNs accepted.
    public var successCount: Int { outcomes[.accepted] ?? 0 }
    /// How many tokens APNs called bad or gone.
    public var invalidTokenCount: Int { outcomes.reduce(0) { $0 + ($1.key.isInvalidToken ? $1.value : 0) } }
    /// How many devices have no outcome yet.
    public var pendingCount: Int { outcomes[.pending] ?? 0 }

    /// LeanCloud's word for where it stands.
    public var status: String {
        if pushes.allSatisfy({ $0.state == .scheduled }), !pushes.isEmpty { return "scheduled" }
        return pushes.allSatisfy(\.state.isFinal) ? "done" : "in-queue"
    }

    /// What went wrong with the pushes as a whole, and what was left out of them; nil when nothing was.
    public var errors: String? {
        let texts = pushes.compactMap(\.remarks)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
