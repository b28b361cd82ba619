import COpenSSL

/// OpenSSL's provider of outdated algorithms such as RC2 and single DES, which old key files need.
enum LegacyProvider {
    /// Runs `body` while the provider is loaded; nil if this machine does not have it.
    static func run<Result>(
        _ body: () throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result? {
        // 1: keep the default provider, which goes away once another one is loaded by hand.
        guard let provider = OSSL_PROVIDER_try_load(nil, "legacy", 1) else {
            OpenSSLErrorQueue.clear()
            return nil
        }
        defer { OSSL_PROVIDER_unload(provider) }
        OpenSSLErrorQueue.clear()
        return try body()
    }
}

extension OpenSSLErrorQueue.Entry {
    /// Whether OpenSSL lacks the algorithm, most often because it lives in the legacy provider.
    var isUnsupportedAlgorithm: Bool {
        // Reason numbers of the kind ERR_R_ are shared by all libraries.
        reason == ERR_R_UNSUPPORTED
            || (library == ERR_LIB_EVP
                && (reason == EVP_R_UNSUPPORTED_ALGORITHM || reason == EVP_R_UNKNOWN_PBE_ALGORITHM
                    || reason == EVP_R_UNSUPPORTED_CIPHER))
    }
}
