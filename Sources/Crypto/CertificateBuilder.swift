import COpenSSL

/// Collects what goes into a certificate, then signs it.
struct CertificateBuilder {
    /// A part of the subject's name.
    enum NameField {
        case commonName
        case userID

        var nid: Int32 { self == .commonName ? NID_commonName : NID_userId }
        /// The upper bound of X.520 (CN) and RFC 4524 (UID), which OpenSSL enforces for the CN.
        var characterCountMax: Int { self == .commonName ? 64 : 256 }
    }

    /// The bits of the key usage extension (RFC 5280 §4.2.1.3), by their number.
    enum KeyUsage: Int {
        case digitalSignature = 0
        case keyCertSign = 5
        case cRLSign = 6
    }

    /// What a key may do beyond its basic use (RFC 5280 §4.2.1.12).
    enum ExtendedKeyUsage: UInt {
        case serverAuthentication = 1
        case clientAuthentication = 2
    }

    private struct Extension {
        let objectIdentifier: String
        let isCritical: Bool
        let content: [UInt8]
    }

    private let subject: [(NameField, String)]
    private let validity: CertificateValidity
    private var extensions: [Extension] = []

    init(subject: [(NameField, String)], validity: CertificateValidity) {
        self.subject = subject
        self.validity = validity
    }

    mutating func addExtension(_ objectIdentifier: String, isCritical: Bool = false, content: [UInt8]) {
        extensions.append(
            Extension(objectIdentifier: objectIdentifier, isCritical: isCritical, content: content))
    }

    mutating func addBasicConstraints(isAuthority: Bool) {
        let content = DERWriter.encode { writer in
            writer.element(DERWriter.Tag.sequence) { sequence in
                if isAuthority { sequence.element(DERWriter.Tag.boolean, [0xff]) }
            }
        }
        addExtension("2.5.29.19", isCritical: true, content: content)
    }

    mutating func addKeyUsage(_ usages: [KeyUsage]) {
        var bits: UInt8 = 0
        for usage in usages { bits |= 0x80 >> usage.rawValue }
        let content = DERWriter.encode { writer in
            writer.element(DERWriter.Tag.bitString, [UInt8(bits.trailingZeroBitCount), bits])
        }
        addExtension("2.5.29.15", isCritical: true, content: content)
    }

