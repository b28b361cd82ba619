import COpenSSL

/// Authenticated encryption: AES-256 in Galois/Counter Mode (NIST SP 800-38D).
///
/// A sealed value is the 12-byte nonce, the encrypted bytes and the 16-byte tag, in that order. What the value
/// belongs to is given as additional data: it is not stored, and a value moved elsewhere does not open.
package enum AESGCM {
    /// Bytes of a key.
    package static let keyByteCount = 32
    /// Bytes of a nonce; one key seals at most 2³² values with random nonces (SP 800-38D, §8.3).
    package static let nonceByteCount = 12
    /// Bytes of the authentication tag.
    package static let tagByteCount = 16
    /// The largest value that is sealed.
    package static let plainByteCountMax = 1 << 30

    /// Encrypts bytes under a fresh random nonce.
    ///
    /// - Throws: `invalidArgument` for a key or value of the wrong size.
    package static func seal(
        _ plain: [UInt8], key: [UInt8], additionalData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try seal(
            plain, key: key, nonce: RandomBytes.make(count: nonceByteCount), additionalData: additionalData)
    }

    /// Encrypts bytes under a nonce that must never have been used with this key; for test vectors.
    static func seal(
        _ plain: [UInt8], key: [UInt8], nonce: [UInt8], additionalData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard plain.count <= plainByteCountMax else {
            throw CryptoError(
                .invalidArgument, "found \(plain.count) bytes to seal, allowed: \(plainByteCountMax)")
        }
        let context = try Context(key: key, nonce: nonce, isSealing: true)
        try context.authenticate(additionalData)
        let encrypted = try context.update(plain)
        guard let tag = context.sealingTag() else {
            throw OpenSSLErrorQueue.failure(in: "EVP_EncryptFinal_ex")
        }
        return nonce + encrypted + tag
    }

    /// Decrypts a sealed value; nil when key or additional data are others, or when a bit of it was changed.
    ///
    /// - Throws: `invalidArgument` for a key of the wrong size.
    package static func open(
        _ sealed: [UInt8], key: [UInt8], additionalData: [UInt8]
    ) throws(CryptoError) -> [UInt8]? {
        guard sealed.count >= nonceByteCount + tagByteCount,
            sealed.count <= nonceByteCount + plainByteCountMax + tagByteCount
        else { return nil }
        let nonce = Array(sealed[..<nonceByteCount])
        let context = try Context(key: key, nonce: nonce, isSealing: false)
        try context.authenticate(additionalData)
        let plain = try context.update(Array(sealed[nonceByteCount..<sealed.count - tagByteCount]))
        let isGenuine = context.verify(tag: Array(sealed.suffix(tagByteCount)))
        OpenSSLErrorQueue.clear()
        return isGenuine ? plain : nil
    }

    /// One EVP_CIPHER_CTX, freed with the object.
    private final class Context {
        private let pointer: OpaquePointer

        init(key: [UInt8], nonce: [UInt8], isSealing: Bool) throws(CryptoError) {
            guard key.count == keyByteCount else {
                throw CryptoError(
                    .invalidArgument, "found a key of \(key.count) bytes, allowed: \(keyByteCount)")
            }
            guard nonce.count == nonceByteCount else {
                throw CryptoError(
                    .invalidArgument, "found a nonce of \(nonce.count) bytes, allowed: \(nonceByteCount)")
            }
            OpenSSLErrorQueue.clear()
            guard let pointer = EVP_CIPHER_CTX_new() else {
                throw OpenSSLErrorQueue.failure(in: "EVP_CIPHER_CTX_new")
            }
            self.pointer = pointer
            // Twelve bytes are GCM's own nonce length: none has to be set.
            guard EVP_CipherInit_ex(pointer, EVP_aes_256_gcm(), nil, key, nonce, isSealing ? 1 : 0) == 1
            else {
                throw OpenSSLErrorQueue.failure(in: "EVP_CipherInit_ex")
            }
        }

        deinit {
            EVP_CIPHER_CTX_free(pointer)
        }

        func authenticate(_ additionalData: [UInt8]) throws(CryptoError) {
            guard !additionalData.isEmpty else { return }
            var count: Int32 = 0
            guard EVP_CipherUpdate(pointer, nil, &count, additionalData, Int32(additionalData.count)) == 1
            else {
                throw OpenSSLErrorQueue.failure(in: "EVP_CipherUpdate")
            }
        }

        func update(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard !input.isEmpty else { return [] }
            var count: Int32 = 0
            var result: Int32 = 0
            let output = [UInt8](unsafeUninitializedCapacity: input.count) { buffer, initializedCount in
                result = EVP_CipherUpdate(pointer, buffer.baseAddress, &count, input, Int32(input.count))
                initializedCount = result == 1 ? Int(count) : 0
            }
            guard result == 1, output.count == input.count else {
                throw OpenSSLErrorQueue.failure(in: "EVP_CipherUpdate")
            }
            return output
        }

        func sealingTag() -> [UInt8]? {
            guard finish() else { return nil }
            var tag = [UInt8](repeating: 0, count: tagByteCount)
            let result = EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), &tag)
            return result == 1 ? tag : nil
        }

        func verify(tag: [UInt8]) -> Bool {
            var tag = tag
            let result = EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag)
            return result == 1 && finish()
        }

        private func finish() -> Bool {
            // GCM gives nothing more at the end, yet OpenSSL wants room for a block.
            var rest = [UInt8](repeating: 0, count: 16)
            var count: Int32 = 0
            return EVP_CipherFinal_ex(pointer, &rest, &count) == 1
        }
    }
}
