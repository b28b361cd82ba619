import COpenSSL

/// A certificate authority of one's own, for tests and for the APNs simulator.
///
/// Keys are P-256, signatures ECDSA with SHA-256. Nothing is revoked, and nothing is remembered.
public struct CertificateAuthority: Sendable {
    /// The self-signed certificate that peers have to trust.
    public let certificate: Certificate
    /// The authority's private key, a secret.
    public let privateKey: PrivateKey

    /// Makes a new authority with a new key.
    ///
    /// - Throws: ``CryptoError/Code/invalidArgument`` for an unusable name or period.
    public init(commonName: String, validity: CertificateValidity) throws(CryptoError) {
        privateKey = try PrivateKey.generateP256()
        var builder = CertificateBuilder(subject: [(.commonName, commonName)], validity: validity)
        builder.addBasicConstraints(isAuthority: true)
        builder.addKeyUsage([.keyCertSign, .cRLSign])
        certificate = try builder.sign(subjectKey: privateKey, issuer: nil, issuerKey: privateKey)
    }

    /// Takes up an authority that was made before.
    ///
    /// - Throws: ``CryptoError/Code/keyMismatch``, or ``CryptoError/Code/invalidCertificate`` if the
    ///   certificate is not one of an authority.
    public init(certificate: Certificate, privateKey: PrivateKey) throws(CryptoError) {
        guard privateKey.matches(certificate) else {
            throw CryptoError(
                .keyMismatch, "the private key does not belong to the CA certificate \"\(certificate)\"")
        }
        guard X509_check_ca(certificate.handle.pointer) > 0 else {
            throw CryptoError(
                .invalidCertificate, "\"\(certificate)\" is not the certificate of an authority (CA:TRUE)")
        }
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Issues a server certificate for host names and IP addresses, with a new key.
    ///
    /// - Parameters:
    ///   - hostNames: DNS names (`localhost`, `*.example.com`) and IP literals (`127.0.0.1`, `::1`).
    ///   - validity: Apple's clients refuse server certificates of more than 825 days.
    /// - Throws: ``CryptoError/Code/invalidArgument`` for an unusable name or period.
    public func issueServerIdentity(
        hostNames: [String], validity: CertificateValidity
    ) throws(CryptoError) -> Identity {
        guard let first = hostNames.first else {
            throw CryptoError(.invalidArgument, "a server certificate needs one host name or more")
        }
        var builder = CertificateBuilder(subject: [(.commonName, first)], validity: validity)
        builder.addBasicConstraints(isAuthority: false)
        builder.addKeyUsage([.digitalSignature])
        builder.addExtendedKeyUsage(.serverAuthentication)
        try builder.addAlternativeNames(hostNames)
        return try issue(builder)
    }

    /// Issues a client certificate without anything of Apple's, with a new key.
    ///
    /// - Throws: ``CryptoError/Code/invalidArgument`` for an unusable name or period.
    public func issueClientIdentity(
        commonName: String, validity: CertificateValidity
    ) throws(CryptoError) -> Identity {
        var builder = CertificateBuilder(subject: [(.commonName, commonName)], validity: validity)
        builder.addBasicConstraints(isAuthority: false)
        builder.addKeyUsage([.digitalSignature])
        builder.addExtendedKeyUsage(.clientAuthentication)
        return try issue(builder)
    }

    func issue(_ builder: CertificateBuilder) throws(CryptoError) -> Identity {
        let key = try PrivateKey.generateP256()
        let certificate = try builder.sign(
            subjectKey: key, issuer: certificate, issuerKey: privateKey)
        return try Identity(certificates: [certificate], privateKey: key)
    }
}
