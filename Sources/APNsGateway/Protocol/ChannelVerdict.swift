package import APNs

/// What came of one request about broadcast channels: what to do, and the identifier of its answer.
package struct ChannelVerdict: Sendable {
    /// The apns-request-id of the response.
    package var responseID: ResponseID
    /// What the request asked for, for the journal.
    package var operation: JournalRecord.Operation
    /// The app in the path, when it could be read.
    package var bundleID: Topic?
    /// How many bytes the body had.
    package var payloadByteCount: Int
    /// What to do.
    package var outcome: Outcome
    /// Whether the refusal is a fault that somebody asked for.
    package var isFault = false

    /// What to do with a request.
    package enum Outcome: Hashable, Sendable {
        /// Make a channel, then answer ``ChannelResponse/created(_:)``.
        case create(ChannelConfiguration)
        /// Answer ``ChannelResponse/configuration(_:)``.
        case read(ChannelConfiguration)
        /// Delete the channel, then answer ``ChannelResponse/deleted``.
        case delete(ChannelID)
        /// Answer ``ChannelResponse/list(_:)``.
        case list
        /// Hand the broadcast to the subscribed devices, then answer ``ChannelResponse/published``.
        case publish(Broadcast)
        /// Answer ``ChannelResponse/rejected(_:bodies:)``.
        case rejected(Rejection)
    }

    /// A broadcast that was accepted.
    package struct Broadcast: Hashable, Sendable {
        /// The channel to publish on.
        package var channel: ChannelID
        /// What the channel keeps.
        package var configuration: ChannelConfiguration
        /// The priority; 10 when none was sent.
        package var priority: Priority
        /// The expiration, as sent.
        package var expiration: Expiration
    }

    /// The refusal; nil when there is something to do.
    package var rejection: Rejection? {
        guard case .rejected(let rejection) = outcome else { return nil }
        return rejection
    }
}
