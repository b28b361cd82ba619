internal import APNs

extension DeviceRegistry {
    /// Takes an accepted push and decides what becomes of it.
    ///
    /// - Parameters:
    ///   - notification: The push.
    ///   - number: The number of the verdict ``TokenVerdict/accepted(device:)``, which spares a look-up; nil to
    ///     look the token up.
    ///   - now: The time, in milliseconds since 1970.
    package mutating func accept(
        _ notification: DeliverableNotification, device number: Int64? = nil, at now: Int64
    ) -> Decision {
        guard let slot = registrationSlot(number, notification.token) else { return .noDevice }
        if let allowance = policy.pushesPerToken { registrations[slot].window.add(allowance, at: now) }
        let device = Int(registrations[slot].device)
        guard registrations[slot].isLive else {
            return probe(slot, device: device, notification, at: now)
        }
        let app = Int(registrations[slot].app)
        guard devices[device].apps[app].isEnabled else { return .discarded(.disabled) }
        guard let cause = obstacle(device, priority: notification.priority) else {
            return deliverOrHold(notification, device: device, app: app, at: now)
        }
        return store(notification, device: device, app: app, because: cause, at: now)
    }

    /// What keeps a push from its device right now.
    func obstacle(_ device: Int, priority: Priority) -> Decision.StorageCause? {
        if !devices[device].isOnline { return .offline }
        if devices[device].isPowerSaving, priority != .high { return .powerSaving }
        if policy.hasOneInFlight, devices[device].isBusy { return .inFlight }
        return nil
    }

    /// When a push leaves storage; nil when it must not be stored.
    ///
    /// The limit is 30 days after it was accepted, also for a later expiration; one in the past allows the
    /// immediate attempt only.
    private func storageEnd(_ notification: DeliverableNotification, at now: Int64) -> Int64? {
        let limit = notification.receivedAtMilliseconds + policy.storageMillisecondsMax
        switch notification.expiration {
        case .unspecified: return limit
        case .never: return nil
        case .at(let seconds):
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
            if overflow { return seconds > 0 ? limit : nil }
            return milliseconds > now ? min(milliseconds, limit) : nil
        }
    }

    /// A push for a token whose app is gone: it is how APNs notices.
    private mutating func probe(
        _ slot: Int, device: Int, _ notification: DeliverableNotification, at now: Int64
    ) -> Decision {
        guard case .orphaned = registrations[slot].state else { return .discarded(.deadToken) }
        if let cause = obstacle(device, priority: notification.priority) {
            guard let end = storageEnd(notification, at: now) else { return .discarded(.notStorable(cause)) }
            registrations[slot].probeUntilMilliseconds = max(end, registrations[slot].probeUntilMilliseconds)
            markDirty(registration: slot)
            return .discarded(.removalUnnoticed(cause))
        }
        confirmRemoval(slot, at: now)
        return .discarded(.removalNoticed)
    }

    /// From now on APNs knows that the token is dead.
    mutating func confirmRemoval(_ slot: Int, at now: Int64) {
        registrations[slot].state = .dead(sinceMilliseconds: now)
        registrations[slot].probeUntilMilliseconds = 0
        markDirty(registration: slot)
    }

    private mutating func store(
        _ notification: DeliverableNotification, device: Int, app: Int, because cause: Decision.StorageCause,
        at now: Int64
    ) -> Decision {
        let end: Int64
        let isSingleAttempt: Bool
        if let storageEnd = storageEnd(notification, at: now) {
            end = storageEnd
            isSingleAttempt = false
        } else if cause == .inFlight {
            // The one attempt waits for the device, which is connected.
            end = now + policy.attemptMilliseconds
            isSingleAttempt = true
        } else if case .at = notification.expiration {
            return .discarded(.expired)
        } else {
            return .discarded(.notStorable(cause))
        }
        if let stored = devices[device].apps[app].stored, stored.untilMilliseconds <= now {
            dropStored(device, app: app, .expired, at: now)
        }
        let replaced = devices[device].apps[app].stored?.notification
        devices[device].apps[app].stored = WaitingNotification(
            notification: notification, untilMilliseconds: end, releaseMilliseconds: nil,
            isSingleAttempt: isSingleAttempt)
        if let replaced { conclude(replaced, .discarded(.replaced(by: notification.id)), at: now) }
        markDirty(app: app, of: device)
        updateDeadline(device)
        return .stored(cause, replacing: replaced?.id, untilMilliseconds: end)
    }

    /// Hands a push to the device, which may hold it when it is a background push above the app's budget.
    mutating func deliverOrHold(
        _ notification: DeliverableNotification, device: Int, app: Int, at now: Int64
    ) -> Decision {
        if let allowance = policy.backgroundPushesPerApp, notification.pushType == .background {
            if let blockedUntil = devices[device].apps[app].backgroundWindow.blockedUntil(allowance, at: now)
            {
                return hold(notification, device: device, app: app, release: blockedUntil, at: now)
            }
            devices[device].apps[app].backgroundWindow.add(allowance, at: now)
        }
        return .delivered(sequence: deliver(notification, device: device, channel: nil, at: now))
    }

    private mutating func hold(
        _ notification: DeliverableNotification, device: Int, app: Int, release: Int64, at now: Int64
    ) -> Decision {
        let end =
            storageEnd(notification, at: now)
            ?? notification.receivedAtMilliseconds + policy.storageMillisecondsMax
        let replaced = devices[device].apps[app].held?.notification
        devices[device].apps[app].held = WaitingNotification(
            notification: notification, untilMilliseconds: end, releaseMilliseconds: release,
            isSingleAttempt: false)
        if let replaced { conclude(replaced, .discarded(.replaced(by: notification.id)), at: now) }
        markDirty(app: app, of: device)
        updateDeadline(device)
        return .held(replacing: replaced?.id, untilMilliseconds: release)
    }

    /// Adds a delivery to the device's list and returns its number.
    mutating func deliver(
        _ notification: DeliverableNotification, device: Int, channel: ChannelID?, at now: Int64
    ) -> Int64 {
        let sequence = devices[device].nextSequence
        devices[device].nextSequence += 1
        if !devices[device].isLinked { devices[device].acknowledgedSequence = sequence }
        devices[device].deliveries.append(
            Delivery(
                sequence: sequence, notification: notification, channel: channel, deliveredAtMilliseconds: now
            ))
        if devices[device].deliveries.count > policy.deliveriesPerDeviceMax {
            devices[device].deliveries.popFirst()
        }
        recentDeliveries.append((device: devices[device].id, sequence: sequence))
        if recentDeliveries.count > policy.deliveriesMax { forgetOldestDelivery() }
        markDirty(device, [.device, .deliveries])
        if devices[device].watcherCount > 0 { rungDevices.append(devices[device].id) }
        return sequence
    }

    private mutating func forgetOldestDelivery() {
        guard let oldest = recentDeliveries.popFirst(), let slot = deviceSlots[oldest.device] else { return }
        let device = Int(slot)
        // The per-device limit may have removed it before.
        guard devices[device].firstSequence == oldest.sequence else { return }
        devices[device].deliveries.popFirst()
        markDirty(device, .deliveries)
    }

    /// Notes what became of a push that had waited.
    mutating func conclude(_ notification: DeliverableNotification, _ decision: Decision, at now: Int64) {
        outcomes.append(
            LateOutcome(
                id: notification.id, uniqueID: notification.uniqueID, decision: decision, atMilliseconds: now)
        )
    }
}
