import COpenSSL

/// A private key for a TLS identity or a certificate authority: elliptic curve or RSA.
public struct PrivateKey: Sendable {
    let handle: KeyHandle

    /// Reads the one private key of a PEM text.
    ///
    /// Accepts PKCS#8 (`PRIVATE KEY`, `ENCRYPTED PRIVATE KEY`), `EC PRIVATE KEY` and `RSA PRIVATE KEY`,
    /// also with OpenSSL's old encryption.
    /// - Parameter password: Of an encrypted key; ignored for others.
    /// - Throws: ``CryptoError/Code/invalidPEM``, ``CryptoError/Code/invalidKey``,
    ///   ``CryptoError/Code/passwordNeeded`` or ``CryptoError/Code/wrongPassword``.
    public init(pem: some StringProtocol, password: String? = nil) throws(CryptoError) {
        try self.init(pemBlocks: PEMBlock.blocks(in: Array(pem.utf8)), password: password)
    }

    init(pemBlocks: [PEMBlock], password: String?) throws(CryptoError) {
        let keys = pemBlocks.filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard let block = keys.first else {
            let found = pemBlocks.isEmpty ? "no PEM block" : pemBlocks.map(\.label).joined(separator: ", ")
            throw CryptoError(
                .invalidPEM,
                "no private key found: a \"-----BEGIN PRIVATE KEY-----\" line is missing (found: \(found))")
        }
        guard keys.count == 1 else {
            throw CryptoError(.invalidPEM, "\(keys.count) private keys found where one is needed")
        }
        try self.init(block: block, password: password)
    }

    init(handle: KeyHandle) {
        self.handle = handle
    }

    /// Makes a new P-256 key from the system's random source.
    ///
    /// - Throws: ``CryptoError/Code/internalFailure``.
    public static func generateP256() throws(CryptoError) -> PrivateKey {
        OpenSSLErrorQueue.clear()
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard let context, EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw OpenSSLErrorQueue.failure(in: "EVP_PKEY_generate") }
        return PrivateKey(handle: KeyHandle(takingOwnership: key))
    }

    /// The key as unencrypted PKCS#8 PEM text.
    ///
    /// It is a secret: write it to files of mode 0600 only.
    public var pem: String { PEMBlock.text(label: "PRIVATE KEY", der: pkcs8DER) }

    /// Whether this is the private half of the certificate's key.
    public func matches(_ certificate: Certificate) -> Bool {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        return X509_check_private_key(certificate.handle.pointer, handle.pointer) == 1
    }

    var pkcs8DER: [UInt8] {
        guard let info = EVP_PKEY2PKCS8(handle.pointer) else { return [] }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return encodedDER { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
    }
}
