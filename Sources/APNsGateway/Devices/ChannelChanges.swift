package import APNs

/// What has to be written to make saved channels equal to a registry's.
package struct ChannelChanges: Sendable {
    /// Channels that are new or differ.
    package var updated: [Channel] = []
    /// Channels that are gone.
    package var deleted: [ChannelID] = []
    /// All apps whose broadcasts are switched off, if that differs.
    package var disabledApps: Set<ChannelRegistry.AppKey>?

    /// Whether there is nothing to write.
    package var isEmpty: Bool { updated.isEmpty && deleted.isEmpty && disabledApps == nil }
}

extension ChannelRegistry {
    /// Builds a registry from saved channels, oldest first.
    package init(
        channels: [Channel], disabledApps: Set<AppKey> = [],
        channelCountMax: Int = ChannelList.channelCountMax
    ) {
        self.init(channelCountMax: channelCountMax)
        self.disabledApps = disabledApps
        for channel in channels where self.channels[channel.id] == nil { insert(channel) }
    }

    /// Whether something differs from what was last taken.
    package var hasChanges: Bool {
        !dirtyChannels.isEmpty || !deletedChannels.isEmpty || disabledAppsChanged
    }

    /// Takes what differs from what was last taken.
    package mutating func takeChanges() -> ChannelChanges {
        let changes = ChannelChanges(
            updated: dirtyChannels.compactMap { channels[$0] }, deleted: Array(deletedChannels),
            disabledApps: disabledAppsChanged ? disabledApps : nil)
        disabledAppsChanged = false
        dirtyChannels.removeAll()
        deletedChannels.removeAll()
        return changes
    }
}
