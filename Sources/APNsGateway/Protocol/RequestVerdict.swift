package import APNs

/// What came of one push request: all that could be read of it, and the answer.
package struct RequestVerdict: Sendable {
    /// The apns-id of the response.
    package var responseID: ResponseID
    /// The apns-unique-id of a response from the sandbox; in production the gateway's own name for the request.
    package var uniqueID: NotificationID
    /// The device token, when the path held one.
    package var token: DeviceToken?
    /// The topic, when the request reached the check of its topic.
    package var topic: Topic?
    /// The push type, as sent.
    package var pushType: PushType?
    /// The priority, as sent.
    package var priority: Priority?
    /// The expiration, as sent.
    package var expiration: Expiration
    /// The collapse identifier, as sent.
    package var collapseID: CollapseID?
    /// How many bytes the body had.
    package var payloadByteCount: Int
    /// The answer.
    package var outcome: Outcome
    /// What to write in the journal; of a push for a device only the registry knows what becomes of it.
    package var decision = JournalDecision.refused

    /// The answer to a request.
    package enum Outcome: Hashable, Sendable {
        /// 200. The device is nil when an open gateway accepted a token that no device has.
        case accepted(device: Int64?)
        /// Any other status.
        case rejected(Rejection)
    }

    /// The HTTP status.
    package var status: Int {
        switch outcome {
        case .accepted: 200
        case .rejected(let rejection): rejection.status
        }
    }

    /// The refusal; nil when the request was accepted.
    package var rejection: Rejection? {
        guard case .rejected(let rejection) = outcome else { return nil }
        return rejection
    }
}
