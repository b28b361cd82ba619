import COpenSSL

extension TLSSession {
    /// Drains OpenSSL's error queue into the error that tells the operator most.
    func diagnosedError() -> CryptoError {
        let entries = OpenSSLErrorQueue.drain()
        if !context.isServer, let verificationFailure {
            return verificationFailure.error(serverName: serverName)
        }
        guard let entry = entries.first(where: { $0.library == ERR_LIB_SSL }) ?? entries.first else {
            return truncationError
        }
        if entry.library == ERR_LIB_SSL, entry.reason >= SSL_AD_REASON_OFFSET {
            return alertError(entry.reason - SSL_AD_REASON_OFFSET)
        }
        if let error = Greeting(greeting).error { return error }
        return knownError(entry)
    }

    private func knownError(_ entry: OpenSSLErrorQueue.Entry) -> CryptoError {
        switch (entry.library, entry.reason) {
        case (Int32(ERR_LIB_SSL), SSL_R_UNEXPECTED_EOF_WHILE_READING):
            truncationError
        case (Int32(ERR_LIB_SSL), SSL_R_NO_APPLICATION_PROTOCOL):
            CryptoError(
                .noApplicationProtocol, "the peer offers no application protocol (ALPN) that we speak")
        case (Int32(ERR_LIB_SSL), SSL_R_UNSUPPORTED_PROTOCOL), (Int32(ERR_LIB_SSL), SSL_R_VERSION_TOO_LOW):
            CryptoError(
                .unsupportedVersion, "the peer speaks only TLS versions before 1.2, which are refused")
        case (Int32(ERR_LIB_SSL), SSL_R_NO_SHARED_CIPHER):
            CryptoError(.unsupportedVersion, "the peer has no cipher in common with us")
        case (Int32(ERR_LIB_SSL), SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE):
            CryptoError(.untrustedCertificate, "the peer shows no certificate")
        default:
            CryptoError(.protocolViolation, "the TLS connection broke: \(entry.text)")
        }
    }

    private var truncationError: CryptoError {
        CryptoError(
            .truncated,
            isHandshaking
                ? "the peer closed the connection during the TLS handshake"
                : "the peer closed the connection without a TLS close")
    }

    private func alertError(_ alert: Int32) -> CryptoError {
        let name = String(cString: SSL_alert_desc_string_long(alert))
        switch alert {
        case Int32(TLS1_AD_NO_APPLICATION_PROTOCOL):
            return CryptoError(
                .noApplicationProtocol, "the peer speaks none of the application protocols (ALPN) we offer")
        case Int32(TLS1_AD_PROTOCOL_VERSION):
            return CryptoError(.unsupportedVersion, "the peer refuses our TLS versions, 1.2 and 1.3")
        case Int32(SSL3_AD_HANDSHAKE_FAILURE):
            return CryptoError(
                .peerAlert,
                "the peer ended the handshake (handshake failure): no cipher in common, or it "
                    + "wants a client certificate")
        case Int32(TLS1_AD_UNKNOWN_CA):
            return CryptoError(.peerAlert, "the peer does not know who issued our certificate (unknown CA)")
        case Int32(SSL3_AD_BAD_CERTIFICATE), Int32(SSL3_AD_UNSUPPORTED_CERTIFICATE),
            Int32(SSL3_AD_CERTIFICATE_REVOKED), Int32(SSL3_AD_CERTIFICATE_EXPIRED),
            Int32(SSL3_AD_CERTIFICATE_UNKNOWN):
            return CryptoError(.peerAlert, "the peer refuses our certificate (\(name))")
        case Int32(TLS13_AD_CERTIFICATE_REQUIRED):
            return CryptoError(.peerAlert, "the peer wants a client certificate and we showed none")
        default:
            return CryptoError(.peerAlert, "the peer ended the connection with the TLS alert \"\(name)\"")
        }
    }
}
