internal import APNs

extension DeviceRegistry {
    mutating func markDirty(_ device: Int, _ parts: Device.DirtyParts) {
        guard collectsChanges else { return }
        if devices[device].dirty.isEmpty { dirtyDevices.append(Int32(device)) }
        devices[device].dirty.formUnion(parts)
    }

    mutating func markDirty(app: Int, of device: Int) {
        guard collectsChanges else { return }
        devices[device].apps[app].isDirty = true
        markDirty(device, .apps)
    }

    mutating func markDirty(registration slot: Int) {
        guard collectsChanges, !registrations[slot].isDirty else { return }
        registrations[slot].isDirty = true
        dirtyRegistrations.append(Int32(slot))
    }

    /// Whether something differs from what was last taken.
    package var hasChanges: Bool {
        !dirtyDevices.isEmpty || !dirtyRegistrations.isEmpty || !deletedDevices.isEmpty
            || !deletedTokens.isEmpty
    }

    /// Takes what differs from what was last taken, as rows; several changes of one row come once.
    package mutating func takeChanges() -> RegistryChanges {
        var changes = RegistryChanges()
        changes.deletedDevices = deletedDevices
        changes.deletedTokens = deletedTokens
        deletedDevices.removeAll()
        deletedTokens.removeAll()
        for device in dirtyDevices.map(Int.init) { takeChanges(of: device, into: &changes) }
        dirtyDevices.removeAll(keepingCapacity: true)
        for slot in dirtyRegistrations.map(Int.init) where registrations[slot].isDirty {
            registrations[slot].isDirty = false
            changes.updated.tokens.append(row(registrations[slot]))
        }
        dirtyRegistrations.removeAll(keepingCapacity: true)
        return changes
    }

    private mutating func takeChanges(of device: Int, into changes: inout RegistryChanges) {
        let parts = devices[device].dirty
        devices[device].dirty = []
        let id = devices[device].id
        if parts.contains(.device) { changes.updated.devices.append(row(devices[device])) }
        if parts.contains(.apps) {
            for app in devices[device].apps.indices where devices[device].apps[app].isDirty {
                devices[device].apps[app].isDirty = false
                changes.updated.apps.append(row(devices[device].apps[app], of: id))
            }
        }
        guard parts.contains(.deliveries) else { return }
        let first = devices[device].firstSequence
        for sequence in max(first, devices[device].unsavedSequence)..<devices[device].nextSequence {
            guard let delivery = devices[device].deliveries[Int(sequence - first)] else { continue }
            changes.updated.deliveries.append(.init(device: id, delivery: delivery))
        }
        if first > 1 { changes.firstSequences.append((device: id, sequence: first)) }
        devices[device].unsavedSequence = devices[device].nextSequence
    }

    /// Everything, in a fixed order.
    package var contents: RegistryContents {
        var contents = RegistryContents()
        for device in deviceSlots.sorted(by: { $0.key.rawValue < $1.key.rawValue }).map({
            devices[Int($0.value)]
        }) {
            contents.devices.append(row(device))
            for app in device.apps {
                contents.apps.append(row(app, of: device.id))
                contents.tokens += app.registrations.map { row(registrations[Int($0)]) }
            }
            contents.deliveries += device.deliveries.elements.map { .init(device: device.id, delivery: $0) }
        }
        return contents
    }