    mutating func addExtendedKeyUsage(_ usage: ExtendedKeyUsage) {
        let content = DERWriter.encode { writer in
            writer.element(DERWriter.Tag.sequence) { sequence in
                sequence.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 3, usage.rawValue])
            }
        }
        addExtension("2.5.29.37", content: content)
    }

    mutating func addAlternativeNames(_ hostNames: [String]) throws(CryptoError) {
        var names = DERWriter()
        for hostName in hostNames {
            if let address = IPAddress(hostName) {
                names.element(DERWriter.Tag.context(7), address.bytes)
            } else {
                names.text(DERWriter.Tag.context(2), try HostName(hostName, allowsWildcard: true).text)
            }
        }
        let content = DERWriter.encode { $0.element(DERWriter.Tag.sequence, names.bytes) }
        addExtension("2.5.29.17", content: content)
    }

    /// Makes the certificate; without an issuer it is self-signed.
    func sign(
        subjectKey: PrivateKey, issuer: Certificate?, issuerKey: PrivateKey
    ) throws(CryptoError) -> Certificate {
        guard validity.notBefore <= validity.notAfter else {
            throw CryptoError(.invalidArgument, "a certificate cannot end before it begins")
        }
        OpenSSLErrorQueue.clear()
        guard let pointer = X509_new() else { throw OpenSSLErrorQueue.failure(in: "X509_new") }
        let handle = CertificateHandle(takingOwnership: pointer)
        guard X509_set_version(pointer, 2) == 1,
            X509_set_pubkey(pointer, subjectKey.handle.pointer) == 1,
            ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(validity.notBefore)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(validity.notAfter)) != nil
        else { throw OpenSSLErrorQueue.failure(in: "X509_set_pubkey") }
        try setSerialNumber(of: pointer)
        try setNames(of: pointer, issuer: issuer)
        for addition in extensions { try add(addition, to: pointer) }
        try addKeyIdentifiers(to: pointer, subjectKey: subjectKey, issuer: issuer)
        guard X509_sign(pointer, issuerKey.handle.pointer, EVP_sha256()) > 0 else {
            throw OpenSSLErrorQueue.failure(in: "X509_sign")
        }
        return Certificate(handle: handle)
    }

    /// 16 random bytes, the top bit clear so that the number is positive.
    private func setSerialNumber(of pointer: OpaquePointer) throws(CryptoError) {
        var bytes = RandomBytes.make(count: 16)
        bytes[0] = bytes[0] & 0x7f | 0x40
        let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
        defer { BN_free(number) }
        guard let number, BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
            throw OpenSSLErrorQueue.failure(in: "BN_to_ASN1_INTEGER")
        }
    }

    private func setNames(of pointer: OpaquePointer, issuer: Certificate?) throws(CryptoError) {
        let name = X509_get_subject_name(pointer)
        for (field, text) in subject {
            let utf8 = Array(text.utf8)
            guard !utf8.isEmpty, text.unicodeScalars.count <= field.characterCountMax,
                X509_NAME_add_entry_by_NID(
                    name, field.nid, MBSTRING_FLAG | 0, utf8, Int32(utf8.count), -1, 0) == 1
            else {
                OpenSSLErrorQueue.clear()
                throw CryptoError(
                    .invalidArgument,
                    "a certificate's name has 1 to \(field.characterCountMax) characters: \"\(text)\"")
            }
        }
        let issuerName = issuer.flatMap { X509_get_subject_name($0.handle.pointer) } ?? name
        guard X509_set_issuer_name(pointer, issuerName) == 1 else {
            throw OpenSSLErrorQueue.failure(in: "X509_set_issuer_name")
        }
    }

    private func addKeyIdentifiers(
        to pointer: OpaquePointer, subjectKey: PrivateKey, issuer: Certificate?
    ) throws(CryptoError) {
        let own = CertificateBuilder.keyIdentifier(of: pointer)
        try add(
            Extension(
                objectIdentifier: "2.5.29.14", isCritical: false,
                content: DERWriter.encode { $0.element(DERWriter.Tag.octetString, own) }),
            to: pointer)
        let authority = issuer.map { CertificateBuilder.keyIdentifier(of: $0.handle.pointer) } ?? own
        let content = DERWriter.encode { writer in
            writer.element(DERWriter.Tag.sequence) { $0.element(DERWriter.Tag.context(0), authority) }
        }
        try add(Extension(objectIdentifier: "2.5.29.35", isCritical: false, content: content), to: pointer)
    }

    private func add(_ addition: Extension, to pointer: OpaquePointer) throws(CryptoError) {
        guard let object = OBJ_txt2obj(addition.objectIdentifier, 1) else {
            throw OpenSSLErrorQueue.failure(in: "OBJ_txt2obj")
        }
        defer { ASN1_OBJECT_free(object) }
        let octets = ASN1_OCTET_STRING_new()
        defer { ASN1_OCTET_STRING_free(octets) }
        guard ASN1_OCTET_STRING_set(octets, addition.content, Int32(addition.content.count)) == 1,
            let made = X509_EXTENSION_create_by_OBJ(nil, object, addition.isCritical ? 1 : 0, octets)
        else { throw OpenSSLErrorQueue.failure(in: "X509_EXTENSION_create_by_OBJ") }
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(pointer, made, -1) == 1 else {
            throw OpenSSLErrorQueue.failure(in: "X509_add_ext")
        }
    }

    /// The SHA-1 digest of the public key bits, method 1 of RFC 5280 §4.2.1.2; a name, not a protection.
    private static func keyIdentifier(of pointer: OpaquePointer) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        X509_pubkey_digest(pointer, EVP_sha1(), &digest, &count)
        return digest
    }
}
