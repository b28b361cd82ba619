/// The headers of a request as they are written, valid or not; nil for what is not known.
public struct LintHeaders: Hashable, Sendable {
    /// The device token in the path.
    public var token: String?
    /// The header apns-push-type.
    public var pushType: String?
    /// The header apns-topic.
    public var topic: String?
    /// The header apns-priority.
    public var priority: String?
    /// The header apns-expiration.
    public var expiration: String?
    /// The header apns-collapse-id.
    public var collapseID: String?
    /// The header apns-id.
    public var id: String?

    /// Makes headers; what is not given is not known.
    public init(
        token: String? = nil, pushType: String? = nil, topic: String? = nil, priority: String? = nil,
        expiration: String? = nil, collapseID: String? = nil, id: String? = nil
    ) {
        self.token = token
        self.pushType = pushType
        self.topic = topic
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.id = id
    }

    /// The headers a notification is sent with.
    public init(_ notification: Notification) {
        self.init(
            token: notification.token.hexString, pushType: notification.pushType?.rawValue,
            topic: notification.topic.rawValue,
            priority: notification.priority.map { String($0.rawValue) },
            expiration: notification.expiration.headerValue.map { String($0) },
            collapseID: notification.collapseID?.rawValue, id: notification.id?.uuidString)
    }
}
