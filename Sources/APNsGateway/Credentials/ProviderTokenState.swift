/// What one connection remembers of the provider tokens it saw.
struct ProviderTokenState: Sendable {
    /// The header that was accepted last, byte for byte.
    var acceptedHeader: [UInt8] = []
    /// The last second at which that header is accepted; beside it so that no reference is counted.
    private(set) var acceptedUntilSeconds = Int64.min
    /// The token in that header; nil until one was accepted.
    private(set) var token: VerifiedProviderToken?
    /// The state of the verifier's keys at that time.
    var generation = 0
    /// The header that was last found invalid, so that its signature is not checked again and again.
    var invalidHeader: [UInt8] = []
    /// The key of the first accepted push, which binds the connection to its team.
    private(set) var boundKey: ProviderKey?
    /// Whether an expired token made the connection unusable.
    var isWedged = false
    /// The rule for new tokens.
    var updates: TokenUpdateLimiter

    init(policy: GatewayPolicy.ProviderTokens) {
        updates = TokenUpdateLimiter(intervalSeconds: policy.updateIntervalSeconds)
    }

    /// Whether a token was ever accepted.
    var isAuthenticated: Bool { token != nil }

    /// Keeps a token as the one in use.
    mutating func accept(_ token: VerifiedProviderToken, header: UnsafeRawBufferPointer, generation: Int) {
        self.token = token
        acceptedHeader = Array(header)
        acceptedUntilSeconds = token.expiresAtSeconds
        self.generation = generation
    }

    /// Binds the connection to the current key if it is not bound yet.
    @inline(__always)
    mutating func bind() {
        if boundKey == nil { boundKey = token?.key }
    }
}
