public import APNs

/// What one device is sent, but for its token.
public struct ComposedMessage: Sendable, Hashable {
    /// The encoded payload; devices with the same one share its storage.
    public var payload: [UInt8]
    /// The header apns-topic.
    public var topic: Topic
    /// The header apns-push-type.
    public var pushType: PushType
    /// The header apns-priority; nil leaves it out.
    public var priority: Priority?
    /// The header apns-expiration.
    public var expiration: Expiration
    /// The header apns-collapse-id.
    public var collapseID: CollapseID?

    /// The request for a device.
    @inline(__always)
    public func notification(token: DeviceToken, id: NotificationID? = nil) -> Notification {
        Notification(
            token: token, topic: topic, payload: payload, pushType: pushType, priority: priority,
            expiration: expiration, collapseID: collapseID, id: id)
    }
}

/// The end of composing for one device.
public enum Composition: Sendable, Hashable {
    /// It can be sent.
    case composed(ComposedMessage)
    /// With this device's values it is larger than APNs takes, also without its body; in bytes.
    case tooLarge(byteCount: Int)
    /// The installation's topic cannot be one.
    case invalidTopic
}

/// A message for everybody who follows a broadcast channel: what `BroadcastClient.publish` takes.
public struct BroadcastMessage: Sendable, Hashable {
    /// The encoded payload.
    public var payload: [UInt8]
    /// The channel.
    public var channel: ChannelID
    /// The app, without a push type's suffix.
    public var bundleID: String
    /// How urgent it is.
    public var priority: Priority
    /// How long APNs keeps it; `never` for channels that store nothing.
    public var expiration: Expiration
}
