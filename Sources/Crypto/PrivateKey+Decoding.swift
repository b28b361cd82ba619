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
        guard let envelope = decodedDER(der, free: X509_SIG_free, { d2i_X509_SIG(nil, $0, $1) }) else {
            throw CryptoError(
                .invalidKey,
                "the ENCRYPTED PRIVATE KEY block is damaged: \(OpenSSLErrorQueue.drainText())")
        }
        defer { X509_SIG_free(envelope) }
        try self.init(password: password) { password in
            let info = PKCS8_decrypt(envelope, password, Int32(clamping: password.utf8.count))
            guard let info else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            return EVP_PKCS82PKEY(info)
        }
    }

    private init(oldEncryptedBlock block: PEMBlock, password: String?) throws(CryptoError) {
        try self.init(password: password) { password in
            let bio = block.source.withUnsafeBytes { bytes in
                let bio = BIO_new(BIO_s_mem())
                BIO_write(bio, bytes.baseAddress, Int32(clamping: bytes.count))
                return bio
            }
            defer { BIO_free(bio) }
            // With a null callback OpenSSL takes the last argument as the password.
            return password.withCString { text in
                PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: text))
            }
        }
    }

    /// Decrypts with a password, with the legacy provider's help if need be.
    private init(
        password: String?, decrypt: (String) -> OpaquePointer?
    ) throws(CryptoError) {
        guard let password else {
            throw CryptoError(.passwordNeeded, "the private key is encrypted: give its password")
        }
        OpenSSLErrorQueue.clear()
        var pointer = decrypt(password)
        if pointer == nil, OpenSSLErrorQueue.drain().contains(where: \.isUnsupportedAlgorithm) {
            guard let second = try LegacyProvider.run({ decrypt(password) }) else {
                throw CryptoError(
                    .unsupportedEncryption,
                    "the private key has an old encryption, for which OpenSSL's legacy provider is missing "
                        + "here. Convert it where there is one: openssl pkcs8 -topk8 -v2 aes256 -in OLD -out NEW "
                        + "-provider legacy -provider default")
            }
            pointer = second
        }
        guard let pointer else {
            // A wrong password shows as bad padding or, now and then, as garbage.
            OpenSSLErrorQueue.clear()
            throw CryptoError(
                .wrongPassword, "the password of the private key is wrong, or its block is damaged")
        }
        self.init(handle: KeyHandle(takingOwnership: pointer))
    }
}
