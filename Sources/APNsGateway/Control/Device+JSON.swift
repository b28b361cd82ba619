internal import APNs
internal import Crypto

extension Delivery {
    /// The delivery as JSON text.
    ///
    /// The payload is there byte for byte as `payload`, or as `payload_base64` when it is not a JSON object.
    var encodedJSON: [UInt8] {
        var members: [String: JSONValue] = [
            "sequence": .integer(sequence),
            "apns_id": .string(notification.id.uuidString),
            "apns_unique_id": .string(notification.uniqueID.uuidString),
            "token": .string(notification.token.hexString),
            "topic": .string(notification.topic.rawValue),
            "environment": .string(notification.environment.rawValue),
            "priority": .integer(Int64(notification.priority.rawValue)),
            "request_identifier": .string(requestIdentifier),
            "received_at_ms": .integer(notification.receivedAtMilliseconds),
            "delivered_at_ms": .integer(deliveredAtMilliseconds),
        ]
        members["push_type"] = notification.pushType.map { .string($0.rawValue) }
        members["collapse_id"] = notification.collapseID.map { .string($0.rawValue) }
        members["expiration"] = notification.expiration.headerValue.map { .integer($0) }
        members["channel"] = channel.map { .string($0.rawValue) }
        if case .object? = try? JSONValue(parsing: notification.payload) {
            return ControlJSON.encode(members, adding: "payload", json: notification.payload)
        }
        members["payload_base64"] = .string(Base64.encodeToString(notification.payload, .standard))
        return ControlJSON.encode(.object(members))
    }
}

extension DeviceSnapshot {
    /// The device as JSON.
    func json(channels: (DeviceToken) -> [ChannelID]) -> JSONValue {
        .object([
            "id": .string(device.id.description),
            "name": .string(device.name),
            "online": .bool(device.isOnline),
            "power_saving": .bool(device.isPowerSaving),
            "linked": .bool(device.isLinked),
            "created_at_ms": .integer(device.createdAtMilliseconds),
            "latest_sequence": .integer(device.nextSequence - 1),
            "acknowledged_sequence": .integer(device.acknowledgedSequence),
            "apps": .array(
                apps.map { app in
                    app.json(
                        tokens: tokens.filter {
                            $0.topic.bundleID == app.bundleID && $0.environment == app.environment
                        }.map { $0.json(channels: channels($0.token)) })
                }),
        ])
    }

    /// The token of the registration that came first; for the answer to adding a device.
    var firstToken: DeviceToken? { tokens.first?.token }
}

extension RegistryContents.AppRow {
    fileprivate func json(tokens: [JSONValue]) -> JSONValue {
        var members: [String: JSONValue] = [
            "bundle_id": .string(bundleID),
            "environment": .string(environment.rawValue),
            "installed": .bool(isInstalled),
            "enabled": .bool(isEnabled),
            "registrations": .array(tokens),
        ]
        members["stored"] = stored?.json
        members["held"] = held?.json
        return .object(members)
    }
}

extension WaitingNotification {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "apns_id": .string(notification.id.uuidString),
            "topic": .string(notification.topic.rawValue),
            "received_at_ms": .integer(notification.receivedAtMilliseconds),
            "until_ms": .integer(untilMilliseconds),
        ]
        members["release_ms"] = releaseMilliseconds.map { .integer($0) }
        return .object(members)
    }
}

extension RegistryContents.TokenRow {
    func json(channels: [ChannelID]) -> JSONValue {
        var members: [String: JSONValue] = [
            "token": .string(token.hexString),
            "topic": .string(topic.rawValue),
            "family": .string(family.rawValue),
            "registered_at_ms": .integer(registeredAtMilliseconds),
        ]
        if !instance.isEmpty { members["instance"] = .string(instance) }
        members["expires_at_ms"] = expiresAtMilliseconds.map { .integer($0) }
        if !channels.isEmpty { members["channels"] = .array(channels.map { .string($0.rawValue) }) }
        switch state {
        case .live: members["state"] = "live"
        case .orphaned(let since):
            members["state"] = "orphaned"
            members["state_since_ms"] = .integer(since)
        case .dead(let since):
            members["state"] = "dead"
            members["state_since_ms"] = .integer(since)
        }
        return .object(members)
    }
}

extension Channel {
    /// The channel as JSON.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id.rawValue),
            "bundle_id": .string(bundleID),
            "environment": .string(environment.rawValue),
            "message_storage_policy": .integer(Int64(storagePolicy.rawValue)),
            "created_at_ms": .integer(createdAtMilliseconds),
            "messages": .integer(messageCount),
            "subscribers": .integer(Int64(subscribers.count)),
        ]
        if let storedMessage {
            members["stored"] = .object([
                "apns_request_id": .string(storedMessage.message.id.uuidString),
                "until_ms": .integer(storedMessage.untilMilliseconds),
            ])
        }
        return .object(members)
    }
}
