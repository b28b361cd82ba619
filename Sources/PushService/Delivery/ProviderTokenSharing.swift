internal import APNsClient
internal import Crypto
internal import PushStore

/// Has all nodes use one provider token for a key, also after a restart.
///
/// A node whose token is due offers a new one to the store and takes what the store decides on. Without a store that
/// answers it goes on alone: it signs what it needs.
struct ProviderTokenSharing: Sendable {
    /// A kept token that is older than this is replaced: just under the age at which a node renews its own, so that
    /// the first that has to renews for all, and tokens change at most that often.
    static let sharedSecondsMax: Int64 = 35 * 60

    let store: any ProviderTokenStore

    /// Agrees on a token for a key, if it is time to.
    func share(_ source: ProviderTokenSource, of secret: PushCredential.Secret) async {
        guard source.isDue, case .key(let p8, let keyID, let teamID) = secret else { return }
        do {
            let own = try source.candidate()
            // The key itself and not its id alone: a wrong key may be replaced by the right one of the same id.
            let key = SHA256.digest(of: Array("\(teamID)/\(keyID)/\(p8)".utf8))
            let kept = try await store.shareProviderToken(
                SharedProviderToken(issuedAt: own.issuedAt, text: own.text), key: key,
                issuedAfter: own.issuedAt - Self.sharedSecondsMax)
            source.adopt(ProviderTokenSource.Shared(issuedAt: kept.issuedAt, text: kept.text))
        } catch {
            // Its own token will do; a store that is away stops the push by itself.
        }
    }
}
