import COpenSSL

/// A P-256 public key that checks the ES256 signatures of provider tokens.
public struct VerifyingKey: Sendable, Hashable {
    /// The key as a SubjectPublicKeyInfo structure.
    public let der: [UInt8]

    private let handle: KeyHandle

    /// Reads a PEM text with a `PUBLIC KEY` block.
    ///
    /// - Throws: ``CryptoError/Code/invalidPEM``, ``CryptoError/Code/invalidKey`` or
    ///   ``CryptoError/Code/wrongKeyType``.
    public init(pem: some StringProtocol) throws(CryptoError) {
        let blocks = try PEMBlock.blocks(in: Array(pem.utf8))
        guard let block = blocks.first(where: { $0.label == "PUBLIC KEY" }) else {
            throw CryptoError(
                .invalidPEM, "no public key found: a \"-----BEGIN PUBLIC KEY-----\" line is missing")
        }
        OpenSSLErrorQueue.clear()
        guard let pointer = decodedDER(block.der, free: EVP_PKEY_free, { d2i_PUBKEY(nil, $0, $1) }) else {
            throw CryptoError(
                .invalidKey, "the PUBLIC KEY block is damaged: \(OpenSSLErrorQueue.drainText())")
        }
        let handle = KeyHandle(takingOwnership: pointer)
        guard handle.isP256 else {
            throw CryptoError(
                .wrongKeyType, "this public key is \(handle.kind); ES256 needs one on the curve P-256")
        }
        self.init(p256: handle)
    }

    init(p256 handle: KeyHandle) {
        self.handle = handle
        der = encodedDER { i2d_PUBKEY(handle.pointer, $0) }
    }

    /// The key as PEM text.
    public var pem: String { PEMBlock.text(label: "PUBLIC KEY", der: der) }

    /// Whether the signature over these bytes was made with the private half of this key.
    ///
    /// Takes raw signatures of 64 bytes and ASN.1 DER ones, as APNs does. Some 70 microseconds.
    public func isValid(signature: UnsafeRawBufferPointer, for bytes: UnsafeRawBufferPointer) -> Bool {
        if signature.count == ECDSASignature.rawByteCount,
            isValid(der: ECDSASignature.der(fromRaw: signature), for: bytes)
        {
            return true
        }
        // Once in some 2^40 signatures the DER form is 64 bytes long too.
        return signature.count <= ECDSASignature.derByteCountMax && isValid(der: Array(signature), for: bytes)
    }

    /// Whether the signature over these bytes was made with the private half of this key.
    public func isValid(signature: [UInt8], for bytes: [UInt8]) -> Bool {
        signature.withUnsafeBytes { signature in
            bytes.withUnsafeBytes { isValid(signature: signature, for: $0) }
        }
    }

    /// Compares the keys' encodings.
    public static func == (left: VerifyingKey, right: VerifyingKey) -> Bool {
        left.der == right.der
    }

    /// Hashes the key's encoding.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }

    private func isValid(der signature: [UInt8], for bytes: UnsafeRawBufferPointer) -> Bool {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1 else { return false }
        let message = bytes.bindMemory(to: UInt8.self)
        return EVP_DigestVerify(context, signature, signature.count, message.baseAddress, message.count) == 1
    }
}
