internal import APNs

/// One device with everything on it, for the control API.
package struct DeviceSnapshot: Hashable, Sendable {
    /// The device.
    package var device: RegistryContents.DeviceRow
    /// Its apps, in the order they came.
    package var apps: [RegistryContents.AppRow]
    /// Its tokens, oldest first.
    package var tokens: [RegistryContents.TokenRow]
}

extension DeviceRegistry {
    /// The ids of all devices, in no order.
    package var deviceIDs: [DeviceID] { Array(deviceSlots.keys) }

    /// Whether there is such a device.
    package func contains(_ id: DeviceID) -> Bool { deviceSlots[id] != nil }

    /// A device with everything on it.
    package func snapshot(of id: DeviceID) throws(GatewayError) -> DeviceSnapshot {
        let device = devices[try deviceSlot(id)]
        return DeviceSnapshot(
            device: row(device), apps: device.apps.map { row($0, of: id) },
            tokens: device.apps.flatMap(\.registrations).map { row(registrations[Int($0)]) })
    }

    /// What a device received after a delivery, oldest first, as far as it is kept.
    ///
    /// - Returns: The number of the oldest delivery that is kept, and the deliveries.
    package func deliveries(
        _ id: DeviceID, after sequence: Int64, countMax: Int
    ) -> (first: Int64, deliveries: [Delivery]) {
        guard let device = deviceSlots[id].map(Int.init), countMax > 0 else { return (sequence + 1, []) }
        let first = devices[device].firstSequence
        let start = max(first, min(sequence, devices[device].nextSequence - 1) + 1)
        let end = min(devices[device].nextSequence, start + Int64(countMax))
        let found = (start..<end).compactMap { devices[device].deliveries[Int($0 - first)] }
        return (first, found)
    }

    /// The number of a device's latest delivery, and of the latest that it acknowledged.
    package func sequences(of id: DeviceID) throws(GatewayError) -> (latest: Int64, acknowledged: Int64) {
        let device = try deviceSlot(id)
        return (devices[device].nextSequence - 1, devices[device].acknowledgedSequence)
    }

    /// How many clients listen to a device's stream.
    mutating func setWatcherCount(_ id: DeviceID, _ count: Int) {
        guard let device = deviceSlots[id].map(Int.init) else { return }
        devices[device].watcherCount = count
    }

    /// Counts for metrics.
    package var statistics: RegistryStatistics {
        var statistics = RegistryStatistics()
        for slot in deviceSlots.values {
            let device = devices[Int(slot)]
            statistics.deviceCount += 1
            if device.isOnline { statistics.onlineCount += 1 }
            if device.isLinked { statistics.linkedCount += 1 }
            statistics.deliveryCount += UInt64(device.nextSequence - 1)
            for app in device.apps {
                if app.stored != nil { statistics.storedCount += 1 }
                if app.held != nil { statistics.heldCount += 1 }
            }
        }
        statistics.tokenCount = tokens.count
        return statistics
    }
}

/// How much a registry holds.
package struct RegistryStatistics: Hashable, Sendable {
    /// Devices.
    package var deviceCount = 0
    /// Devices that are online.
    package var onlineCount = 0
    /// Devices whose link is open.
    package var linkedCount = 0
    /// Tokens, dead ones included.
    package var tokenCount = 0
    /// Notifications that APNs stores.
    package var storedCount = 0
    /// Background pushes that devices hold.
    package var heldCount = 0
    /// Deliveries to the devices there are, since they were made.
    package var deliveryCount: UInt64 = 0
}
