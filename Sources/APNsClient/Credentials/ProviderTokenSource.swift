internal import APNs
public import Crypto
internal import Synchronization
public import Transport

/// The provider tokens of one (team, key): signed when needed, shared by every connection.
///
/// Callable from any thread.
public final class ProviderTokenSource: Sendable {
    /// The ten-character id that Apple gave the key.
    public let keyID: String
    /// The ten-character id of the team.
    public let teamID: String

    private let signingKey: SigningKey
    private let clock: WallClock
    private let state = Mutex(State())

    private struct State {
        var machine = ProviderTokenMachine()
        var token = Token(issuedAt: .min, authorization: [])
    }

    /// A signed token as the value of the header `authorization`.
    struct Token: Sendable {
        var issuedAt: Int64
        var authorization: [UInt8]
    }

    /// Checks the ids; nothing is signed yet.
    ///
    /// - Parameters:
    ///   - keyID: as shown where the key was downloaded; 10 letters and digits.
    ///   - teamID: as shown in the membership details; 10 letters and digits.
    ///   - signingKey: from the `.p8` file.
    ///   - clock: what `iat` is taken from.
    /// - Throws: a ``APNsClientError`` with code `credential` that names the id that cannot be right.
    public init(
        keyID: String, teamID: String, signingKey: SigningKey, clock: WallClock = .system
    ) throws(APNsClientError) {
        try Self.check(keyID, name: "key id")
        try Self.check(teamID, name: "team id")
        self.keyID = keyID
        self.teamID = teamID
        self.signingKey = signingKey
        self.clock = clock
    }

    /// The token to use now; signs a new one when it is time (about 0.1 ms).
    func current() throws(CryptoError) -> Token {
        // Signing under the lock: whoever comes meanwhile needs that very token.
        let result: Result<Token, CryptoError> = state.withLock { state in
            let decision = state.machine.decide(
                now: clock.secondsSince1970, elapsed: clock.elapsedSeconds, jitter: Double.random(in: 0...1))
            if case .sign(let issuedAt) = decision {
                do throws(CryptoError) {
                    state.token = try sign(issuedAt: issuedAt)
                } catch {
                    state.machine = ProviderTokenMachine()
                    return .failure(error)
                }
            }
            return .success(state.token)
        }
        return try result.get()
    }

    // MARK: Sharing

    /// A token that several processes use, so that APNs sees few of them.
    package struct Shared: Sendable, Hashable {
        /// Its `iat`, in seconds since 1970.
        package var issuedAt: Int64
        /// The JWT.
        package var text: String

        /// Makes one of its parts.
        package init(issuedAt: Int64, text: String) {
            self.issuedAt = issuedAt
            self.text = text
        }
    }

    /// Whether there is no token yet, or it is renewed within two minutes: the time to agree on the next one.
    package var isDue: Bool { state.withLock { $0.machine.isDue(elapsed: clock.elapsedSeconds) } }

    /// Whether a token is at hand.
    package var hasToken: Bool { state.withLock { !$0.token.authorization.isEmpty } }

    /// Signs a token to offer to others; it is used here only once it is adopted.
    package func candidate() throws(CryptoError) -> Shared {
        let now = clock.secondsSince1970
        let token = try sign(issuedAt: now)
        let text = String(decoding: token.authorization.dropFirst(Self.scheme.count), as: UTF8.self)
        return Shared(issuedAt: now, text: text)
    }

    /// Uses a token from now on, unless the one at hand is newer.
    package func adopt(_ shared: Shared) {
        state.withLock { state in
            guard
                state.machine.adopt(
                    issuedAt: shared.issuedAt, now: clock.secondsSince1970, elapsed: clock.elapsedSeconds,
                    jitter: Double.random(in: 0...1))
            else { return }
            state.token = Token(
                issuedAt: shared.issuedAt, authorization: Self.scheme + Array(shared.text.utf8))
        }
    }

    private static let scheme = Array("bearer ".utf8)

    /// APNs called a token expired; answers whether a newer one is, or will be, at hand.
    func expired(issuedAt: Int64) -> Bool {
        state.withLock { $0.machine.expired(issuedAt: issuedAt, elapsed: clock.elapsedSeconds) }
    }

    /// APNs has taken the token signed at an instant.
    func proved(issuedAt: Int64) {
        state.withLock { $0.machine.proved(issuedAt: issuedAt) }
    }

    private func sign(issuedAt: Int64) throws(CryptoError) -> Token {
        let claims = ProviderTokenClaims(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
        let signature = try signingKey.sign(claims.signingInput)
        return Token(
            issuedAt: issuedAt, authorization: Self.scheme + claims.token(signature: signature))
    }

    private static func check(_ text: String, name: String) throws(APNsClientError) {
        let isRight =
            text.utf8.count == 10
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
        guard isRight else {
            throw APNsClientError(
                .credential, "\(name) '\(text.prefix(20))': Apple's ids have 10 letters and digits")
        }
    }
}
