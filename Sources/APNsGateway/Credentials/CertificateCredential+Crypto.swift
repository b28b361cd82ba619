internal import APNs
package import Crypto

extension CertificateCredential {
    /// Reads what a client certificate says.
    ///
    /// - Returns: nil when it is not a certificate for APNs: answered BadCertificate.
    package convenience init?(_ certificate: Certificate) {
        let info = certificate.apns
        guard info.isAPNsCertificate, certificate.notBefore <= certificate.notAfter else { return nil }
        var environments: Set<Environment> = []
        if info.isDevelopment { environments.insert(.sandbox) }
        if info.isProduction { environments.insert(.production) }
        self.init(
            userID: info.bundleID, topics: info.topics, environments: environments,
            validSeconds: certificate.notBefore...certificate.notAfter)
    }
}

extension ConnectionMachine.Credential {
    /// Reads what the TLS handshake of a connection brought.
    ///
    /// - Parameters:
    ///   - certificate: The client certificate, if there was one.
    ///   - fault: Why it does not verify; nil when it does.
    package init(certificate: Certificate?, fault: String?) {
        guard let certificate else {
            self = .providerToken
            return
        }
        guard fault == nil, let credential = CertificateCredential(certificate) else {
            self = .unusableCertificate
            return
        }
        self = .certificate(credential)
    }
}
