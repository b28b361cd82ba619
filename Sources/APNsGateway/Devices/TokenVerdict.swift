/// What the gateway knows about a device token; the first case that applies, in this order.
package enum TokenVerdict: Hashable, Sendable {
    /// No device ever had the token: BadDeviceToken, unless the gateway is open.
    case unknown
    /// The token belongs to the other environment: BadDeviceToken.
    case otherEnvironment
    /// The token belongs to another topic: DeviceTokenNotForTopic.
    case notForTopic
    /// The token ran out: 410 ExpiredToken.
    case expired(sinceMilliseconds: Int64)
    /// The app left the device: 410 Unregistered.
    case unregistered(sinceMilliseconds: Int64)
    /// Too many pushes for this token in a row: 429 TooManyRequests.
    case tooManyRequests
    /// The push is accepted; the number is the registry's own name for the registration.
    case accepted(device: Int64)
}
