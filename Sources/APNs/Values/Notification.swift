/// One request to APNs: a payload for one device token, with its headers.
///
/// Notifications that share a payload share its storage until one of them changes it.
public struct Notification: Hashable, Sendable {
    /// The device and app to reach.
    public var token: DeviceToken
    /// The header apns-topic.
    public var topic: Topic
    /// The request body: encoded JSON, sent as it is.
    public var payload: [UInt8]
    /// The header apns-push-type; nil leaves it out.
    public var pushType: PushType?
    /// The header apns-priority; nil leaves it out, which APNs takes as 10.
    public var priority: Priority?
    /// The header apns-expiration.
    public var expiration: Expiration
    /// The header apns-collapse-id; nil leaves it out.
    public var collapseID: CollapseID?
    /// The header apns-id; nil leaves it to APNs to make one.
    public var id: NotificationID?

    /// Makes a request; only token, topic and payload have no default.
    public init(
        token: DeviceToken, topic: Topic, payload: [UInt8], pushType: PushType? = .alert,
        priority: Priority? = nil, expiration: Expiration = .unspecified, collapseID: CollapseID? = nil,
        id: NotificationID? = nil
    ) {
        self.token = token
        self.topic = topic
        self.payload = payload
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.id = id
    }
}
