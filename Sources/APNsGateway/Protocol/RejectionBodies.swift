package import APNs

/// The JSON bodies of refusals, made once for every known reason.
package struct RejectionBodies: Sendable {
    private let bodies: [Reason: [UInt8]]

    /// Prepares all bodies.
    package init(policy: GatewayPolicy = GatewayPolicy()) {
        var bodies: [Reason: [UInt8]] = [:]
        for reason in Reason.known { bodies[reason] = ErrorBody(reason: reason).encoded }
        if policy.providerTokens.writesObservedEnvironmentReason {
            bodies[.badEnvironmentKeyIDInToken] = Array(#"{"reason":"BadEnvironmentKeyInToken"}"#.utf8)
        }
        self.bodies = bodies
    }

    /// The body of a refusal; allocates only for a timestamp or an unknown reason.
    package func body(of rejection: Rejection) -> [UInt8] {
        guard rejection.timestampMilliseconds == nil else {
            return ErrorBody(
                reason: rejection.reason, timestampMilliseconds: rejection.timestampMilliseconds
            ).encoded
        }
        return data(of: rejection.reason)
    }

    /// The debug data of a GOAWAY frame: the same dictionary as in a refusal's body.
    package func data(of reason: Reason) -> [UInt8] {
        bodies[reason] ?? ErrorBody(reason: reason).encoded
    }
}
