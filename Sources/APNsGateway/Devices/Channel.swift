package import APNs

/// A broadcast channel of an app in one environment.
///
/// Apple: Sending channel management requests to APNs.
package struct Channel: Hashable, Sendable {
    /// The channel's name.
    package let id: ChannelID
    /// The app.
    package let bundleID: String
    /// The environment; channels are not shared between them.
    package let environment: Environment
    /// Whether the latest message is kept.
    package let storagePolicy: MessageStoragePolicy
    /// When it was made, in milliseconds since 1970.
    package let createdAtMilliseconds: Int64
    /// Its place in the order in which all channels were made.
    package let ordinal: Int64
    /// How many messages were published.
    package internal(set) var messageCount: Int64 = 0
    /// The latest message, while it is stored.
    package internal(set) var storedMessage: StoredMessage?
    /// The tokens that follow the channel, each with the number of the last message it got or need not get.
    package internal(set) var subscribers: [DeviceToken: Int64] = [:]

    /// A message that waits for subscribers who were offline.
    package struct StoredMessage: Hashable, Sendable {
        /// Its number in the channel.
        package var number: Int64
        /// The message, addressed to nobody in particular.
        package var message: BroadcastMessage
        /// When it is dropped, in milliseconds since 1970.
        package var untilMilliseconds: Int64
    }

    init(
        id: ChannelID, bundleID: String, environment: Environment, storagePolicy: MessageStoragePolicy,
        createdAtMilliseconds: Int64, ordinal: Int64
    ) {
        self.id = id
        self.bundleID = bundleID
        self.environment = environment
        self.storagePolicy = storagePolicy
        self.createdAtMilliseconds = createdAtMilliseconds
        self.ordinal = ordinal
    }
}

/// An accepted publication to a channel.
package struct BroadcastMessage: Hashable, Sendable {
    /// The apns-request-id of the response.
    package var id: NotificationID
    /// The priority; 10 when none was sent.
    package var priority: Priority
    /// The expiration, as sent.
    package var expiration: Expiration
    /// The body, as sent.
    package var payload: [UInt8]
    /// When the gateway accepted it, in milliseconds since 1970.
    package var receivedAtMilliseconds: Int64

    /// Makes a message.
    package init(
        id: NotificationID, priority: Priority = .high, expiration: Expiration = .never, payload: [UInt8],
        receivedAtMilliseconds: Int64
    ) {
        self.id = id
        self.priority = priority
        self.expiration = expiration
        self.payload = payload
        self.receivedAtMilliseconds = receivedAtMilliseconds
    }
}

/// What became of a publication, with a text for the journal.
package struct BroadcastDecision: Hashable, Sendable {
    /// How many devices got it at once.
    package var deliveredCount: Int
    /// How many subscribed devices could not take it.
    package var missedCount: Int
    /// Until when it is stored for those; nil when it is not.
    package var storedUntilMilliseconds: Int64?

    /// One line for the journal.
    package var text: String {
        let missed =
            missedCount == 0
            ? ""
            : storedUntilMilliseconds == nil ? ", \(missedCount) missed it" : ", stored for \(missedCount)"
        return "broadcast: delivered to \(deliveredCount)\(missed)"
    }
}
