public import APNs
public import Transport

/// What became of one notification.
public struct Outcome: Sendable, Hashable {
    /// The ways a notification can end.
    public enum Result: Sendable, Hashable {
        /// APNs took it for delivery (200). This does not say that a device has shown it.
        case accepted
        /// APNs refused it.
        ///
        /// `timestampMilliseconds` comes with 410: when APNs last found the token dead, in milliseconds
        /// since 1970. Forget the token only if it has not registered again since.
        case rejected(status: Int, reason: Reason, timestampMilliseconds: Int64?)
        /// There is no answer.
        case failed(Failure)
    }

    /// Why there is no answer.
    public enum Failure: Sendable, Hashable {
        /// It was sent, and no answer came: APNs may or may not have taken it.
        case unknown(TransportError)
        /// It was never sent whole: APNs has not taken it.
        case notSent(TransportError)
        /// It was never sent: the caller's task was cancelled.
        case cancelled
    }

    /// How it ended.
    public var result: Result
    /// The id APNs knows the notification by.
    public var id: NotificationID?
    /// The id under which the Push Notifications Console shows it; the sandbox sends one.
    public var uniqueID: NotificationID?
    /// From the last attempt's submission to its answer, in microseconds.
    public var latencyMicroseconds: UInt32
    /// How often it was put on the wire.
    public var attemptCount: UInt8

    /// Makes an outcome.
    public init(
        result: Result, id: NotificationID? = nil, uniqueID: NotificationID? = nil,
        latencyMicroseconds: UInt32 = 0, attemptCount: UInt8 = 0
    ) {
        self.result = result
        self.id = id
        self.uniqueID = uniqueID
        self.latencyMicroseconds = latencyMicroseconds
        self.attemptCount = attemptCount
    }

    /// Whether APNs took the notification for delivery.
    public var isAccepted: Bool { result == .accepted }

    /// What the outcome asks of the sender; nil for an accepted notification.
    public var disposition: Reason.Disposition? {
        switch result {
        case .accepted: nil
        case .rejected(let status, let reason, _):
            reason.isKnown ? reason.disposition : Reason.Disposition(status: status)
        case .failed(.unknown): .unknown
        case .failed: .later
        }
    }
}
