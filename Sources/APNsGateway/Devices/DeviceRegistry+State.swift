internal import APNs

extension DeviceRegistry {
    /// Connects a device with APNs or takes it off the network.
    ///
    /// A device that comes online gets what is stored for it, oldest first.
    package mutating func setOnline(_ id: DeviceID, _ isOnline: Bool, at now: Int64) throws(GatewayError) {
        let device = try deviceSlot(id)
        guard devices[device].isOnline != isOnline else { return }
        devices[device].isOnline = isOnline
        markDirty(device, .device)
        if isOnline {
            drain(device, at: now)
        } else {
            endAttempts(device, at: now)
        }
    }

    /// Switches power saving, which holds back pushes of priority 5 and 1, on or off.
    package mutating func setPowerSaving(
        _ id: DeviceID, _ isPowerSaving: Bool, at now: Int64
    ) throws(GatewayError) {
        let device = try deviceSlot(id)
        guard devices[device].isPowerSaving != isPowerSaving else { return }
        devices[device].isPowerSaving = isPowerSaving
        markDirty(device, .device)
        drain(device, at: now)
    }

    /// Allows or forbids notifications for an app, or for every app of the device.
    package mutating func setEnabled(
        _ id: DeviceID, app: AppSelector?, _ isEnabled: Bool
    ) throws(GatewayError) {
        let device = try deviceSlot(id)
        for app in try appIndices(device, app) {
            devices[device].apps[app].isEnabled = isEnabled
            markDirty(app: app, of: device)
        }
    }

    /// Gives the device another name.
    package mutating func rename(_ id: DeviceID, _ name: String) throws(GatewayError) {
        let device = try deviceSlot(id)
        devices[device].name = name
        markDirty(device, .device)
    }

    /// Opens or closes the device's link, on which it acknowledges each notification before it gets the next.
    package mutating func setLinked(_ id: DeviceID, _ isLinked: Bool, at now: Int64) throws(GatewayError) {
        let device = try deviceSlot(id)
        devices[device].isLinked = isLinked
        markDirty(device, .device)
        drain(device, at: now)
    }

    /// The device says that it has every delivery up to a number; the next one may follow.
    package mutating func acknowledge(
        _ id: DeviceID, upTo sequence: Int64, at now: Int64
    ) throws(GatewayError) {
        let device = try deviceSlot(id)
        let last = devices[device].nextSequence - 1
        guard (0...last).contains(sequence) else {
            throw GatewayError(
                code: .invalidField, message: "found sequence \(sequence), allowed: 0 to \(last)",
                field: "sequence")
        }
        guard sequence > devices[device].acknowledgedSequence else { return }
        devices[device].acknowledgedSequence = sequence
        markDirty(device, .device)
        drain(device, at: now)
    }

    /// The person opens an app: a background push that the device holds reaches it at once.
    ///
    /// Apple: Pushing background updates to your App.
    package mutating func launch(_ id: DeviceID, app: AppSelector?, at now: Int64) throws(GatewayError) {
        let device = try deviceSlot(id)
        for app in try appIndices(device, app) { releaseHeld(device, app: app, at: now) }
    }

    /// The person forces an app to quit: a background push that the device holds is lost.
    package mutating func forceQuit(_ id: DeviceID, app: AppSelector?, at now: Int64) throws(GatewayError) {
        let device = try deviceSlot(id)
        for app in try appIndices(device, app) { dropHeld(device, app: app, .forceQuit, at: now) }
    }

    /// The soonest time at which something happens by itself, in milliseconds since 1970; nil for never.
    package mutating func nextDeadline() -> Int64? { deadlines.next() }

