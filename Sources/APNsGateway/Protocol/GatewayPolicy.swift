public import APNs

/// How the gateway behaves where Apple's documentation is silent or leaves room.
///
/// Every field says what the default is and why. Figures that Apple documents name the page; the rest are
/// choices of this simulator.
public struct GatewayPolicy: Sendable {
    /// Rules for provider tokens (JWT).
    public var providerTokens = ProviderTokens()
    /// Rules for single pushes to devices.
    public var requests = Requests()
    /// Rules for broadcast channels.
    public var broadcasts = Broadcasts()
    /// Rules for a connection as a whole.
    public var connections = Connections()

    /// Makes the default policy.
    public init() {}
}

extension GatewayPolicy {
    /// Rules for provider tokens (JWT).
    public struct ProviderTokens: Sendable {
        /// The oldest accepted token, in seconds since its `iat`: one hour.
        ///
        /// Apple: Establishing a token-based connection to APNs.
        public var ageSecondsMax: Int64 = ProviderTokenClaims.ageSecondsMax
        /// How far `iat` may lie in the future, in seconds.
        ///
        /// Default one hour: Apple asks for a time within one hour of now and names no reason for the
        /// other side.
        public var futureSecondsMax: Int64 = 3600
        /// The answer to an `iat` too far in the future; undocumented, default InvalidProviderToken.
        public var futureReason: Reason = .invalidProviderToken
        /// Whether an `iat` in milliseconds is understood.
        ///
        /// Default no: a sample of Apple's holds one, but a client that sends milliseconds by mistake
        /// should learn of it.
        public var acceptsMilliseconds = false
        /// Whether the scheme may be written `Bearer` as well as `bearer`.
        ///
        /// Default yes, as in RFC 9110.
        public var ignoresSchemeCase = true
        /// The shortest time between two new tokens of a team on one connection, in seconds: 20 minutes.
        ///
        /// Apple: Establishing a token-based connection to APNs.
        public var updateIntervalSeconds: Int64 = ProviderTokenClaims.renewalSecondsMin
        /// Whether a connection that saw an expired token refuses later ones too.
        ///
        /// Default yes: established clients open a new connection after ExpiredProviderToken because the
        /// old one stays unusable.
        public var expiryWedgesConnection = true
        /// Whether a token that does not match its known key is refused in open mode.
        ///
        /// Default yes.
        public var checksKnownKeysWhenOpen = true
        /// Writes BadEnvironmentKeyInToken, as seen on the wire, for Apple's BadEnvironmentKeyIdInToken.
        ///
        /// Default no.
        public var writesObservedEnvironmentReason = false
    }

    /// Rules for single pushes to devices.
    public struct Requests: Sendable {
        /// Whether any repeated header is refused, not only those APNs knows.
        ///
        /// Default yes: Apple's text makes no exception. Cookie fields may repeat in HTTP/2 and never
        /// count.
        public var rejectsRepeatedUnknownHeaders = true
        /// The answer to a background push of priority 10; nil accepts it.
        ///
        /// Apple calls it an error without naming the reason, default BadPriority.
        public var backgroundHighPriorityReason: Reason? = .badPriority
        /// The answer to a topic without the suffix its push type needs; nil accepts it.
        ///
        /// Undocumented, default BadTopic.
        public var topicSuffixReason: Reason? = .badTopic
        /// The answer to a topic that the credential does not cover; default TopicDisallowed.
        public var uncoveredTopicReason: Reason = .topicDisallowed
        /// The answer to a body that is not a JSON object; nil accepts it.
        ///
        /// Undocumented, default nil.
        public var malformedPayloadReason: Reason?
        /// The answer to a background push whose payload has alert, badge or sound; nil accepts it.
        ///
        /// Apple says that a wrong push type may be refused, delayed or dropped; default nil.
        public var pushTypePayloadReason: Reason?
        /// Push types that only a provider token can send.
        ///
        /// Apple: Sending notification requests to APNs, for location; the others are newer than the
        /// certificates' list of topics.
        public var tokenOnlyPushTypes: Set<PushType> = [
            .location, .pushtotalk, .liveactivity, .widgets, .controls,
        ]
        /// Push types that only a certificate can send: mdm, whose topic is a certificate's subject.
        public var certificateOnlyPushTypes: Set<PushType> = [.mdm]
    }

    /// Rules for broadcast channels.
    public struct Broadcasts: Sendable {
        /// Whether the push type may be written in any case.
        ///
        /// Default yes: Apple writes it `LiveActivity` and `liveactivity`.
        public var ignoresPushTypeCase = true
        /// Whether a publication without apns-expiration is refused with BadExpirationDate.
        ///
        /// Default no.
        public var requiresExpiration = false
        /// Whether a publication without apns-priority is refused with BadPriority.
        ///
        /// Default no: taken as 10.
        public var requiresPriority = false
        /// The largest payload, in bytes.
        ///
        /// Apple says 5 KB.
        public var payloadByteCountMax = 5120
        /// The most channels of one app in one environment.
        ///
        /// Apple: Sending channel management requests to APNs.
        public var channelCountMax = ChannelList.channelCountMax
        /// The answer to deleting a channel that does not exist; default ChannelNotRegistered.
        ///
        /// BadPath was observed in its place.
        public var deletedChannelReason: Reason = .channelNotRegistered
    }

    /// Rules for a connection as a whole.
    public struct Connections: Sendable {
        /// The stream limit of a connection without client certificate until a provider token is accepted.
        ///
        /// Apple: Sending notification requests to APNs.
        public var unauthenticatedStreamsMax = 1
        /// The stream limit of an authenticated connection; 1000 was observed.
        public var authenticatedStreamsMax = 1000
        /// How refusals lower the stream limit and end connections; nil switches that off.
        public var errorThrottle: ErrorThrottle? = ErrorThrottle()
        /// Whether a connection ends after the first answer BadCertificate or BadCertificateEnvironment.
        ///
        /// Default yes: a new connection is needed anyway.
        public var closesOnBadCertificate = true
        /// The silence after which the gateway sends a PING, in milliseconds: about an hour; nil never.
        ///
        /// Apple: Sending notification requests to APNs.
        public var pingAfterMilliseconds: Int64? = 3_600_000
        /// The silence after which a connection ends with IdleTimeout, in milliseconds; nil never.
        ///
        /// Apple gives no figure, default two hours.
        public var idleTimeoutMilliseconds: Int64? = 7_200_000
    }

    /// How refusals lower the stream limit and end connections.
    ///
    /// Apple says that refusals reduce what a provider may send, that BadDeviceToken counts more, that 410
    /// does not count, and that too many refusals end the connection. The figures are this simulator's.
    public struct ErrorThrottle: Sendable {
        /// What one refusal with a 4xx status other than 410 adds to the score.
        public var weight = 1
        /// What one BadDeviceToken adds to the score.
        public var badDeviceTokenWeight = 4
        /// The stream limit halves each time this much score has come together since the last accepted push.
        public var scorePerHalving = 8
        /// The lowest stream limit.
        public var streamsMin = 1
        /// What one accepted push takes from the score that ends a connection.
        public var acceptedCredit = 1
        /// The score that ends a connection with GOAWAY; nil never does.
        public var closingScore: Int? = 4000

        /// Makes the default throttle.
        public init() {}
    }
}
