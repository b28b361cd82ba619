/// Refusals of pushes to devices; most of them also occur with broadcast channels.
extension Reason {
    /// The collapse identifier is too long.
    public static let badCollapseID = Reason(.badCollapseID)
    /// The device token is malformed or belongs to the other environment.
    public static let badDeviceToken = Reason(.badDeviceToken)
    /// The expiration cannot be read, or is not 0 on a channel that stores nothing.
    public static let badExpirationDate = Reason(.badExpirationDate)
    /// The header apns-id is not a UUID.
    public static let badMessageID = Reason(.badMessageID)
    /// The priority is not 10, 5 or 1, or not allowed for the push type.
    public static let badPriority = Reason(.badPriority)
    /// The topic cannot be used.
    public static let badTopic = Reason(.badTopic)
    /// The device token belongs to another topic.
    public static let deviceTokenNotForTopic = Reason(.deviceTokenNotForTopic)
    /// A header was sent twice.
    public static let duplicateHeaders = Reason(.duplicateHeaders)
    /// The connection was idle for too long.
    public static let idleTimeout = Reason(.idleTimeout)
    /// The push type is not known.
    public static let invalidPushType = Reason(.invalidPushType)
    /// The path has no device token.
    public static let missingDeviceToken = Reason(.missingDeviceToken)
    /// The topic is absent where it is needed.
    public static let missingTopic = Reason(.missingTopic)
    /// The request has no body.
    public static let payloadEmpty = Reason(.payloadEmpty)
    /// Pushing to this topic is not allowed.
    public static let topicDisallowed = Reason(.topicDisallowed)
    /// The client certificate is not valid.
    public static let badCertificate = Reason(.badCertificate)
    /// The client certificate is for the other environment.
    public static let badCertificateEnvironment = Reason(.badCertificateEnvironment)
    /// The provider token is older than an hour.
    public static let expiredProviderToken = Reason(.expiredProviderToken)
    /// The action is not allowed.
    public static let forbidden = Reason(.forbidden)
    /// The provider token is malformed, or its signature, key or team is wrong.
    public static let invalidProviderToken = Reason(.invalidProviderToken)
    /// There is neither a client certificate nor a provider token.
    public static let missingProviderToken = Reason(.missingProviderToken)
    /// The token's key is not related to the first one used on the connection; another connection may serve it.
    public static let unrelatedKeyIDInToken = Reason(.unrelatedKeyIDInToken)
    /// The token's key is for the other environment; also spelt BadEnvironmentKeyInToken.
    public static let badEnvironmentKeyIDInToken = Reason(.badEnvironmentKeyIDInToken)
    /// The path is not known.
    public static let badPath = Reason(.badPath)
    /// The method is not allowed.
    public static let methodNotAllowed = Reason(.methodNotAllowed)
    /// The device token has expired.
    public static let expiredToken = Reason(.expiredToken)
    /// The device token is not active for the topic any more.
    public static let unregistered = Reason(.unregistered)
    /// The body is larger than the push type allows.
    public static let payloadTooLarge = Reason(.payloadTooLarge)
    /// The provider token changes too often; the connection is of no use until time has passed.
    public static let tooManyProviderTokenUpdates = Reason(.tooManyProviderTokenUpdates)
    /// Too many notifications for one device token in a row.
    public static let tooManyRequests = Reason(.tooManyRequests)
    /// APNs failed; Apple asks to wait 15 minutes.
    public static let internalServerError = Reason(.internalServerError)
    /// APNs is unavailable; Apple asks to wait 15 minutes; also spelt Service Unavailable.
    public static let serviceUnavailable = Reason(.serviceUnavailable)
    /// The APNs server is shutting down.
    public static let shutdown = Reason(.shutdown)
}

/// Refusals of channel management and broadcast requests.
extension Reason {
    /// The topic may not use broadcast channels.
    public static let featureNotEnabled = Reason(.featureNotEnabled)
    /// The header apns-channel-id is absent.
    public static let missingChannelID = Reason(.missingChannelID)
    /// The channel identifier is badly encoded or too long.
    public static let badChannelID = Reason(.badChannelID)
    /// There is no such channel.
    public static let channelNotRegistered = Reason(.channelNotRegistered)
    /// The request's JSON has an unknown attribute.
    public static let badRequestParams = Reason(.badRequestParams)
    /// The request's JSON cannot be parsed.
    public static let badRequestPayload = Reason(.badRequestPayload)
    /// The push type is absent.
    public static let missingPushType = Reason(.missingPushType)
    /// The app has as many channels as it may have.
    public static let cannotCreateChannelConfig = Reason(.cannotCreateChannelConfig)
    /// The credential is not for the topic in the path.
    public static let topicMismatch = Reason(.topicMismatch)
    /// The message storage policy is absent or wrong; observed, not documented.
    public static let missingChannelQueueSize = Reason(.missingChannelQueueSize)
    /// The topic may not use broadcast channels; observed, not documented.
    public static let broadcastFeatureNotEnabled = Reason(.broadcastFeatureNotEnabled)
}
