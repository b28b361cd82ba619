internal import APNs

/// When a provider token is signed anew: pure; times are seconds since 1970, ages seconds of a clock nobody sets.
///
/// Apple asks for a renewal at least every 60 and at most every 20 minutes (Establishing a token-based
/// connection to APNs). A token that APNs has taken is used for its time whatever becomes of the time of day: one
/// that was set wrong for a while would only bring tokens that APNs refuses.
struct ProviderTokenMachine {
    /// What to send.
    enum Decision: Hashable {
        /// The token signed at this instant is good.
        case use(issuedAt: Int64)
        /// Sign a token with this `iat`, then use it.
        case sign(issuedAt: Int64)
    }

    /// The age at which a token is renewed: chosen once a token, so that nodes do not renew together.
    static let renewalSeconds: ClosedRange<Int64> = 40 * 60...50 * 60
    /// A token from the future by more than this that APNs has not taken is useless: the clock was set right.
    static let futureSecondsMax: Int64 = 5 * 60

    /// How long before its renewal a token counts as due: time to agree on the next one with others.
    static let renewalNoticeSeconds: Int64 = 2 * 60

    private var issuedAt: Int64?
    /// The other clock when the token was signed.
    private var issuedElapsed: Int64 = 0
    private var renewalAge: Int64 = 0
    private var mustRenew = false
    /// APNs has taken the token.
    private var isProven = false

    /// The token to use now.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - elapsed: the clock nobody sets.
    ///   - jitter: 0 to 1, at random, drawn only for a new token; places its renewal within 40 to 50 minutes.
    mutating func decide(now: Int64, elapsed: Int64, jitter: @autoclosure () -> Double) -> Decision {
        if let issuedAt {
            let age = elapsed - issuedElapsed
            let isFromFuture = !isProven && issuedAt > now + Self.futureSecondsMax
            let isYoung = age < ProviderTokenClaims.renewalSecondsMin
            if !isFromFuture, isYoung || (age < renewalAge && !mustRenew) { return .use(issuedAt: issuedAt) }
        }
        take(issuedAt: now, issuedElapsed: elapsed, jitter: jitter())
        return .sign(issuedAt: now)
    }

    /// Whether there is no token, or it is renewed soon.
    func isDue(elapsed: Int64) -> Bool {
        guard issuedAt != nil else { return true }
        let age = elapsed - issuedElapsed
        guard age >= ProviderTokenClaims.renewalSecondsMin else { return false }
        return mustRenew || age >= renewalAge - Self.renewalNoticeSeconds
    }

    /// Takes a token that was signed elsewhere in place of its own.
    ///
    /// - Returns: whether it is taken: one that is older than what is here, or from the future, is not.
    mutating func adopt(
        issuedAt other: Int64, now: Int64, elapsed: Int64, jitter: @autoclosure () -> Double
    ) -> Bool {
        guard other <= now + Self.futureSecondsMax, other > issuedAt ?? .min else { return false }
        take(issuedAt: other, issuedElapsed: elapsed - max(0, now - other), jitter: jitter())
        return true
    }

    private mutating func take(issuedAt: Int64, issuedElapsed: Int64, jitter: Double) {
        self.issuedAt = issuedAt
        self.issuedElapsed = issuedElapsed
        mustRenew = false
        isProven = false
        let range = Self.renewalSeconds
        renewalAge = range.lowerBound + Int64(Double(range.upperBound - range.lowerBound) * jitter)
    }

    /// APNs has taken the token signed at an instant.
    mutating func proved(issuedAt proven: Int64) {
        if proven == issuedAt { isProven = true }
    }

    /// APNs called the token signed at an instant expired.
    ///
    /// - Returns: whether another attempt makes sense: with a token that is newer than the refused one.
    ///   A token younger than 20 minutes is not replaced: then a clock is wrong, and signing more often
    ///   would only be punished.
    mutating func expired(issuedAt refused: Int64, elapsed: Int64) -> Bool {
        guard let issuedAt else { return true }
        guard refused == issuedAt else { return refused < issuedAt }
        guard elapsed - issuedElapsed >= ProviderTokenClaims.renewalSecondsMin else { return false }
        mustRenew = true
        return true
    }
}