    /// Builds a registry from saved contents; rows whose device or app is missing are skipped.
    package init(policy: DevicePolicy, contents: RegistryContents) {
        self.init(policy: policy)
        for row in contents.devices where deviceSlots[row.id] == nil {
            var device = Device(
                id: row.id, name: row.name, createdAtMilliseconds: row.createdAtMilliseconds)
            // A link does not outlive the process that kept it, and its phone is offline without it.
            device.isOnline = row.isOnline && !row.isLinked
            device.isPowerSaving = row.isPowerSaving
            device.nextSequence = row.nextSequence
            device.unsavedSequence = row.nextSequence
            device.acknowledgedSequence = row.acknowledgedSequence
            insert(device)
        }
        for row in contents.apps {
            guard let device = deviceSlots[row.device].map(Int.init) else { continue }
            var app = InstalledApp(bundleID: row.bundleID, environment: row.environment)
            app.isInstalled = row.isInstalled
            app.isEnabled = row.isEnabled
            app.stored = row.stored
            app.held = row.held
            devices[device].apps.append(app)
        }
        for row in contents.tokens where tokens[row.token] == nil { insert(row) }
        insert(contents.deliveries)
        for device in deviceSlots.values { updateDeadline(Int(device)) }
    }

    private mutating func insert(_ row: RegistryContents.TokenRow) {
        guard let device = deviceSlots[row.device],
            let app = devices[Int(device)].appIndex(
                bundleID: row.topic.bundleID, environment: row.environment)
        else { return }
        insert(
            Registration(
                token: row.token, topic: row.topic, environment: row.environment, family: row.family,
                instance: row.instance, device: device, app: Int32(app), state: row.state,
                isReturnable: row.isReturnable,
                expiresAtMilliseconds: row.expiresAtMilliseconds ?? .max,
                registeredAtMilliseconds: row.registeredAtMilliseconds,
                probeUntilMilliseconds: row.probeUntilMilliseconds))
    }

    /// Deliveries of a device must end at its last number without gaps; what does not is left out.
    private mutating func insert(_ rows: [RegistryContents.DeliveryRow]) {
        var kept: [RegistryContents.DeliveryRow] = []
        for (id, rows) in Dictionary(grouping: rows, by: \.device) {
            guard let device = deviceSlots[id].map(Int.init) else { continue }
            let sorted = rows.sorted { $0.delivery.sequence < $1.delivery.sequence }
            var tail: [RegistryContents.DeliveryRow] = []
            for row in sorted.reversed()
            where row.delivery.sequence == devices[device].nextSequence - 1 - Int64(tail.count) {
                tail.append(row)
            }
            for row in tail.reversed() { devices[device].deliveries.append(row.delivery) }
            kept += tail
        }
        kept.sort {
            ($0.delivery.deliveredAtMilliseconds, $0.device.rawValue, $0.delivery.sequence)
                < ($1.delivery.deliveredAtMilliseconds, $1.device.rawValue, $1.delivery.sequence)
        }
        for row in kept { recentDeliveries.append((device: row.device, sequence: row.delivery.sequence)) }
    }

    func row(_ device: Device) -> RegistryContents.DeviceRow {
        RegistryContents.DeviceRow(
            id: device.id, name: device.name, isOnline: device.isOnline, isPowerSaving: device.isPowerSaving,
            isLinked: device.isLinked,
            createdAtMilliseconds: device.createdAtMilliseconds, nextSequence: device.nextSequence,
            acknowledgedSequence: device.acknowledgedSequence)
    }

    func row(_ app: InstalledApp, of device: DeviceID) -> RegistryContents.AppRow {
        RegistryContents.AppRow(
            device: device, bundleID: app.bundleID, environment: app.environment,
            isInstalled: app.isInstalled, isEnabled: app.isEnabled, stored: app.stored, held: app.held)
    }

    func row(_ registration: Registration) -> RegistryContents.TokenRow {
        RegistryContents.TokenRow(
            token: registration.token, device: devices[Int(registration.device)].id,
            topic: registration.topic, environment: registration.environment, family: registration.family,
            instance: registration.instance, state: registration.state,
            isReturnable: registration.isReturnable,
            expiresAtMilliseconds: registration.expiresAtMilliseconds == .max
                ? nil : registration.expiresAtMilliseconds,
            registeredAtMilliseconds: registration.registeredAtMilliseconds,
            probeUntilMilliseconds: registration.probeUntilMilliseconds)
    }
}
