public import APNs
public import Recurrence

/// What a sender found out about a batch: outcomes, and what they mean for installations; stored as one.
public struct BatchReport: Sendable {
    /// What is to become of the batch.
    public enum Next: Sendable, Hashable {
        /// The sender goes on with it; its lease is extended to this time.
        case goOn(leaseUntil: Instant)
        /// Every device has its outcome.
        case finish
        /// It is handed back, with devices that are pending.
        case giveBack
        /// The set-up is at fault: the push is paused with this text until somebody resumes it.
        case stop(String)
    }

    /// A device token APNs called dead.
    public struct DeadToken: Sendable, Hashable {
        /// The row.
        public var installation: Int64
        /// The token the notification was sent to.
        public var deviceToken: String
        /// Why, in APNs' word.
        public var reason: String
        /// When APNs last found it dead; a row that registered it again after that stays.
        public var at: Instant

        /// Makes an entry.
        public init(installation: Int64, deviceToken: String, reason: String, at: Instant) {
            self.installation = installation
            self.deviceToken = deviceToken
            self.reason = reason
            self.at = at
        }
    }

    /// Devices that are handed on to a later batch, which sends to them not before a time.
    ///
    /// Quiet hours defer devices, and so do refusals that ask for a wait: the rest of the batch is done meanwhile.
    public struct Deferral: Sendable, Hashable {
        /// When.
        public var notBefore: Instant
        /// Their places in the batch, ascending.
        public var positions: [Int]
        /// How often they have been tried by now.
        public var attemptCount: Int

        /// Makes an entry.
        public init(notBefore: Instant, positions: [Int], attemptCount: Int) {
            self.notBefore = notBefore
            self.positions = positions
            self.attemptCount = attemptCount
        }
    }

    /// One for each device, the ones stored before included.
    public var outcomes: [DeviceOutcome]
    /// Rows whose environment an acceptance has shown, or a refusal ruled out (nil).
    public var environments: [(installation: Int64, environment: Environment)]
    /// Rows to remove unless they registered again.
    public var deadTokens: [DeadToken]
    /// Devices to hand on.
    public var deferrals: [Deferral]
    /// Reasons that have no byte, by place in the batch.
    public var details: [(position: Int, text: String)]
    /// The digest's article for each device, -1 for none; empty without a digest.
    public var articles: [Int]
    /// The articles accepted devices have now had.
    public var seenArticles: [(installation: Int64, article: String)]
    /// Whether places under the frequency cap were taken: those of devices that were not sent to are given back.
    ///
    /// Accepted and unanswered devices keep theirs, and those that are tried again.
    public var countsForCap: Bool
    /// How long APNs took to answer, since the last report.
    public var answering: DurationHistogram
    /// What is to become of the batch.
    public var next: Next

    /// Makes a report without effects.
    public init(outcomes: [DeviceOutcome], next: Next) {
        self.outcomes = outcomes
        environments = []
        deadTokens = []
        deferrals = []
        details = []
        articles = []
        seenArticles = []
        countsForCap = false
        answering = DurationHistogram()
        self.next = next
    }
}
