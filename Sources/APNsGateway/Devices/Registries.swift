package import APNs

/// The devices and the channels, and what they do to each other.
package struct Registries: Sendable {
    /// The phones and what is stored for them.
    package var devices: DeviceRegistry
    /// The broadcast channels.
    package var channels: ChannelRegistry
    /// The journal's numbers of pushes that wait, by the gateway's own name for the request.
    var journalNumbers: [NotificationID: UInt64] = [:]

    /// Waiting pushes whose journal numbers are remembered; more go unamended.
    private static let journalNumberCountMax = 100_000

    /// Joins the two.
    package init(
        devices: DeviceRegistry = DeviceRegistry(), channels: ChannelRegistry = ChannelRegistry()
    ) {
        self.devices = devices
        self.channels = channels
    }

    /// Remembers the journal's number of a push that waits, so that the journal learns what becomes of it.
    package mutating func remember(journalNumber: UInt64, for notification: DeliverableNotification) {
        guard journalNumbers.count < Registries.journalNumberCountMax else { return }
        journalNumbers[notification.uniqueID] = journalNumber
    }

    /// What the journal has to change, since the last call.
    mutating func takeAmendments() -> [(number: UInt64, decision: JournalDecision)] {
        devices.takeOutcomes().compactMap { outcome in
            guard let number = journalNumbers[outcome.uniqueID] else { return nil }
            // What a device holds waits on.
            if case .held = outcome.decision {} else { journalNumbers[outcome.uniqueID] = nil }
            return (number, outcome.decision.journalDecision)
        }
    }

    /// Lets one of a device's tokens follow a channel of the same app and environment.
    package mutating func subscribe(
        _ id: DeviceID, _ token: DeviceToken, to channel: ChannelID
    ) throws(GatewayError) {
        let registration = try devices.liveRegistration(id, token)
        guard
            channels.channel(
                channel, bundleID: registration.topic.bundleID, environment: registration.environment) != nil,
            channels.subscribe(token, to: channel)
        else {
            throw GatewayError(
                code: .channelNotFound,
                message: "\(registration.topic.bundleID) has no channel \(channel) in "
                    + registration.environment.rawValue,
                field: "channel")
        }
    }

    /// Removes a device with its tokens and what they follow.
    package mutating func forget(_ id: DeviceID, at now: Int64) throws(GatewayError) {
        for token in try devices.snapshot(of: id).tokens.map(\.token) {
            for channel in channels.subscriptions(of: token) { channels.unsubscribe(token, from: channel) }
        }
        try devices.forget(id, at: now)
    }

    /// Sends an accepted publication to every device that follows the channel.
    ///
    /// - Returns: nil when the app has no such channel (ChannelNotRegistered).
    package mutating func publish(
        _ message: BroadcastMessage, to id: ChannelID, bundleID: String, environment: Environment,
        at now: Int64
    ) -> BroadcastDecision? {
        guard let channel = channels.channel(id, bundleID: bundleID, environment: environment) else {
            return nil
        }
        let number = channel.messageCount + 1
        let end = channels.storageEnd(message, in: channel, at: now)
        channels.channels[id]?.messageCount = number
        channels.channels[id]?.storedMessage = end.map {
            Channel.StoredMessage(number: number, message: message, untilMilliseconds: $0)
        }
        channels.markDirty(id)
        var decision = BroadcastDecision(deliveredCount: 0, missedCount: 0, storedUntilMilliseconds: end)
        for token in channel.subscribers.keys {
            switch devices.deliver(message, from: id, to: token, at: now) {
            case .delivered:
                channels.channels[id]?.subscribers[token] = number
                decision.deliveredCount += 1
            case .unreachable: decision.missedCount += 1
            case .gone: channels.unsubscribe(token, from: id)
            }
        }
        return decision
    }

    /// Gives a device what its channels still store for it; after the device came online or lifted a restriction.
    package mutating func deliverStoredBroadcasts(to id: DeviceID, at now: Int64) {
        guard channels.channelCount > 0 else { return }
        for token in devices.liveTokens(id) {
            for channel in channels.subscriptions(of: token) {
                guard let stored = channels.channels[channel]?.storedMessage, stored.untilMilliseconds > now,
                    let seen = channels.channels[channel]?.subscribers[token], seen < stored.number
                else { continue }
                if devices.deliver(stored.message, from: channel, to: token, at: now) == .delivered {
                    channels.channels[channel]?.subscribers[token] = stored.number
                    channels.markDirty(channel)
                }
            }
        }
    }
}
