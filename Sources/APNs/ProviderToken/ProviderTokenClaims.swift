/// What a provider token says: who signed it, for which team, and when.
///
/// From Apple: Establishing a token-based connection to APNs.
public struct ProviderTokenClaims: Hashable, Sendable {
    /// The identifier of the signing key (kid); Apple's have ten characters.
    public var keyID: String
    /// The identifier of the team (iss); Apple's have ten characters.
    public var teamID: String
    /// When the token was made (iat), in seconds since 1970.
    public var issuedAt: Int64

    /// The age above which APNs refuses a token, in seconds: one hour.
    public static let ageSecondsMax: Int64 = 60 * 60
    /// The shortest time between two tokens on a connection, in seconds: 20 minutes.
    public static let renewalSecondsMin: Int64 = 20 * 60

    /// Makes claims from their parts.
    public init(keyID: String, teamID: String, issuedAt: Int64) {
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
    }

    /// The first two parts of a JWT with these claims: the bytes to sign with ES256.
    public var signingInput: [UInt8] {
        var header = Array(#"{"alg":"ES256","kid":"#.utf8)
        JSONText.append(keyID, to: &header)
        header.append(contentsOf: Array("}".utf8))
        var claims = Array(#"{"iss":"#.utf8)
        JSONText.append(teamID, to: &claims)
        claims.append(contentsOf: Array(#","iat":"#.utf8))
        JSONText.append(issuedAt, to: &claims)
        claims.append(contentsOf: Array("}".utf8))

        var output: [UInt8] = []
        Base64URL.append(header, to: &output)
        output.append(0x2e)
        Base64URL.append(claims, to: &output)
        return output
    }

    /// The whole JWT: the signing input of these claims and its signature.
    public func token(signature: [UInt8]) -> [UInt8] {
        var output = signingInput
        output.append(0x2e)
        Base64URL.append(signature, to: &output)
        return output
    }
}
