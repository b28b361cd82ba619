internal import APNs

/// Whether a broadcast reached a subscriber.
enum BroadcastReach: Hashable, Sendable {
    case delivered
    /// The device is offline, saves power, or its person forbade notifications.
    case unreachable
    /// The app or its token is gone.
    case gone
}

extension DeviceRegistry {
    /// Delivers a broadcast to one subscriber, if it can take it now.
    mutating func deliver(
        _ message: BroadcastMessage, from channel: ChannelID, to token: DeviceToken, at now: Int64
    ) -> BroadcastReach {
        guard let slot = tokens[token].map(Int.init), registrations[slot].isLive,
            registrations[slot].expiresAtMilliseconds > now
        else { return .gone }
        let device = Int(registrations[slot].device)
        guard devices[device].isOnline, !devices[device].isPowerSaving || message.priority == .high,
            devices[device].apps[Int(registrations[slot].app)].isEnabled,
            let topic = try? Topic(bundleID: registrations[slot].topic.bundleID, pushType: .liveactivity)
        else { return .unreachable }
        let notification = DeliverableNotification(
            id: message.id, uniqueID: message.id, token: token, topic: topic, pushType: .liveactivity,
            priority: message.priority, expiration: message.expiration, payload: message.payload,
            receivedAtMilliseconds: message.receivedAtMilliseconds,
            environment: registrations[slot].environment)
        _ = deliver(notification, device: device, channel: channel, at: now)
        return .delivered
    }

    /// The tokens of a device that apps still have.
    func liveTokens(_ id: DeviceID) -> [DeviceToken] {
        guard let device = deviceSlots[id].map(Int.init) else { return [] }
        return devices[device].apps.flatMap(\.registrations).map { registrations[Int($0)] }
            .filter(\.isLive).map(\.token)
    }

    /// A registration of a device whose token an app still has.
    func liveRegistration(_ id: DeviceID, _ token: DeviceToken) throws(GatewayError) -> Registration {
        let device = try deviceSlot(id)
        guard let slot = tokens[token].map(Int.init), registrations[slot].device == Int32(device),
            registrations[slot].isLive
        else {
            throw GatewayError(
                code: .tokenNotFound, message: "no app on device \(id) has token \(token)", field: "token")
        }
        return registrations[slot]
    }
}
