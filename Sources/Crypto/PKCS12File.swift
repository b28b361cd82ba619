import COpenSSL

extension Identity {
    /// Reads a PKCS#12 file (.p12, .pfx), as Keychain Access exports it.
    ///
    /// Files with the old RC2 encryption need OpenSSL's legacy provider, which is loaded for the moment if this
    /// machine has it.
    /// - Parameters:
    ///   - bytes: The file.
    ///   - password: Nil and the empty password are the same.
    /// - Throws: ``CryptoError/Code/invalidPKCS12``, ``CryptoError/Code/passwordNeeded``,
    ///   ``CryptoError/Code/wrongPassword``, ``CryptoError/Code/unsupportedEncryption`` or
    ///   ``CryptoError/Code/keyMismatch``.
    public init(pkcs12 bytes: [UInt8], password: String? = nil) throws(CryptoError) {
        let file = try PKCS12File(bytes)
        self = try file.identity(password: password ?? "")
    }
}

/// Owns one parsed PKCS#12 structure.
private struct PKCS12File: ~Copyable {
    /// A file with a chain has some 10 KB.
    private static let byteCountMax = 1024 * 1024

    private let pointer: OpaquePointer

    init(_ bytes: [UInt8]) throws(CryptoError) {
        if bytes.isEmpty { throw CryptoError(.invalidPKCS12, "the .p12 file is empty") }
        guard bytes.count <= PKCS12File.byteCountMax else {
            throw CryptoError(
                .invalidPKCS12,
                "the file has \(bytes.count) bytes; \(PKCS12File.byteCountMax) is the limit for a .p12 file")
        }
        OpenSSLErrorQueue.clear()
        // Some tools pad the file, so bytes after the structure are all right.
        let parsed = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PKCS12(nil, &cursor, buffer.count)
        }
        guard let parsed else {
            OpenSSLErrorQueue.clear()
            let isText = bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil
            throw CryptoError(
                .invalidPKCS12,
                isText
                    ? "the file is PEM text, not a .p12 file: use it as PEM certificate and key"
                    : "the file is not a PKCS#12 file (.p12), or it is cut off")
        }
        pointer = parsed
    }

    deinit {
        PKCS12_free(pointer)
    }

    consuming func identity(password: String) throws(CryptoError) -> Identity {
        OpenSSLErrorQueue.clear()
        if PKCS12_mac_present(pointer) == 1 {
            try checkPassword(password)
        } else {
            // OpenSSL's parser wants a MAC if there is a password; the file is safe without, so give it one.
            PKCS12_set_mac(pointer, password, -1, nil, 0, 1, EVP_sha256())
        }
        if let identity = try parse(password: password) { return identity }
        if OpenSSLErrorQueue.drain().contains(where: \.isUnsupportedAlgorithm) {
            let second = try LegacyProvider.run { () throws(CryptoError) in try parse(password: password) }
            guard let second else { throw PKCS12File.needsLegacyProvider }
            if let identity = second { return identity }
            if OpenSSLErrorQueue.drain().contains(where: \.isUnsupportedAlgorithm) {
                throw PKCS12File.needsLegacyProvider
            }
        }
        // Without a MAC the password shows to be wrong only here.
        throw CryptoError(
            .wrongPassword,
            "the .p12 file cannot be decrypted: its password is wrong or the file is damaged")
    }

    private func checkPassword(_ password: String) throws(CryptoError) {
        OpenSSLErrorQueue.clear()
        if PKCS12_verify_mac(pointer, password, Int32(clamping: password.utf8.count)) == 1 { return }
        // Writers disagree whether "no password" is the empty text or nothing at all.
        if password.isEmpty, PKCS12_verify_mac(pointer, nil, 0) == 1 { return }
        let entries = OpenSSLErrorQueue.drain()
        if let entry = entries.first(where: \.isUnsupportedAlgorithm) {
            throw CryptoError(
                .unsupportedEncryption,
                "the .p12 file is protected with an algorithm that OpenSSL lacks: \(entry.text)")
        }
        if password.isEmpty {
            throw CryptoError(.passwordNeeded, "the .p12 file has a password: give it")
        }
        throw CryptoError(.wrongPassword, "the password of the .p12 file is wrong")
    }

    /// Nil if decryption fails; then the error queue says why.
    private func parse(password: String) throws(CryptoError) -> Identity? {
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(pointer, password, &key, &leaf, &others) == 1 else { return nil }
        let privateKey = key.map { PrivateKey(handle: KeyHandle(takingOwnership: $0)) }
        var certificates: [Certificate] = []
        if let leaf { certificates.append(Certificate(handle: CertificateHandle(takingOwnership: leaf))) }
        for index in 0..<max(0, OPENSSL_sk_num(others)) {
            guard let other = OPENSSL_sk_value(others, index) else { continue }
            let handle = CertificateHandle(takingOwnership: OpaquePointer(other))
            certificates.append(Certificate(handle: handle))
        }
        OPENSSL_sk_free(others)
        guard let privateKey else {
            throw CryptoError(
                .invalidPKCS12,
                "the .p12 file holds no private key: in Keychain Access, export the certificate together with "
                    + "the key below it")
        }
        guard !certificates.isEmpty else {
            throw CryptoError(.invalidPKCS12, "the .p12 file holds a private key but no certificate")
        }
        return try Identity(certificates: certificates, privateKey: privateKey)
    }

    private static var needsLegacyProvider: CryptoError {
        CryptoError(
            .unsupportedEncryption,
            "the .p12 file has the old RC2 encryption, for which OpenSSL's legacy provider is missing here. "
                + "Convert it where there is one: openssl pkcs12 -legacy -in OLD.p12 -out BOTH.pem -nodes, "
                + "then use BOTH.pem as certificate and key")
    }
}
