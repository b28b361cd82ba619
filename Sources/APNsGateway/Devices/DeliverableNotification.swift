package import APNs

/// An accepted push on its way to a device.
package struct DeliverableNotification: Hashable, Sendable {
    /// The apns-id of the response.
    package var id: NotificationID
    /// The apns-unique-id; outside the sandbox the gateway's own name for the request.
    package var uniqueID: NotificationID
    /// The token in the request's path.
    package var token: DeviceToken
    /// The topic, with its suffix.
    package var topic: Topic
    /// The push type, when one was sent.
    package var pushType: PushType?
    /// The priority; 10 when none was sent.
    package var priority: Priority
    /// The expiration, as sent.
    package var expiration: Expiration
    /// The collapse identifier, when one was sent.
    package var collapseID: CollapseID?
    /// The body, as sent.
    package var payload: [UInt8]
    /// When the gateway accepted the push, in milliseconds since 1970.
    package var receivedAtMilliseconds: Int64
    /// The service the request came to.
    package var environment: Environment

    /// Makes a notification; the defaults are what APNs assumes when a header is absent.
    package init(
        id: NotificationID, uniqueID: NotificationID, token: DeviceToken, topic: Topic,
        pushType: PushType? = nil, priority: Priority = .high, expiration: Expiration = .unspecified,
        collapseID: CollapseID? = nil, payload: [UInt8], receivedAtMilliseconds: Int64,
        environment: Environment
    ) {
        self.id = id
        self.uniqueID = uniqueID
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
        self.receivedAtMilliseconds = receivedAtMilliseconds
        self.environment = environment
    }
}
