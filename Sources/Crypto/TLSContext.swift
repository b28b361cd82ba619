import COpenSSL

/// What the TLS sessions of one client or server have in common: trust, identity, protocols.
///
/// Protocol rules: TLS 1.2 or later (Apple: Sending notification requests to APNs), AEAD ciphers with forward
/// secrecy only, no compression, no renegotiation, no session tickets.
public final class TLSContext: Sendable {
    /// Which certificates a client lets vouch for its server.
    public enum Trust: Sendable {
        /// Those of the operating system.
        case system
        /// These only; each one is trusted as it is, also if another one has signed it.
        case certificates([Certificate])
        /// Those of the operating system, and these.
        case systemAnd([Certificate])
    }

    /// Whether a server asks its clients for a certificate.
    public enum ClientCertificates: Sendable {
        /// It does not.
        case none
        /// It asks for one that these have issued, and goes on without one, or with one that does not verify:
        /// see ``TLSSession/peerCertificateError``.
        case requested(issuedBy: [Certificate])
    }

    let isServer: Bool

    /// `nonisolated(unsafe)`: set up in `init`, then only handed to `SSL_new`, which locks.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// What the ALPN callback chooses from; OpenSSL holds a plain pointer to it.
    private let protocols: ProtocolList

    /// Makes the context of a client.
    ///
    /// - Parameters:
    ///   - trust: Which certificates may vouch for the server.
    ///   - identity: The certificate to show if the server asks for one.
    ///   - applicationProtocols: What to offer (ALPN), best first, such as `["h2"]`; may be empty.
    /// - Throws: ``CryptoError/Code/invalidArgument`` or ``CryptoError/Code/keyMismatch``.
    public static func client(
        trust: Trust, identity: Identity?, applicationProtocols: [String]
    ) throws(CryptoError) -> TLSContext {
        let context = try TLSContext(isServer: false, applicationProtocols: applicationProtocols)
        try context.setTrust(trust)
        if let identity { try context.setIdentity(identity) }
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, TLSSession.verificationCallback)
        return context
    }

    /// Makes the context of a server.
    ///
    /// - Parameters:
    ///   - identity: The server's certificate and key.
    ///   - clientCertificates: Whether to ask clients for a certificate.
    ///   - applicationProtocols: What to choose from (ALPN), best first. A client that offers only others is
    ///     refused; one that offers none at all is not.
    /// - Throws: ``CryptoError/Code/invalidArgument`` or ``CryptoError/Code/keyMismatch``.
    public static func server(
        identity: Identity, clientCertificates: ClientCertificates, applicationProtocols: [String]
    ) throws(CryptoError) -> TLSContext {
        let context = try TLSContext(isServer: true, applicationProtocols: applicationProtocols)
        try context.setIdentity(identity)
        if case .requested(let issuers) = clientCertificates {
            try context.trust(issuers)
            for issuer in issuers { SSL_CTX_add_client_CA(context.pointer, issuer.handle.pointer) }
            SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, TLSSession.verificationCallback)
        }
        return context
    }

    private init(isServer: Bool, applicationProtocols: [String]) throws(CryptoError) {
        protocols = try ProtocolList(applicationProtocols)
        OpenSSLErrorQueue.clear()
        guard let pointer = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw OpenSSLErrorQueue.failure(in: "SSL_CTX_new")
        }
        self.isServer = isServer
        self.pointer = pointer
        try setProtocolRules()
        if !applicationProtocols.isEmpty { try setApplicationProtocols() }
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    /// Test hook: a peer that speaks only this version or older ones (`0x0302` is TLS 1.1).
    package func limitVersion(to version: Int32) {
        SSL_CTX_set_security_level(pointer, 0)
        SSL_CTX_set_cipher_list(pointer, "ALL")
        _ = belfry_ssl_ctx_set_min_protocol(pointer, TLS1_VERSION)
        _ = belfry_ssl_ctx_set_max_protocol(pointer, version)
    }

    private func setProtocolRules() throws(CryptoError) {
        SSL_CTX_set_options(pointer, belfry_ssl_hardened_options())
        belfry_ssl_ctx_set_session_cache_off(pointer)
        // Idle connections give OpenSSL's 16 KB record buffers back.
        belfry_ssl_ctx_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        // HTTP/2 forbids the other TLS 1.2 ciphers (RFC 9113 §9.2.2). AES-128 comes first because it is
        // strong enough and the fastest.
        guard belfry_ssl_ctx_set_min_protocol(pointer, TLS1_2_VERSION) == 1,
            SSL_CTX_set_num_tickets(pointer, 0) == 1,
            SSL_CTX_set_cipher_list(
                pointer,
                "ECDHE+AESGCM+AES128:ECDHE+AESGCM+AES256:ECDHE+CHACHA20:!aNULL:!aPSK") == 1,
            SSL_CTX_set_ciphersuites(
                pointer,
                "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") == 1
        else { throw OpenSSLErrorQueue.failure(in: "SSL_CTX_set_ciphersuites") }
    }

    private func setApplicationProtocols() throws(CryptoError) {
        guard !isServer else {
            SSL_CTX_set_alpn_select_cb(
                pointer,
                { _, chosen, chosenCount, offered, offeredCount, argument in
                    guard let argument, let chosen, let chosenCount, let offered else {
                        return SSL_TLSEXT_ERR_ALERT_FATAL
                    }
                    let list = Unmanaged<ProtocolList>.fromOpaque(argument).takeUnretainedValue()
                    guard let choice = list.choice(from: offered, count: Int(offeredCount)) else {
                        return SSL_TLSEXT_ERR_ALERT_FATAL
                    }
                    chosen.pointee = choice.baseAddress
                    chosenCount.pointee = UInt8(choice.count)
                    return SSL_TLSEXT_ERR_OK
                },
                Unmanaged.passUnretained(protocols).toOpaque())
            return
        }
        // Unlike its siblings, this function returns 0 for success.
        guard SSL_CTX_set_alpn_protos(pointer, protocols.bytes, UInt32(protocols.bytes.count)) == 0 else {
            throw OpenSSLErrorQueue.failure(in: "SSL_CTX_set_alpn_protos")
        }
    }

    private func setTrust(_ trust: Trust) throws(CryptoError) {
        switch trust {
        case .system: try trustSystem()
        case .certificates(let certificates): try self.trust(certificates)
        case .systemAnd(let certificates):
            try trustSystem()
            try self.trust(certificates)
        }
    }

    private func trustSystem() throws(CryptoError) {
        guard SSL_CTX_set_default_verify_paths(pointer) == 1 else {
            throw OpenSSLErrorQueue.failure(in: "SSL_CTX_set_default_verify_paths")
        }
    }

    private func trust(_ certificates: [Certificate]) throws(CryptoError) {
        let store = SSL_CTX_get_cert_store(pointer)
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        for certificate in certificates {
            guard X509_STORE_add_cert(store, certificate.handle.pointer) == 1 else {
                throw OpenSSLErrorQueue.failure(in: "X509_STORE_add_cert")
            }
        }
    }

    private func setIdentity(_ identity: Identity) throws(CryptoError) {
        OpenSSLErrorQueue.clear()
        let chain = OPENSSL_sk_new_null()
        defer { OPENSSL_sk_free(chain) }
        for certificate in identity.intermediates {
            OPENSSL_sk_push(chain, UnsafeRawPointer(certificate.handle.pointer))
        }
        guard
            SSL_CTX_use_cert_and_key(
                pointer, identity.certificate.handle.pointer, identity.privateKey.handle.pointer, chain, 1)
                == 1
        else {
            throw CryptoError(
                .invalidCertificate,
                "OpenSSL refuses the certificate \"\(identity.certificate)\": \(OpenSSLErrorQueue.drainText())"
            )
        }
    }
}