    /// Lets time pass: drops what has expired and releases what devices held.
    package mutating func advance(to now: Int64) {
        while let device = deadlines.popDue(at: now) {
            for app in devices[device].apps.indices {
                // Events carry the time they were due, also when a virtual clock leaps.
                if let held = devices[device].apps[app].held, held.nextMilliseconds <= now {
                    if held.nextMilliseconds < held.untilMilliseconds {
                        releaseHeld(device, app: app, at: held.nextMilliseconds)
                    } else {
                        dropHeld(device, app: app, .expired, at: held.untilMilliseconds)
                    }
                }
                if let stored = devices[device].apps[app].stored, stored.untilMilliseconds <= now {
                    dropStored(device, app: app, .expired, at: stored.untilMilliseconds)
                }
            }
            updateDeadline(device)
        }
    }

    // MARK: What waits

    /// Delivers what the device can take now, oldest first, and drops what has expired.
    mutating func drain(_ device: Int, at now: Int64) {
        guard devices[device].isOnline else { return }
        noticeRemovals(device, at: now)
        let waiting = devices[device].apps.indices.compactMap { app in
            devices[device].apps[app].stored.map {
                (app: app, received: $0.notification.receivedAtMilliseconds)
            }
        }
        for (app, _) in waiting.sorted(by: { ($0.received, $0.app) < ($1.received, $1.app) }) {
            guard let stored = devices[device].apps[app].stored else { continue }
            if stored.untilMilliseconds <= now {
                dropStored(device, app: app, .expired, at: now)
            } else if obstacle(device, priority: stored.notification.priority) == nil {
                devices[device].apps[app].stored = nil
                markDirty(app: app, of: device)
                let decision =
                    devices[device].apps[app].isEnabled
                    ? deliverOrHold(stored.notification, device: device, app: app, at: now)
                    : .discarded(.disabled)
                conclude(stored.notification, decision, at: now)
            }
        }
        updateDeadline(device)
    }

    /// Pushes that had waited for the phone find apps deleted.
    private mutating func noticeRemovals(_ device: Int, at now: Int64) {
        // The priority of what waited is not kept; late is always right, early is not.
        guard !devices[device].isPowerSaving else { return }
        for slot in devices[device].apps.flatMap(\.registrations).map(Int.init)
        where registrations[slot].probeUntilMilliseconds > now {
            confirmRemoval(slot, at: now)
        }
    }

    /// Attempts without storage end when the device is gone.
    private mutating func endAttempts(_ device: Int, at now: Int64) {
        for app in devices[device].apps.indices
        where devices[device].apps[app].stored?.isSingleAttempt == true {
            dropStored(device, app: app, .notStorable(.offline), at: now)
        }
        updateDeadline(device)
    }

    private mutating func releaseHeld(_ device: Int, app: Int, at now: Int64) {
        guard let held = devices[device].apps[app].held else { return }
        guard devices[device].apps[app].isEnabled else {
            return dropHeld(device, app: app, .disabled, at: now)
        }
        devices[device].apps[app].held = nil
        if let allowance = policy.backgroundPushesPerApp {
            devices[device].apps[app].backgroundWindow.add(allowance, at: now)
        }
        markDirty(app: app, of: device)
        let sequence = deliver(held.notification, device: device, channel: nil, at: now)
        conclude(held.notification, .delivered(sequence: sequence), at: now)
        updateDeadline(device)
    }

    mutating func dropHeld(_ device: Int, app: Int, _ cause: Decision.DiscardCause, at now: Int64) {
        guard let held = devices[device].apps[app].held else { return }
        devices[device].apps[app].held = nil
        markDirty(app: app, of: device)
        conclude(held.notification, .discarded(cause), at: now)
        updateDeadline(device)
    }

    mutating func dropStored(_ device: Int, app: Int, _ cause: Decision.DiscardCause, at now: Int64) {
        guard let stored = devices[device].apps[app].stored else { return }
        devices[device].apps[app].stored = nil
        markDirty(app: app, of: device)
        conclude(stored.notification, .discarded(cause), at: now)
        updateDeadline(device)
    }

    mutating func updateDeadline(_ device: Int) {
        var soonest: Int64?
        for app in devices[device].apps.indices {
            guard let deadline = devices[device].apps[app].nextDeadline else { continue }
            soonest = min(soonest ?? deadline, deadline)
        }
        deadlines.set(soonest, device: device)
    }
}
