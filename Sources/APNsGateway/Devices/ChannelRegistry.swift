package import APNs

/// The broadcast channels of every app and who follows them.
///
/// A value without clock and randomness, like ``DeviceRegistry``; ``Registries`` joins the two.
package struct ChannelRegistry: Sendable {
    /// The size of the ids made here, in bytes before base64; Apple gives none.
    private static let idByteCount = 16

    /// An app in an environment.
    package struct AppKey: Hashable, Sendable {
        /// The app.
        package var bundleID: String
        /// The environment.
        package var environment: Environment

        /// Names an app.
        package init(bundleID: String, environment: Environment) {
            self.bundleID = bundleID
            self.environment = environment
        }
    }

    let channelCountMax: Int
    var channels: [ChannelID: Channel] = [:]
    /// Each app's channels, oldest first.
    var byApp: [AppKey: [ChannelID]] = [:]
    /// The channels each token follows.
    var bySubscriber: [DeviceToken: Set<ChannelID>] = [:]

    /// The apps whose broadcasts are switched off, in Apple's case in the developer portal.
    package internal(set) var disabledApps: Set<AppKey> = []

    private var nextOrdinal: Int64 = 1

    /// Whether changes are collected for a store.
    package var collectsChanges = false
    var dirtyChannels: Set<ChannelID> = []
    var deletedChannels: Set<ChannelID> = []
    var disabledAppsChanged = false

    /// Makes a registry without channels.
    package init(channelCountMax: Int = ChannelList.channelCountMax) {
        self.channelCountMax = channelCountMax
    }

    /// The number of channels in all.
    package var channelCount: Int { channels.count }

    /// Makes a channel with a random id.
    ///
    /// - Returns: nil when the app has as many channels as it may (CannotCreateChannelConfig).
    package mutating func create(
        bundleID: String, environment: Environment, storagePolicy: MessageStoragePolicy, at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> ChannelID? {
        let key = AppKey(bundleID: bundleID, environment: environment)
        guard byApp[key]?.count ?? 0 < channelCountMax else { return nil }
        guard let id = newID(using: &generator) else { return nil }
        insert(
            Channel(
                id: id, bundleID: bundleID, environment: environment, storagePolicy: storagePolicy,
                createdAtMilliseconds: now, ordinal: nextOrdinal))
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

    /// Switches broadcasts on or off for an app; off deletes all its channels.
    ///
    /// Apple: Setting up broadcast push notifications.
    package mutating func setBroadcastEnabled(_ isEnabled: Bool, bundleID: String, environment: Environment) {
        let key = AppKey(bundleID: bundleID, environment: environment)
        guard disabledApps.contains(key) == isEnabled else { return }
        if isEnabled {
            disabledApps.remove(key)
        } else {
            disabledApps.insert(key)
            for id in byApp[key] ?? [] { _ = delete(id, bundleID: bundleID, environment: environment) }
        }
        disabledAppsChanged = collectsChanges
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
        let limit = now + MessageStoragePolicy.storageSecondsMax * 1_000
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
        nextOrdinal = max(nextOrdinal, channel.ordinal + 1)
        byApp[AppKey(bundleID: channel.bundleID, environment: channel.environment), default: []].append(
            channel.id)
        for token in channel.subscribers.keys { bySubscriber[token, default: []].insert(channel.id) }
    }

    mutating func markDirty(_ id: ChannelID) {
        if collectsChanges { dirtyChannels.insert(id) }
    }

    private func newID(using generator: inout some RandomNumberGenerator) -> ChannelID? {
        for _ in 0..<100 {
            let bytes = (0..<ChannelRegistry.idByteCount).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            if let id = try? ChannelID(bytes: bytes), channels[id] == nil { return id }
        }
        return nil
    }

    private mutating func removeSubscription(of token: DeviceToken, to id: ChannelID) {
        bySubscriber[token]?.remove(id)
        if bySubscriber[token]?.isEmpty == true { bySubscriber[token] = nil }
    }
}

extension ChannelRegistry: ChannelDirectory {
    /// Whether broadcasts are switched on for an app.
    package func isBroadcastEnabled(bundleID: String, environment: Environment) -> Bool {
        disabledApps.isEmpty
            || !disabledApps.contains(AppKey(bundleID: bundleID, environment: environment))
    }

    /// How many channels an app has.
    package func channelCount(bundleID: String, environment: Environment) -> Int {
        byApp[AppKey(bundleID: bundleID, environment: environment)]?.count ?? 0
    }

    /// What a channel was made with; nil when the app has no such channel.
    package func configuration(
        of channel: ChannelID, bundleID: String, environment: Environment
    ) -> ChannelConfiguration? {
        self.channel(channel, bundleID: bundleID, environment: environment).map {
            ChannelConfiguration(storagePolicy: $0.storagePolicy)
        }
    }
}
