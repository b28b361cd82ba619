package import APNs

/// What the gateway knows about device tokens: the seam between validation and the device registry.
///
/// A class that validates on its event loop calls it once per request, so conforming types are used
/// through generics and answer from memory.
package protocol TokenDirectory {
    /// Judges a token for a push that is correct in every other way.
    ///
    /// - Parameters:
    ///   - token: The token in the request's path.
    ///   - topic: The request's topic, with its suffix.
    ///   - environment: The service the request came to.
    ///   - nowMilliseconds: The time of the request, in milliseconds since 1970.
    func verdict(
        for token: DeviceToken, topic: Topic, environment: Environment, nowMilliseconds: Int64
    ) -> TokenVerdict
}

/// What a ``TokenDirectory`` says about a token; the first case that applies, in this order.
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
    /// The push is accepted; the number is the registry's own name for the device.
    case accepted(device: Int64)
}

/// A directory without devices: what an open gateway without a registry uses, and benchmarks.
package struct EmptyTokenDirectory: TokenDirectory, Sendable {
    /// Makes the directory.
    package init() {}

    /// Always unknown.
    package func verdict(
        for token: DeviceToken, topic: Topic, environment: Environment, nowMilliseconds: Int64
    ) -> TokenVerdict { .unknown }
}
