import APNs
import APNsGateway

/// A provider whose tokens are good when their signature is 64 times the byte 7.
struct Provider {
    var keyID = "B3LFRY0001"
    var teamID = "B3LFRYTEAM"

    static let goodSignature = [UInt8](repeating: 7, count: 64)

    /// Noon of some day in 2025.
    static let nowSeconds: Int64 = 1_760_000_000

    func key(
        scope: ProviderKey.Scope = .team, environments: Set<APNs.Environment> = [.production, .sandbox]
    ) -> ProviderKey {
        ProviderKey(keyID: keyID, teamID: teamID, scope: scope, environments: environments) { signature, _ in
            signature == Provider.goodSignature
        }
    }

    func token(
        issuedAt: Int64 = Provider.nowSeconds, signature: [UInt8] = Provider.goodSignature
    ) -> String {
        let claims = ProviderTokenClaims(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
        return String(decoding: claims.token(signature: signature), as: UTF8.self)
    }

    func authorization(
        issuedAt: Int64 = Provider.nowSeconds, signature: [UInt8] = Provider.goodSignature
    ) -> String {
        "bearer " + token(issuedAt: issuedAt, signature: signature)
    }
}
