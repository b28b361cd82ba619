import COpenSSL

extension SigningKey {
    /// Reads the text of an `AuthKey_….p8` file as Apple's developer site gives it out.
    ///
    /// That is PEM with one unencrypted PKCS#8 block (`PRIVATE KEY`) on the curve P-256. LF, CRLF, a missing
    /// final newline, a UTF-8 byte order mark and text around the block are all right.
    /// - Throws: ``CryptoError/Code/invalidPEM``, ``CryptoError/Code/invalidKey``,
    ///   ``CryptoError/Code/wrongKeyType`` or ``CryptoError/Code/passwordNeeded``; the message says which of the
    ///   usual mistakes this file is, and how to mend it.
    public init(p8 text: some StringProtocol) throws(CryptoError) {
        try self.init(p8: Array(text.utf8))
    }

    /// Reads the bytes of an `AuthKey_….p8` file; see ``init(p8:)-(StringProtocol)``.
    ///
    /// - Throws: As the initializer for text.
    public init(p8 bytes: [UInt8]) throws(CryptoError) {
        try self.init(p256: P8File(bytes).privateKey())
    }
}

/// The bytes that claim to be a .p8 file.
private struct P8File {
    private let bytes: [UInt8]

    /// A .p8 file has some 260 bytes; a certificate bundle mistaken for one is larger.
    private static let byteCountMax = 64 * 1024

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func privateKey() throws(CryptoError) -> PrivateKey {
        try refuseOtherThanText()
        let blocks = try pemBlocks()
        let keys = blocks.filter { $0.label == "PRIVATE KEY" }
        guard let block = keys.first else { throw otherContent(blocks) }
        guard keys.count == 1 else {
            throw CryptoError(
                .invalidPEM, "the .p8 file holds \(keys.count) private keys; keep one file for each key")
        }
        OpenSSLErrorQueue.clear()
        guard let pointer = PrivateKey.key(pkcs8: block.der) else {
            throw CryptoError(
                .invalidKey,
                "the .p8 file is damaged or cut off: its PRIVATE KEY block does not hold a whole key "
                    + "(\(OpenSSLErrorQueue.drainText())); download or copy it again")
        }
        let handle = KeyHandle(takingOwnership: pointer)
        guard handle.isP256 else {
            throw CryptoError(
                .wrongKeyType,
                "the .p8 file holds \(handle.kind); an APNs key is an elliptic curve key on P-256")
        }
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        guard handle.isConsistent else {
            throw CryptoError(
                .invalidKey, "the .p8 file is damaged: its private and public halves do not fit together")
        }
        return PrivateKey(handle: handle)
    }

    private func refuseOtherThanText() throws(CryptoError) {
        guard bytes.count <= P8File.byteCountMax else {
            throw CryptoError(
                .invalidPEM,
                "the file has \(bytes.count) bytes; a .p8 file has some 260, and \(P8File.byteCountMax) is "
                    + "the limit")
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw CryptoError(.invalidPEM, "the .p8 file is UTF-16 text: save it as UTF-8 or ASCII")
        }
        guard bytes.contains(where: { !(0x09...0x0d).contains($0) && $0 != 0x20 }) else {
            throw CryptoError(.invalidPEM, "the .p8 file is empty")
        }
        var reader = DERReader(bytes)
        if let element = reader.next(DERWriter.Tag.sequence), reader.isAtEnd {
            throw binaryContent(element)
        }
    }

    private func pemBlocks() throws(CryptoError) -> [PEMBlock] {
        do {
            return try PEMBlock.blocks(in: bytes)
        } catch {
            if bytes.firstRange(of: Array("\\n".utf8)) != nil {
                throw CryptoError(
                    .invalidPEM,
                    "the .p8 text has \"\\n\" written out instead of line breaks: replace them by line breaks"
                )
            }
            throw CryptoError(.invalidPEM, "the .p8 file is damaged: \(error.message)")
        }
    }

    /// The error for PEM text without a `PRIVATE KEY` block.
    private func otherContent(_ blocks: [PEMBlock]) -> CryptoError {
        guard let label = (blocks.first { $0.label.hasSuffix("PRIVATE KEY") } ?? blocks.first)?.label else {
            return notPEM
        }
        switch label {
        case "ENCRYPTED PRIVATE KEY":
            return CryptoError(
                .passwordNeeded,
                "the .p8 file is encrypted; Apple's are not. Decrypt it with: openssl pkcs8 -in FILE -out "
                    + "AuthKey.p8")
        case "EC PRIVATE KEY", "EC PARAMETERS":
            return CryptoError(
                .invalidKey,
                "the file holds an \"\(label)\" block (SEC 1), not a \"PRIVATE KEY\" block (PKCS#8). Convert "
                    + "it with: openssl pkcs8 -topk8 -nocrypt -in FILE -out AuthKey.p8")
        case "RSA PRIVATE KEY":
            return CryptoError(
                .wrongKeyType,
                "the file holds an RSA key; an APNs key is an elliptic curve key on P-256. RSA keys belong "
                    + "to certificates")
        case "PUBLIC KEY":
            return CryptoError(
                .wrongKeyType, "the file holds a public key; signing needs the private key (PRIVATE KEY)")
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            return CryptoError(
                .wrongKeyType,
                "the file holds a certificate, not a key. Use it as a certificate with its own key, or give "
                    + "the AuthKey_….p8 file")
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            return CryptoError(.wrongKeyType, "the file holds a certificate request, not a key")
        default:
            return CryptoError(
                .wrongKeyType, "the file holds a \"\(label)\" block; a .p8 file holds a \"PRIVATE KEY\" block"
            )
        }
    }

    /// The error for text without any PEM block.
    private var notPEM: CryptoError {
        let digits = bytes.filter { !(0x09...0x0d).contains($0) && $0 != 0x20 }
        if digits.count > 80, Base64.decode(digits, .standard) != nil {
            return CryptoError(
                .invalidPEM,
                "the .p8 file lacks its first and last line, \"-----BEGIN PRIVATE KEY-----\" and "
                    + "\"-----END PRIVATE KEY-----\"")
        }
        if digits.first == UInt8(ascii: "<") {
            return CryptoError(.invalidPEM, "the file is a web page or XML, not a .p8 key: download it again")
        }
        return CryptoError(
            .invalidPEM, "the file is not PEM text: a \"-----BEGIN PRIVATE KEY-----\" line is missing")
    }

    /// The error for a file that is one ASN.1 structure instead of text.
    private func binaryContent(_ element: DERReader.Element) -> CryptoError {
        var reader = element.reader
        // PKCS#12 starts with version 3, PKCS#8 with version 0 or 1, a certificate with a sequence.
        if let version = reader.next(DERWriter.Tag.integer) {
            if version.content.elementsEqual([3]) {
                return CryptoError(
                    .wrongKeyType,
                    "the file is a PKCS#12 file (.p12): use it as a certificate, or give the AuthKey_….p8 file"
                )
            }
            return CryptoError(
                .invalidPEM,
                "the key is in binary form (DER). Convert it with: openssl pkcs8 -topk8 -nocrypt -inform DER "
                    + "-in FILE -out AuthKey.p8")
        }
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        if (try? Certificate(der: bytes)) != nil {
            return CryptoError(
                .wrongKeyType, "the file holds a certificate in binary form (DER), not a key")
        }
        return CryptoError(.invalidPEM, "the file is in a binary form (DER) that is not a private key")
    }
}
