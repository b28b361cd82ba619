public import APNs

/// A remote notification on its way into a phone.
public struct RemotePush: Hashable, Sendable {
    /// The app it is for.
    public var bundleIdentifier: String
    /// The payload, a JSON object with `aps`.
    public var payload: [UInt8]
    /// The identifier of the request it becomes: the collapse identifier, else one that was made up.
    public var identifier: String
    /// The header `apns-push-type`.
    public var pushType: PushType?
    /// The header `apns-priority`.
    public var priority: Priority?
    /// The token that the push was sent to; nil when the other side does not tell.
    public var token: DeviceToken?
    /// APNs' own id of the request, for the journal.
    public var apnsID: String?

    /// Makes a push.
    public init(
        bundleIdentifier: String, payload: [UInt8], identifier: String, pushType: PushType? = nil,
        priority: Priority? = nil, token: DeviceToken? = nil, apnsID: String? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.payload = payload
        self.identifier = identifier
        self.pushType = pushType
        self.priority = priority
        self.token = token
        self.apnsID = apnsID
    }
}
