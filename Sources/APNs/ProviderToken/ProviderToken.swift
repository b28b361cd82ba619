import FoundationEssentials

/// A provider token (JWT) taken apart; its signature is not checked here.
///
/// From Apple: Establishing a token-based connection to APNs. As the real service does, the parser takes
/// the time of issue as a number or as a string of digits, and ignores fields it does not know.
public struct ProviderToken: Hashable, Sendable {
    /// The longest token that is read, in bytes; real ones have about 200.
    public static let byteCountMax = 4096

    /// What the token says.
    public let claims: ProviderTokenClaims
    /// How many bytes at the start of the token are signed: header, dot, claims.
    public let signingInputByteCount: Int
    /// The signature's bytes: 64 raw ones, or an ASN.1 DER sequence, which APNs accepts too.
    public let signature: [UInt8]

    /// Takes a token apart.
    /// - Throws: `invalidProviderToken` when it has not three parts of base64url, the first two are not JSON
    ///   objects, the algorithm is not ES256, or kid, iss or iat is absent or has a wrong type.
    public init(parsing token: UnsafeRawBufferPointer) throws(APNsError) {
        guard token.count <= ProviderToken.byteCountMax else {
            throw ProviderToken.error("has at most \(ProviderToken.byteCountMax) bytes, not \(token.count)")
        }
        let parts = token.split(separator: 0x2e, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw ProviderToken.error("has three parts between dots, not \(parts.count)")
        }
        let header = try ProviderToken.decode(Header.self, parts[0], name: "header")
        let body = try ProviderToken.decode(Body.self, parts[1], name: "claims")
        guard header.alg == "ES256" else {
            throw ProviderToken.error("is signed with ES256; its header's alg is something else")
        }
        guard let keyID = header.kid, !keyID.isEmpty else {
            throw ProviderToken.error("names its key in the header's kid, a string")
        }
        guard let teamID = body.iss, !teamID.isEmpty else {
            throw ProviderToken.error("names its team in the claim iss, a string")
        }
        guard let issuedAt = body.iat else {
            throw ProviderToken.error("tells when it was made in the claim iat, whole seconds since 1970")
        }
        guard let signature = Base64URL.decode(parts[2]), !signature.isEmpty else {
            throw ProviderToken.error("ends with a signature in base64url without padding")
        }
        claims = ProviderTokenClaims(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
        signingInputByteCount = parts[0].count + 1 + parts[1].count
        self.signature = signature
    }

    /// Takes a token apart; see the other initialiser.
    public init(parsing token: String) throws(APNsError) {
        try self.init(parsing: Array(token.utf8))
    }

    /// Takes a token apart; see the other initialiser.
    public init(parsing token: [UInt8]) throws(APNsError) {
        let result = token.withUnsafeBytes { bytes -> Result<ProviderToken, APNsError> in
            do throws(APNsError) {
                return .success(try ProviderToken(parsing: bytes))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private static func decode<Part: Decodable>(
        _ type: Part.Type, _ text: Slice<UnsafeRawBufferPointer>, name: String
    ) throws(APNsError) -> Part {
        guard let json = Base64URL.decode(text) else {
            throw error("has its \(name) in base64url without padding")
        }
        guard let part = try? JSONDecoder().decode(type, from: Data(json)) else {
            throw error("has a JSON object as its \(name)")
        }
        return part
    }

    private static func error(_ message: String) -> APNsError {
        APNsError(code: .invalidProviderToken, message: "a provider token \(message)")
    }

    private struct Header: Decodable {
        let alg: String?
        let kid: String?

        private enum CodingKeys: CodingKey {
            case alg
            case kid
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            alg = try? container.decode(String.self, forKey: .alg)
            kid = try? container.decode(String.self, forKey: .kid)
        }
    }

    private struct Body: Decodable {
        let iss: String?
        let iat: Int64?

        private enum CodingKeys: CodingKey {
            case iss
            case iat
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            iss = try? container.decode(String.self, forKey: .iss)
            if let number = try? container.decode(Int64.self, forKey: .iat) {
                iat = number
            } else {
                iat = (try? container.decode(String.self, forKey: .iat)).flatMap { Int64($0) }
            }
        }
    }
}
