package import APNs

/// The broadcast channels of every app and who follows them.
///
/// A value without clock and randomness, like ``DeviceRegistry``; ``Registries`` joins the two.
package struct ChannelRegistry: Sendable {
    /// The most channels of one app in one environment.
    ///
    /// Apple: Sending channel management requests to APNs.
    package static let channelCountMax = 10_000

    /// An app in an environment.
    struct AppKey: Hashable, Sendable {
        var bundleID: String
        var environment: Environment
    }

    let channelCountMax: Int
    var channels: [ChannelID: Channel] = [:]
    /// Each app's channels, oldest first.
    var byApp: [AppKey: [ChannelID]] = [:]
    /// The channels each token follows.
    var bySubscriber: [DeviceToken: Set<ChannelID>] = [:]

    /// Whether changes are collected for a store.
    package var collectsChanges = false
    var dirtyChannels: Set<ChannelID> = []
    var deletedChannels: Set<ChannelID> = []

    /// Makes a registry without channels.
    package init(channelCountMax: Int = ChannelRegistry.channelCountMax) {
        self.channelCountMax = channelCountMax
    }

    /// The number of channels in all.
    package var channelCount: Int { channels.count }

    /// Makes a channel with a random id.
    ///
    /// - Returns: nil when the app has as many channels as it may (CannotCreateChannelConfig).
    package mutating func create(
        bundleID: String, environment: Environment, storagePolicy: Channel.StoragePolicy, at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> ChannelID? {
        let key = AppKey(bundleID: bundleID, environment: environment)
        guard byApp[key]?.count ?? 0 < channelCountMax else { return nil }
        var id = ChannelID.random(using: &generator)
        while channels[id] != nil { id = ChannelID.random(using: &generator) }
        insert(
            Channel(
                id: id, bundleID: bundleID, environment: environment, storagePolicy: storagePolicy,
                createdAtMilliseconds: now))
        markDirty(id)
        return id
    }

    /// A channel of an app; nil when the app has no such channel in the environment (ChannelNotRegistered).
    package func channel(_ id: ChannelID, bundleID: String, environment: Environment) -> Channel? {
        guard let channel = channels[id], channel.bundleID == bundleID, channel.environment == environment
        else { return nil }
        return channel
    }

    /// The ids of an app's channels, oldest first.
    package func list(bundleID: String, environment: Environment) -> [ChannelID] {
        byApp[AppKey(bundleID: bundleID, environment: environment)] ?? []
    }

    /// Every channel, by app and age.
    package var all: [Channel] {
        byApp.sorted {
            ($0.key.bundleID, $0.key.environment.rawValue) < ($1.key.bundleID, $1.key.environment.rawValue)
        }
        .flatMap { $0.value.compactMap { channels[$0] } }
    }

    /// Removes a channel for good, with what it stores.
    ///
    /// - Returns: Whether the app had it.
    package mutating func delete(_ id: ChannelID, bundleID: String, environment: Environment) -> Bool {
        guard let channel = channel(id, bundleID: bundleID, environment: environment) else { return false }
        for token in channel.subscribers.keys { removeSubscription(of: token, to: id) }
        channels[id] = nil
        byApp[AppKey(bundleID: bundleID, environment: environment)]?.removeAll { $0 == id }
        if collectsChanges {
            dirtyChannels.remove(id)
            deletedChannels.insert(id)
        }
        return true
    }

    /// Lets a token follow a channel from its next message on.
    ///
    /// - Returns: Whether there is such a channel.
    package mutating func subscribe(_ token: DeviceToken, to id: ChannelID) -> Bool {
        guard let channel = channels[id] else { return false }
        guard channel.subscribers[token] == nil else { return true }
        channels[id]?.subscribers[token] = channel.messageCount
        bySubscriber[token, default: []].insert(id)
        markDirty(id)
        return true
    }

    /// Ends a subscription.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package mutating func unsubscribe(_ token: DeviceToken, from id: ChannelID) -> Bool {
        guard channels[id]?.subscribers[token] != nil else { return false }
        channels[id]?.subscribers[token] = nil
        removeSubscription(of: token, to: id)
        markDirty(id)
        return true
    }

    /// The channels a token follows.
    package func subscriptions(of token: DeviceToken) -> [ChannelID] {
        (bySubscriber[token] ?? []).sorted { $0.rawValue < $1.rawValue }
    }

    /// When a message leaves its channel; nil when the channel must not store it.
    func storageEnd(_ message: BroadcastMessage, in channel: Channel, at now: Int64) -> Int64? {
        guard channel.storagePolicy == .mostRecentMessage else { return nil }
        let limit = now + Channel.storageMillisecondsMax
        switch message.expiration {
        case .never: return nil
        case .unspecified: return limit
        case .at(let seconds):
            guard seconds < limit / 1_000 else { return limit }
            return seconds > now / 1_000 ? seconds * 1_000 : nil
        }
    }

    mutating func insert(_ channel: Channel) {
        channels[channel.id] = channel
        byApp[AppKey(bundleID: channel.bundleID, environment: channel.environment), default: []].append(
            channel.id)
        for token in channel.subscribers.keys { bySubscriber[token, default: []].insert(channel.id) }
    }

    mutating func markDirty(_ id: ChannelID) {
        if collectsChanges { dirtyChannels.insert(id) }
    }

    private mutating func removeSubscription(of token: DeviceToken, to id: ChannelID) {
        bySubscriber[token]?.remove(id)
        if bySubscriber[token]?.isEmpty == true { bySubscriber[token] = nil }
    }
}

/// What has to be written to make saved channels equal to a registry's.
package struct ChannelChanges: Sendable {
    /// Channels that are new or differ.
    package var updated: [Channel] = []
    /// Channels that are gone.
    package var deleted: [ChannelID] = []

    /// Whether there is nothing to write.
    package var isEmpty: Bool { updated.isEmpty && deleted.isEmpty }
}

extension ChannelRegistry {
    /// Builds a registry from saved channels, oldest first.
    package init(channels: [Channel], channelCountMax: Int = ChannelRegistry.channelCountMax) {
        self.init(channelCountMax: channelCountMax)
        for channel in channels where self.channels[channel.id] == nil { insert(channel) }
    }

    /// Whether something differs from what was last taken.
    package var hasChanges: Bool { !dirtyChannels.isEmpty || !deletedChannels.isEmpty }

    /// Takes what differs from what was last taken.
    package mutating func takeChanges() -> ChannelChanges {
        let changes = ChannelChanges(
            updated: dirtyChannels.compactMap { channels[$0] }, deleted: Array(deletedChannels))
        dirtyChannels.removeAll()
        deletedChannels.removeAll()
        return changes
    }
}
