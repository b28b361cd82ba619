/// A provider token whose signature was found good, kept so that it need not be checked again.
package final class VerifiedProviderToken: Sendable {
    /// The key that signed it.
    package let key: ProviderKey
    /// When it was made, in seconds since 1970.
    package let issuedAtSeconds: Int64
    /// The last second of its validity, in seconds since 1970.
    package let expiresAtSeconds: Int64
    /// A hash of its bytes, to tell tokens apart.
    package let fingerprint: UInt64

    init(key: ProviderKey, issuedAtSeconds: Int64, expiresAtSeconds: Int64, fingerprint: UInt64) {
        self.key = key
        self.issuedAtSeconds = issuedAtSeconds
        self.expiresAtSeconds = expiresAtSeconds
        self.fingerprint = fingerprint
    }
}
