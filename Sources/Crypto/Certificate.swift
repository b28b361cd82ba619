import COpenSSL

/// An X.509 certificate.
public struct Certificate: Sendable, Hashable, CustomStringConvertible {
    /// The certificate's DER encoding.
    public let der: [UInt8]

    let handle: CertificateHandle

    /// Reads the first certificate of a PEM text.
    ///
    /// - Throws: ``CryptoError/Code/invalidPEM`` or ``CryptoError/Code/invalidCertificate``.
    public init(pem: some StringProtocol) throws(CryptoError) {
        let bundle = try [Certificate](pemBundle: pem)
        self = bundle[0]
    }

    /// Reads a DER encoding.
    ///
    /// - Throws: ``CryptoError/Code/invalidCertificate``.
    public init(der: [UInt8]) throws(CryptoError) {
        OpenSSLErrorQueue.clear()
        guard let pointer = decodedDER(der, free: X509_free, { d2i_X509(nil, $0, $1) }) else {
            throw CryptoError(
                .invalidCertificate, "not an X.509 certificate: \(OpenSSLErrorQueue.drainText())")
        }
        self.init(handle: CertificateHandle(takingOwnership: pointer))
    }

    init(handle: CertificateHandle) {
        self.handle = handle
        der = encodedDER { i2d_X509(handle.pointer, $0) }
    }

    /// The certificate as PEM text.
    public var pem: String { PEMBlock.text(label: "CERTIFICATE", der: der) }

    /// The subject's common name (CN).
    public var subjectCommonName: String? {
        Certificate.text(of: NID_commonName, in: X509_get_subject_name(handle.pointer))
    }

    /// The subject's user id (UID); Apple puts the bundle id there.
    public var subjectUserID: String? {
        Certificate.text(of: NID_userId, in: X509_get_subject_name(handle.pointer))
    }

    /// The common name of whoever signed the certificate.
    public var issuerCommonName: String? {
        Certificate.text(of: NID_commonName, in: X509_get_issuer_name(handle.pointer))
    }

    /// The first instant of validity, in seconds since 1970.
    public var notBefore: Int64 { Certificate.seconds(X509_get0_notBefore(handle.pointer)) }

    /// The last instant of validity, in seconds since 1970.
    public var notAfter: Int64 { Certificate.seconds(X509_get0_notAfter(handle.pointer)) }

    /// Whether the certificate names itself as its issuer; the signature is not checked.
    public var isSelfSigned: Bool { X509_self_signed(handle.pointer, 0) == 1 }

    /// The SHA-256 digest of the DER encoding: 32 bytes.
    public var sha256Fingerprint: [UInt8] { SHA256.digest(of: der) }

    /// The host names and IP addresses of the subject alternative name, or else the common name.
    public var hostNames: [String] {
        guard let content = extensionContent("2.5.29.17"),
            var names = {
                var outer = DERReader(content); return outer.next(DERWriter.Tag.sequence)?.reader
            }()
        else { return subjectCommonName.map { [$0] } ?? [] }
        var result: [String] = []
        while let name = names.next() {
            switch name.tag {
            case DERWriter.Tag.context(2): result.append(String(decoding: name.content, as: UTF8.self))
            case DERWriter.Tag.context(7): result.append(IPAddress(bytes: name.content)?.description ?? "?")
            default: break
            }
        }
        return result
    }

    /// The subject's common name, or something else that tells certificates apart; safe to print.
    public var description: String {
        (subjectCommonName ?? subjectUserID ?? hostNames.first ?? "certificate without a name").printable
    }

    /// Compares the DER encodings.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.der == right.der
    }

    /// Hashes the DER encoding.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }

    /// Whether the certificate's signature and issuer name match this issuer.
    func isIssued(by issuer: Certificate) -> Bool {
        X509_check_issued(issuer.handle.pointer, handle.pointer) == X509_V_OK
    }

    /// The bytes inside the extension with this dotted object identifier.
    func extensionContent(_ objectIdentifier: String) -> [UInt8]? {
        OpenSSLErrorQueue.clear()
        guard let object = OBJ_txt2obj(objectIdentifier, 1) else { return nil }
        defer { ASN1_OBJECT_free(object) }
        let index = X509_get_ext_by_OBJ(handle.pointer, object, -1)
        guard index >= 0, let found = X509_get_ext(handle.pointer, index),
            let octets = X509_EXTENSION_get_data(found), let bytes = ASN1_STRING_get0_data(octets)
        else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(octets))))
    }

    private static func text(of nid: Int32, in name: OpaquePointer?) -> String? {
        guard let name else { return nil }
        let index = X509_NAME_get_index_by_NID(name, nid, -1)
        guard index >= 0, let entry = X509_NAME_get_entry(name, index),
            let value = X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var utf8: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&utf8, value)
        guard count >= 0, let utf8 else {
            OpenSSLErrorQueue.clear()
            return nil
        }
        defer { CRYPTO_free(utf8, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: utf8, count: Int(count)), as: UTF8.self)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return 0 }
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            OpenSSLErrorQueue.clear()
            return 0
        }
        return Int64(days) * 86400 + Int64(seconds)
    }
}

extension [Certificate] {
    /// Reads every certificate of a PEM text, in the order of the text; there is at least one.
    ///
    /// - Throws: ``CryptoError/Code/invalidPEM`` or ``CryptoError/Code/invalidCertificate``.
    public init(pemBundle: some StringProtocol) throws(CryptoError) {
        self = try Array(pemBlocks: PEMBlock.blocks(in: Array<UInt8>(pemBundle.utf8)))
        if isEmpty {
            throw CryptoError(
                .invalidPEM, "no certificate found: a \"-----BEGIN CERTIFICATE-----\" line is missing")
        }
    }

    init(pemBlocks: [PEMBlock]) throws(CryptoError) {
        self = []
        for block in pemBlocks where block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" {
            append(try Certificate(der: block.der))
        }
    }
}
