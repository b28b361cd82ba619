/// The reasons this version knows, one row each.
extension Reason {
    enum Code: UInt8, CaseIterable {
        case unknown
        case badCollapseID
        case badDeviceToken
        case badExpirationDate
        case badMessageID
        case badPriority
        case badTopic
        case deviceTokenNotForTopic
        case duplicateHeaders
        case idleTimeout
        case invalidPushType
        case missingDeviceToken
        case missingTopic
        case payloadEmpty
        case topicDisallowed
        case badCertificate
        case badCertificateEnvironment
        case expiredProviderToken
        case forbidden
        case invalidProviderToken
        case missingProviderToken
        case unrelatedKeyIDInToken
        case badEnvironmentKeyIDInToken
        case badPath
        case methodNotAllowed
        case expiredToken
        case unregistered
        case payloadTooLarge
        case tooManyProviderTokenUpdates
        case tooManyRequests
        case internalServerError
        case serviceUnavailable
        case shutdown
        case featureNotEnabled
        case missingChannelID
        case badChannelID
        case channelNotRegistered
        case badRequestParams
        case badRequestPayload
        case missingPushType
        case cannotCreateChannelConfig
        case topicMismatch
        case missingChannelQueueSize
        case broadcastFeatureNotEnabled
    }

    /// What Apple says of one reason; a status of 0 is undocumented.
    struct Row {
        let code: Code
        let text: StaticString
        let status: UInt16
        let disposition: Disposition
        let requiresNewConnection: Bool

        init(
            _ code: Code, _ text: StaticString, _ status: UInt16, _ disposition: Disposition,
            newConnection: Bool = false
        ) {
            self.code = code
            self.text = text
            self.status = status
            self.disposition = disposition
            requiresNewConnection = newConnection
        }
    }

    /// Spellings of the same reason that differ from Apple's table: seen on the wire, or printed elsewhere.
    static let aliases: [(text: StaticString, code: Code)] = [
        ("BadEnvironmentKeyInToken", .badEnvironmentKeyIDInToken),
        ("Service Unavailable", .serviceUnavailable),
    ]

    /// Every spelling of every known reason, indexed by its length in bytes.
    static let spellingsByLength: [[(text: StaticString, code: Code)]] = {
        let spellings = table.dropFirst().map { ($0.text, $0.code) } + aliases
        let longest = spellings.map { $0.0.utf8CodeUnitCount }.max() ?? 0
        var lists = [[(text: StaticString, code: Code)]](repeating: [], count: longest + 1)
        for (text, code) in spellings { lists[text.utf8CodeUnitCount].append((text, code)) }
        return lists
    }()

    /// Indexed by the code.
    static let table: [Row] = [
        Row(.unknown, "", 0, .unknown),
        Row(.badCollapseID, "BadCollapseId", 400, .fix),
        Row(.badDeviceToken, "BadDeviceToken", 400, .never),
        Row(.badExpirationDate, "BadExpirationDate", 400, .fix),
        Row(.badMessageID, "BadMessageId", 400, .fix),
        Row(.badPriority, "BadPriority", 400, .fix),
        Row(.badTopic, "BadTopic", 400, .fix),
        Row(.deviceTokenNotForTopic, "DeviceTokenNotForTopic", 400, .never),
        Row(.duplicateHeaders, "DuplicateHeaders", 400, .fix),
        Row(.idleTimeout, "IdleTimeout", 400, .later, newConnection: true),
        Row(.invalidPushType, "InvalidPushType", 400, .fix),
        Row(.missingDeviceToken, "MissingDeviceToken", 400, .fix),
        Row(.missingTopic, "MissingTopic", 400, .fix),
        Row(.payloadEmpty, "PayloadEmpty", 400, .fix),
        Row(.topicDisallowed, "TopicDisallowed", 400, .fix),
        Row(.badCertificate, "BadCertificate", 403, .fix, newConnection: true),
        Row(.badCertificateEnvironment, "BadCertificateEnvironment", 403, .fix, newConnection: true),
        Row(.expiredProviderToken, "ExpiredProviderToken", 403, .renew, newConnection: true),
        Row(.forbidden, "Forbidden", 403, .never),
        Row(.invalidProviderToken, "InvalidProviderToken", 403, .fix),
        Row(.missingProviderToken, "MissingProviderToken", 403, .fix),
        Row(.unrelatedKeyIDInToken, "UnrelatedKeyIdInToken", 403, .later, newConnection: true),
        Row(.badEnvironmentKeyIDInToken, "BadEnvironmentKeyIdInToken", 403, .fix),
        Row(.badPath, "BadPath", 404, .fix),
        Row(.methodNotAllowed, "MethodNotAllowed", 405, .fix),
        Row(.expiredToken, "ExpiredToken", 410, .never),
        Row(.unregistered, "Unregistered", 410, .never),
        Row(.payloadTooLarge, "PayloadTooLarge", 413, .never),
        Row(.tooManyProviderTokenUpdates, "TooManyProviderTokenUpdates", 429, .later),
        Row(.tooManyRequests, "TooManyRequests", 429, .later),
        Row(.internalServerError, "InternalServerError", 500, .later),
        Row(.serviceUnavailable, "ServiceUnavailable", 503, .later),
        Row(.shutdown, "Shutdown", 503, .later, newConnection: true),
        // Broadcast channels.
        Row(.featureNotEnabled, "FeatureNotEnabled", 400, .fix),
        Row(.missingChannelID, "MissingChannelId", 400, .fix),
        Row(.badChannelID, "BadChannelId", 400, .fix),
        Row(.channelNotRegistered, "ChannelNotRegistered", 400, .fix),
        Row(.badRequestParams, "BadRequestParams", 400, .fix),
        Row(.badRequestPayload, "BadRequestPayload", 400, .fix),
        Row(.missingPushType, "MissingPushType", 400, .fix),
        Row(.cannotCreateChannelConfig, "CannotCreateChannelConfig", 400, .fix),
        Row(.topicMismatch, "TopicMismatch", 403, .fix),
        Row(.missingChannelQueueSize, "MissingChannelQueueSize", 0, .fix),
        Row(.broadcastFeatureNotEnabled, "BroadcastFeatureNotEnabled", 0, .fix),
    ]
}
