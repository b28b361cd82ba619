import COpenSSL

/// What the check of a peer's certificate found wrong first.
struct VerificationFailure {
    /// One of OpenSSL's X509_V_ERR_ numbers.
    let code: Int32
    /// The certificate that the peer showed as its own.
    let leaf: Certificate?
    /// The certificate of the chain that failed; often the leaf.
    let culprit: Certificate?

    /// The error for the operator.
    ///
    /// - Parameter serverName: Whom the client wanted to reach; nil if a server checks a client.
    func error(serverName: String?) -> CryptoError {
        let name = culprit.map { "\"\($0)\"" } ?? "of the peer"
        switch code {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            return CryptoError(
                .hostnameMismatch,
                "the certificate is for \(VerificationFailure.list(leaf?.hostNames ?? [])), "
                    + "not \(serverName ?? "the name wanted")")
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return CryptoError(
                .certificateExpired,
                "the certificate \(name) expired on \(VerificationFailure.date(culprit?.notAfter))")
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return CryptoError(
                .certificateExpired,
                "the certificate \(name) is valid only from \(VerificationFailure.date(culprit?.notBefore)) "
                    + "on; is the clock of this machine right?")
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return CryptoError(
                .untrustedCertificate,
                "the certificate \(name) is self-signed and not trusted: give it as a CA file")
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return CryptoError(
                .untrustedCertificate,
                "self-signed certificate \(name) in the chain, not trusted: give its CA file")
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            let issuer = culprit?.issuerCommonName.map { "\"\($0.printable)\"" } ?? "an unnamed issuer"
            return CryptoError(
                .untrustedCertificate,
                "the certificate \(name) was issued by \(issuer), which is not trusted: give its CA file")
        default:
            return CryptoError(
                .untrustedCertificate,
                "the certificate \(name) does not verify: "
                    + String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }

    /// `a`, `a and b`, or `a, b, c and 4 more`.
    private static func list(_ names: [String]) -> String {
        let shownMax = 4
        if names.isEmpty { return "no host name" }
        let shown = names.prefix(shownMax).map(\.printable).joined(separator: ", ")
        return names.count > shownMax ? "\(shown) and \(names.count - shownMax) more" : shown
    }

    private static func date(_ secondsSince1970: Int64?) -> String {
        guard let secondsSince1970 else { return "an unknown day" }
        return CivilDate(secondsSince1970: secondsSince1970).description
    }
}

extension TLSSession {
    /// Called by OpenSSL for each certificate of the chain: a client stops at the first error, a server notes
    /// it and goes on.
    static let verificationCallback: @convention(c) (Int32, OpaquePointer?) -> Int32 = { isGood, store in
        guard isGood == 0 else { return 1 }
        guard let store,
            let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let data = SSL_get_ex_data(OpaquePointer(ssl), 0)
        else { return 0 }
        let session = Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
        if session.verificationFailure == nil {
            func certificate(_ pointer: OpaquePointer?) -> Certificate? {
                pointer.map { Certificate(handle: CertificateHandle(retaining: $0)) }
            }
            session.verificationFailure = VerificationFailure(
                code: X509_STORE_CTX_get_error(store),
                leaf: certificate(X509_STORE_CTX_get0_cert(store)),
                culprit: certificate(X509_STORE_CTX_get_current_cert(store)))
        }
        return session.context.isServer ? 1 : 0
    }
}
