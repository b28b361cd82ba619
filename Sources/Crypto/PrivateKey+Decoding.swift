import COpenSSL

extension PrivateKey {
    init(block: PEMBlock, password: String?) throws(CryptoError) {
        OpenSSLErrorQueue.clear()
        if block.hasEncryptionHeader {
            try self.init(oldEncryptedBlock: block, password: password)
            return
        }
        let pointer: OpaquePointer?
        switch block.label {
        case "PRIVATE KEY":
            pointer = PrivateKey.key(pkcs8: block.der)
        case "ENCRYPTED PRIVATE KEY":
            try self.init(encryptedPKCS8: block.der, password: password)
            return
        default:
            // EC PRIVATE KEY, RSA PRIVATE KEY and whatever else OpenSSL knows.
            pointer = decodedDER(block.der, free: EVP_PKEY_free) { d2i_AutoPrivateKey(nil, $0, $1) }
        }
        guard let pointer else {
            throw CryptoError(
                .invalidKey, "the \(block.label) block is damaged: \(OpenSSLErrorQueue.drainText())")
        }
        self.init(handle: KeyHandle(takingOwnership: pointer))
    }

    static func key(pkcs8 der: [UInt8]) -> OpaquePointer? {
        let info = decodedDER(der, free: PKCS8_PRIV_KEY_INFO_free) { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }
        guard let info else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return EVP_PKCS82PKEY(info)
    }

    private init(encryptedPKCS8 der: [UInt8], password: String?) throws(CryptoError) {
        guard let password else { throw PrivateKey.passwordNeeded }
        guard let envelope = decodedDER(der, free: X509_SIG_free, { d2i_X509_SIG(nil, $0, $1) }) else {
            throw CryptoError(
                .invalidKey,
                "the ENCRYPTED PRIVATE KEY block is damaged: \(OpenSSLErrorQueue.drainText())")
        }
        defer { X509_SIG_free(envelope) }
        guard let info = PKCS8_decrypt(envelope, password, Int32(clamping: password.utf8.count)) else {
            throw PrivateKey.decryptionFailure()
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let pointer = EVP_PKCS82PKEY(info) else { throw PrivateKey.decryptionFailure() }
        self.init(handle: KeyHandle(takingOwnership: pointer))
    }

    private init(oldEncryptedBlock block: PEMBlock, password: String?) throws(CryptoError) {
        guard let password else { throw PrivateKey.passwordNeeded }
        let bio = block.source.withUnsafeBytes { bytes in
            let bio = BIO_new(BIO_s_mem())
            BIO_write(bio, bytes.baseAddress, Int32(clamping: bytes.count))
            return bio
        }
        defer { BIO_free(bio) }
        // With a null callback OpenSSL takes the last argument as the password.
        let pointer = password.withCString { text in
            PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: text))
        }
        guard let pointer else { throw PrivateKey.decryptionFailure() }
        self.init(handle: KeyHandle(takingOwnership: pointer))
    }

    private static var passwordNeeded: CryptoError {
        CryptoError(.passwordNeeded, "the private key is encrypted: give its password")
    }

    /// A wrong password shows as bad padding or, now and then, as garbage; a missing algorithm as itself.
    private static func decryptionFailure() -> CryptoError {
        let entries = OpenSSLErrorQueue.drain()
        if let entry = entries.first(where: { $0.isUnsupportedAlgorithm }) {
            return CryptoError(
                .unsupportedEncryption,
                "the private key is encrypted with an algorithm that OpenSSL 3 does not load (\(entry.text)); "
                    + "convert it with: openssl pkcs8 -topk8 -in OLD -out NEW -v2 aes256 -provider legacy "
                    + "-provider default")
        }
        return CryptoError(.wrongPassword, "the password of the private key is wrong")
    }
}

extension OpenSSLErrorQueue.Entry {
    /// Whether OpenSSL lacks the algorithm, most often because it lives in the legacy provider.
    var isUnsupportedAlgorithm: Bool {
        // The reason numbers above 255 are shared by all libraries.
        reason == ERR_R_UNSUPPORTED
            || (library == ERR_LIB_EVP
                && (reason == EVP_R_UNSUPPORTED_ALGORITHM || reason == EVP_R_UNKNOWN_PBE_ALGORITHM
                    || reason == EVP_R_UNSUPPORTED_CIPHER))
    }
}
