import COpenSSL

/// A certificate, its private key and the certificates in between: what a TLS endpoint shows of itself.
public struct Identity: Sendable {
    /// The certificate that the private key belongs to.
    public let certificate: Certificate
    /// The certificates that lead from `certificate` towards its root, nearest first; may be empty.
    public let intermediates: [Certificate]
    /// The private key of `certificate`.
    public let privateKey: PrivateKey

    /// Reads certificates and key from PEM texts, which may be one and the same text.
    ///
    /// The certificate that fits the key may stand anywhere in the text; the others are put in order.
    /// - Parameters:
    ///   - certificatesPEM: One or more `CERTIFICATE` blocks.
    ///   - keyPEM: One private key block.
    ///   - password: Of an encrypted key.
    /// - Throws: The errors of ``PrivateKey/init(pem:password:)``, ``CryptoError/Code/invalidCertificate``
    ///   or ``CryptoError/Code/keyMismatch``.
    public init(
        certificatesPEM: some StringProtocol, keyPEM: some StringProtocol, password: String? = nil
    ) throws(CryptoError) {
        let certificates = try [Certificate](pemBundle: certificatesPEM)
        try self.init(certificates: certificates, privateKey: PrivateKey(pem: keyPEM, password: password))
    }

    /// Puts an identity together from certificates in any order and the key of one of them.
    ///
    /// - Throws: ``CryptoError/Code/keyMismatch`` if the key belongs to none of the certificates.
    public init(certificates: [Certificate], privateKey: PrivateKey) throws(CryptoError) {
        guard let leaf = certificates.first(where: privateKey.matches) else {
            let names = certificates.map { "\"\($0)\"" }.joined(separator: ", ")
            throw CryptoError(
                .keyMismatch,
                "the private key does not belong to the certificate \(names): they were made as a pair, "
                    + "so one of the two files is the wrong one")
        }
        certificate = leaf
        self.privateKey = privateKey
        var chain: [Certificate] = []
        var rest = certificates.filter { $0 != leaf }
        var last = leaf
        while !last.isSelfSigned, let index = rest.firstIndex(where: last.isIssued(by:)) {
            last = rest.remove(at: index)
            chain.append(last)
        }
        intermediates = chain
    }

    /// The certificates as PEM text, leaf first.
    public var certificatesPEM: String {
        certificate.pem + intermediates.map(\.pem).joined()
    }
}
