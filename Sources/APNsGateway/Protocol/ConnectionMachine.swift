package import APNs

/// What the gateway knows of one connection from a provider, and what the connection may do.
///
/// A value driven by events: requests come through ``authenticate(_:verifier:nowMilliseconds:)`` and
/// ``completed(_:nowMilliseconds:)``, time through ``timerFired(nowMilliseconds:)``; what has to be sent comes
/// back as ``ConnectionActions``. No sockets, no clock.
///
/// ```
///                    first accepted token           GOAWAY sent
///   unauthenticated ─────────────────────▶ open ──────────────────▶ closing
///   1 stream                               1000 streams, fewer after errors
///        certificate: starts open            ▲  │ new token too early
///                                            └──┘ blocked until 20 minutes have passed
/// ```
package struct ConnectionMachine: Sendable {
    /// How the provider proves who it is.
    package enum Credential: Sendable {
        /// By a provider token in each request.
        case providerToken
        /// By a client certificate; the header authorization is ignored.
        case certificate(CertificateCredential)
        /// By a client certificate that does not verify or is not for APNs.
        case unusableCertificate
    }

    /// The service the connection came to.
    package let environment: Environment
    /// How the provider proves who it is.
    package let credential: Credential
    /// The topics seen so far.
    package var topics = TopicRegister()
    /// Makes identifiers for requests that bring none.
    package var identifiers: SeededGenerator

    let policy: GatewayPolicy
    var tokenState: ProviderTokenState
    /// Changes with the key in use, so that what is known of topics is asked again.
    var credentialNumber = 0

    private var errors: ErrorScore?
    private var announcedStreamsMax: Int
    private var imposedLimit: (streams: Int, requests: Int)?
    private var isClosing = false
    private var activeAtMilliseconds: Int64
    private var pingedAtMilliseconds: Int64

    /// Whether the gateway is going down: every further request is answered Shutdown.
    package private(set) var isDraining = false

    /// Starts a connection.
    ///
    /// - Parameters:
    ///   - credential: What the TLS handshake brought.
    ///   - environment: The service the connection came to.
    ///   - policy: The gateway's policy.
    ///   - seed: Decides the identifiers the connection makes up.
    ///   - nowMilliseconds: The time, in milliseconds since 1970.
    package init(
        credential: Credential, environment: Environment, policy: GatewayPolicy, seed: UInt64,
        nowMilliseconds: Int64
    ) {
        self.credential = credential
        self.environment = environment
        self.policy = policy
        identifiers = SeededGenerator(seed: seed)
        tokenState = ProviderTokenState(policy: policy.providerTokens)
        errors = policy.connections.errorThrottle.map { ErrorScore(policy: $0) }
        activeAtMilliseconds = nowMilliseconds
        pingedAtMilliseconds = nowMilliseconds
        announcedStreamsMax = policy.connections.unauthenticatedStreamsMax
        if case .certificate = credential { announcedStreamsMax = policy.connections.authenticatedStreamsMax }
    }

    /// The stream limit last announced, which for a new connection belongs into the first SETTINGS frame.
    package var maxConcurrentStreams: Int { announcedStreamsMax }

    /// Takes note of an answered request.
    ///
    /// - Parameters:
    ///   - rejection: The refusal; nil for an accepted request.
    ///   - nowMilliseconds: The time, in milliseconds since 1970.
    package mutating func completed(_ rejection: Rejection?, nowMilliseconds: Int64) -> ConnectionActions {
        activeAtMilliseconds = nowMilliseconds
        if let imposed = imposedLimit {
            imposedLimit = imposed.requests > 1 ? (imposed.streams, imposed.requests - 1) : nil
        }
        var actions = ConnectionActions.none
        if let rejection {
            count(rejection, in: &actions)
        } else {
            errors?.accepted()
            tokenState.bind()
        }
        announceLimit(in: &actions)
        return actions
    }

    /// Holds the stream limit down for a number of requests: a fault somebody asked for.
    package mutating func imposeLimit(_ streams: Int, forRequests requests: Int) -> ConnectionActions {
        imposedLimit = (max(1, streams), max(1, requests))
        var actions = ConnectionActions.none
        announceLimit(in: &actions)
        return actions
    }

    /// Ends the connection because the gateway goes down; open streams finish.
    package mutating func drain() -> ConnectionActions {
        isDraining = true
        return close(.shutdown)
    }

    /// Ends the connection for a reason, once.
    package mutating func close(_ reason: Reason, errorCode: UInt32 = 0) -> ConnectionActions {
        guard !isClosing else { return .none }
        isClosing = true
        return ConnectionActions(goAway: GoAway(reason, errorCode: errorCode))
    }

    /// When ``timerFired(nowMilliseconds:)`` is due, in milliseconds since 1970; nil for never.
    package var timerDueMilliseconds: Int64? {
        guard !isClosing else { return nil }
        let connections = policy.connections
        let idle = connections.idleTimeoutMilliseconds.map { activeAtMilliseconds + $0 }
        let ping = connections.pingAfterMilliseconds.map {
            max(activeAtMilliseconds, pingedAtMilliseconds) + $0
        }
        return [idle, ping].compactMap { $0 }.min()
    }

    /// Ends an idle connection or probes it.
    package mutating func timerFired(nowMilliseconds: Int64) -> ConnectionActions {
        guard !isClosing else { return .none }
        let connections = policy.connections
        if let timeout = connections.idleTimeoutMilliseconds,
            nowMilliseconds - activeAtMilliseconds >= timeout
        {
            return close(.idleTimeout)
        }
        let silence = nowMilliseconds - max(activeAtMilliseconds, pingedAtMilliseconds)
        guard let pingAfter = connections.pingAfterMilliseconds, silence >= pingAfter else { return .none }
        pingedAtMilliseconds = nowMilliseconds
        return ConnectionActions(sendsPing: true)
    }

    private mutating func count(_ rejection: Rejection, in actions: inout ConnectionActions) {
        let isCertificateFault =
            rejection.reason == .badCertificate || rejection.reason == .badCertificateEnvironment
        if isCertificateFault, policy.connections.closesOnBadCertificate {
            if case .providerToken = credential {} else { actions.merge(close(rejection.reason)) }
        }
        guard rejection.countsAsError else { return }
        errors?.rejected(badDeviceToken: rejection.reason == .badDeviceToken)
        if errors?.isExhausted == true { actions.merge(close(rejection.reason)) }
    }

    private mutating func announceLimit(in actions: inout ConnectionActions) {
        var limit = policy.connections.authenticatedStreamsMax
        if case .certificate = credential {
        } else if !tokenState.isAuthenticated {
            limit = policy.connections.unauthenticatedStreamsMax
        }
        limit = errors?.limit(of: limit) ?? limit
        if let imposedLimit { limit = min(limit, imposedLimit.streams) }
        guard limit != announcedStreamsMax else { return }
        announcedStreamsMax = limit
        actions.maxConcurrentStreams = limit
    }
}
