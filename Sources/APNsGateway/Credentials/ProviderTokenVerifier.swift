internal import APNs
internal import Synchronization

/// Checks provider tokens against the keys of the gateway and remembers the good ones.
///
/// Shared by all connections and threads. A check of a signature costs about a hundred microseconds, a
/// remembered token a lookup; a connection compares with its own last token before it comes here.
package final class ProviderTokenVerifier: Sendable {
    /// What a token is worth.
    package enum Verdict: Sendable {
        /// Signed by a known key and young enough, or well-formed on an open gateway.
        case valid(VerifiedProviderToken)
        /// Malformed, of an unknown key or team, or signed wrongly: bad for ever.
        case invalid
        /// Good but made further in the future than clocks differ.
        case tooEarly
        /// Good but older than an hour.
        case expired
    }

    /// Whether any well-formed ES256 token is accepted.
    package let isOpen: Bool

    private let policy: GatewayPolicy.ProviderTokens
    private let rememberedMax: Int
    private let aheadSeconds: @Sendable () -> Int64
    private let changes = Atomic<Int>(0)
    private let state: Mutex<State>

    private struct State {
        var keys: [String: ProviderKey]
        var remembered: [[UInt8]: VerifiedProviderToken] = [:]
        /// The remembered tokens in the order they came, as a ring: the oldest makes room.
        var order: [[UInt8]] = []
        var oldest = 0
    }

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - keys: The known keys; of two with one identifier the later stays.
    ///   - isOpen: Whether to accept well-formed tokens of unknown keys unchecked.
    ///   - policy: Ages and tolerances.
    ///   - rememberedMax: How many good tokens are kept.
    ///   - aheadSeconds: How far the gateway's clock was put forward from the one that clients sign by.
    package init(
        keys: [ProviderKey] = [], isOpen: Bool = false,
        policy: GatewayPolicy.ProviderTokens = GatewayPolicy.ProviderTokens(), rememberedMax: Int = 1024,
        aheadSeconds: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        precondition(rememberedMax > 0, "a verifier remembers at least one token")
        self.isOpen = isOpen
        self.policy = policy
        self.rememberedMax = rememberedMax
        self.aheadSeconds = aheadSeconds
        state = Mutex(State(keys: ProviderTokenVerifier.indexed(keys)))
    }

    /// A number that changes whenever the keys do; what was verified before must then be verified again.
    package var generation: Int { changes.load(ordering: .acquiring) }

    /// The known keys, by identifier.
    package var keys: [ProviderKey] {
        state.withLock { Array($0.keys.values) }.sorted { $0.keyID < $1.keyID }
    }

    /// Replaces the known keys; tokens of keys that are gone are refused from now on.
    package func replaceKeys(_ keys: [ProviderKey]) {
        state.withLock { state in
            state = State(keys: ProviderTokenVerifier.indexed(keys))
            changes.add(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Judges a token: the part of the header authorization after the scheme.
    package func verdict(on token: UnsafeRawBufferPointer, nowSeconds: Int64) -> Verdict {
        guard token.count <= ProviderToken.byteCountMax else { return .invalid }
        let bytes = Array(token)
        if let known = state.withLock({ $0.remembered[bytes] }) {
            return verdict(on: known, nowSeconds: nowSeconds)
        }
        let generation = generation
        guard let parsed = try? ProviderToken(parsing: token),
            let key = key(of: parsed, signed: token)
        else { return .invalid }

        let issuedAt = gatewayTime(issuedAtSeconds(parsed.claims.issuedAt), nowSeconds: nowSeconds)
        let (expiresAt, overflow) = issuedAt.addingReportingOverflow(policy.ageSecondsMax)
        guard issuedAt >= 0, !overflow else { return .invalid }
        let verified = VerifiedProviderToken(
            key: key, issuedAtSeconds: issuedAt, expiresAtSeconds: expiresAt,
            fingerprint: ProviderTokenVerifier.fingerprint(bytes))
        let verdict = verdict(on: verified, nowSeconds: nowSeconds)
        if case .valid = verdict { remember(verified, bytes: bytes, generation: generation) }
        return verdict
    }

    /// How many tokens are remembered, for tests and metrics.
    package var rememberedCount: Int { state.withLock { $0.remembered.count } }

    private func verdict(on token: VerifiedProviderToken, nowSeconds: Int64) -> Verdict {
        if nowSeconds > token.expiresAtSeconds { return .expired }
        if token.issuedAtSeconds - nowSeconds > policy.futureSecondsMax { return .tooEarly }
        return .valid(token)
    }

    private func key(of token: ProviderToken, signed bytes: UnsafeRawBufferPointer) -> ProviderKey? {
        let claims = token.claims
        let message = UnsafeRawBufferPointer(rebasing: bytes[..<token.signingInputByteCount])
        if let key = state.withLock({ $0.keys[claims.keyID] }), !isOpen || policy.checksKnownKeysWhenOpen {
            let isGood = key.teamID == claims.teamID && key.accepts(signature: token.signature, for: message)
            return isGood ? key : nil
        }
        return isOpen ? ProviderKey(keyID: claims.keyID, teamID: claims.teamID, check: nil) : nil
    }

    /// When a token that is new here was signed, by the gateway's clock.
    ///
    /// To a clock that was put forward by a day every token that a client signs would be a day old. It ages from
    /// where it came, and one that was there before ages with the clock.
    private func gatewayTime(_ issuedAt: Int64, nowSeconds: Int64) -> Int64 {
        let ahead = aheadSeconds()
        guard ahead > 0, issuedAt > 0, issuedAt < nowSeconds - ahead / 2 else { return issuedAt }
        return issuedAt + ahead
    }

    private func issuedAtSeconds(_ claim: Int64) -> Int64 {
        // A date in seconds reaches twelve digits in the year 5138.
        policy.acceptsMilliseconds && claim >= 100_000_000_000 ? claim / 1000 : claim
    }

    private func remember(_ token: VerifiedProviderToken, bytes: [UInt8], generation: Int) {
        state.withLock { state in
            // The keys may have changed while the signature was checked.
            guard changes.load(ordering: .acquiring) == generation, state.remembered[bytes] == nil else {
                return
            }
            state.remembered[bytes] = token
            if state.order.count < rememberedMax {
                state.order.append(bytes)
            } else {
                state.remembered[state.order[state.oldest]] = nil
                state.order[state.oldest] = bytes
                state.oldest = (state.oldest + 1) % rememberedMax
            }
        }
    }

    private static func indexed(_ keys: [ProviderKey]) -> [String: ProviderKey] {
        Dictionary(keys.map { ($0.keyID, $0) }, uniquingKeysWith: { $1 })
    }

    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
