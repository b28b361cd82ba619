import COpenSSL

/// A P-256 private key that signs provider tokens with ES256: the content of an `AuthKey_….p8` file.
public struct SigningKey: Sendable {
    /// How a signature is written.
    public enum SignatureEncoding: Sendable {
        /// r and s, 32 bytes each: the form of JWT (RFC 7518 §3.4).
        case raw
        /// An ASN.1 sequence, as the `openssl` command writes it; 8 to 72 bytes.
        case der
    }

    private let privateKey: PrivateKey

    /// Makes a new key from the system's random source.
    ///
    /// - Throws: ``CryptoError/Code/internalFailure``.
    public static func generate() throws(CryptoError) -> SigningKey {
        SigningKey(p256: try PrivateKey.generateP256())
    }

    init(p256 privateKey: PrivateKey) {
        self.privateKey = privateKey
    }

    /// The key as the text of a .p8 file.
    ///
    /// It is a secret: write it to files of mode 0600 only.
    public var p8: String { privateKey.pem }

    /// The public half.
    public var publicKey: VerifyingKey { VerifyingKey(p256: privateKey.handle) }

    /// Signs bytes with ECDSA over their SHA-256 digest.
    ///
    /// Two signatures of the same bytes differ. Takes some 20 microseconds.
    /// - Throws: ``CryptoError/Code/internalFailure``.
    public func sign(
        _ bytes: [UInt8], encoding: SignatureEncoding = .raw
    ) throws(CryptoError) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var count = ECDSASignature.derByteCountMax
        var der = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, privateKey.handle.pointer) == 1,
            EVP_DigestSign(context, &der, &count, bytes, bytes.count) == 1
        else { throw OpenSSLErrorQueue.failure(in: "EVP_DigestSign") }
        der.removeSubrange(count...)
        guard encoding == .raw else { return der }
        guard let raw = ECDSASignature.raw(fromDER: der) else {
            throw CryptoError(.internalFailure, "OpenSSL made a signature of an unknown form")
        }
        return raw
    }
}
