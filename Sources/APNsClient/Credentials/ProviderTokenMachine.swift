internal import APNs

/// When a provider token is signed anew: pure; times are seconds since 1970.
///
/// Apple asks for a renewal at least every 60 and at most every 20 minutes (Establishing a token-based
/// connection to APNs). The age is measured from `iat`, the moment that APNs measures from.
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
    /// A token from the future by more than this is useless: the clock was set back.
    static let futureSecondsMax: Int64 = 5 * 60

    /// How long before its renewal a token counts as due: time to agree on the next one with others.
    static let renewalNoticeSeconds: Int64 = 2 * 60

    private var issuedAt: Int64?
    private var renewAt: Int64 = 0
    private var mustRenew = false

    /// The token to use now.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - jitter: 0 to 1, at random, drawn only for a new token; places its renewal within 40 to 50 minutes.
    mutating func decide(now: Int64, jitter: @autoclosure () -> Double) -> Decision {
        if let issuedAt {
            let isFromFuture = issuedAt > now + Self.futureSecondsMax
            let isYoung = now < issuedAt + ProviderTokenClaims.renewalSecondsMin
            if !isFromFuture, isYoung || (now < renewAt && !mustRenew) { return .use(issuedAt: issuedAt) }
        }
        take(issuedAt: now, jitter: jitter())
        return .sign(issuedAt: now)
    }

    /// Whether there is no token, or it is renewed soon.
    func isDue(now: Int64) -> Bool {
        guard let issuedAt else { return true }
        guard now >= issuedAt + ProviderTokenClaims.renewalSecondsMin else { return false }
        return mustRenew || now >= renewAt - Self.renewalNoticeSeconds
    }

    /// Takes a token that was signed elsewhere in place of its own.
    ///
    /// - Returns: whether it is taken: one that is older than what is here, or from the future, is not.
    mutating func adopt(issuedAt other: Int64, now: Int64, jitter: @autoclosure () -> Double) -> Bool {
        guard other <= now + Self.futureSecondsMax, other > issuedAt ?? .min else { return false }
        take(issuedAt: other, jitter: jitter())
        return true
    }

    private mutating func take(issuedAt: Int64, jitter: Double) {
        self.issuedAt = issuedAt
        mustRenew = false
        let range = Self.renewalSeconds
        renewAt = issuedAt + range.lowerBound + Int64(Double(range.upperBound - range.lowerBound) * jitter)
    }

    /// APNs called the token signed at an instant expired.
    ///
    /// - Returns: whether another attempt makes sense: with a token that is newer than the refused one.
    ///   A token younger than 20 minutes is not replaced: then a clock is wrong, and signing more often
    ///   would only be punished.
    mutating func expired(issuedAt refused: Int64, now: Int64) -> Bool {
        guard let issuedAt else { return true }
        guard refused == issuedAt else { return refused < issuedAt }
        guard now >= issuedAt + ProviderTokenClaims.renewalSecondsMin else { return false }
        mustRenew = true
        return true
    }
}
