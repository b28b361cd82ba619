/// What one write brings to disk.
package struct StoreBatch: Sendable {
    /// Devices and what belongs to them.
    package var devices = RegistryChanges()
    /// Broadcast channels.
    package var channels = ChannelChanges()
    /// Whether this is everything: what is on disk goes first.
    package var isComplete = false

    /// Whether there is nothing to write.
    package var isEmpty: Bool { !isComplete && devices.isEmpty && channels.isEmpty }
}

extension Registries {
    /// Takes what differs from what was last taken.
    ///
    /// - Parameter complete: Takes everything instead, after a write that failed.
    package mutating func takeBatch(complete: Bool = false) -> StoreBatch {
        var batch = StoreBatch()
        batch.devices = devices.takeChanges()
        batch.channels = channels.takeChanges()
        batch.isComplete = complete
        guard complete else { return batch }
        batch.devices = RegistryChanges()
        batch.devices.updated = devices.contents
        batch.channels = ChannelChanges()
        batch.channels.updated = channels.all
        batch.channels.disabledApps = channels.disabledApps
        return batch
    }

    /// Whether something differs from what was last taken.
    package var hasChanges: Bool { devices.hasChanges || channels.hasChanges }

    /// Starts or stops the collection of changes.
    package var collectsChanges: Bool {
        get { devices.collectsChanges }
        set {
            devices.collectsChanges = newValue
            channels.collectsChanges = newValue
        }
    }
}
