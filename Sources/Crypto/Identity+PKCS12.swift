import COpenSSL

extension Identity {
    /// The identity as a PKCS#12 file (.p12) that Keychain Access and OpenSSL import.
    ///
    /// The key is encrypted with AES-256 under the password; an empty password protects nothing.
    /// - Parameters:
    ///   - password: What the file asks for when it is opened.
    ///   - friendlyName: The name shown by the program that imports it.
    /// - Throws: ``CryptoError/Code/internalFailure``.
    public func pkcs12(password: String, friendlyName: String) throws(CryptoError) -> [UInt8] {
        OpenSSLErrorQueue.clear()
        let chain = OPENSSL_sk_new_null()
        defer { OPENSSL_sk_free(chain) }
        for certificate in intermediates {
            OPENSSL_sk_push(chain, UnsafeRawPointer(certificate.handle.pointer))
        }
        // Zeros leave ciphers and iteration counts to OpenSSL 3: AES-256-CBC, PBKDF2, SHA-256.
        let file = PKCS12_create(
            password, friendlyName, privateKey.handle.pointer, certificate.handle.pointer, chain, 0, 0, 0, 0,
            0)
        guard let file else { throw OpenSSLErrorQueue.failure(in: "PKCS12_create") }
        defer { PKCS12_free(file) }
        let bytes = encodedDER { i2d_PKCS12(file, $0) }
        guard !bytes.isEmpty else { throw OpenSSLErrorQueue.failure(in: "i2d_PKCS12") }
        return bytes
    }
}
