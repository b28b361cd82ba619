import COpenSSL

/// One TLS connection without a socket: encrypted bytes in and out, plain bytes in and out.
///
/// The owner moves bytes between the session and the network. After every call there may be output to send;
/// after a failure too, because it holds the alert that tells the peer why. A session is used from one thread
/// at a time. Nothing on the path of reading and writing allocates per call.
public final class TLSSession {
    /// How far a handshake has come.
    public enum Progress {
        /// More bytes from the peer are needed; send the output, if there is some.
        case needsInput
        /// Done: plain bytes can be read and written.
        case established
        /// Over: send the output, then close.
        case failed(CryptoError)
    }

    /// What reading gave.
    public enum ReadResult {
        /// This many plain bytes; ask again for more.
        case bytes(Int)
        /// More bytes from the peer are needed.
        case needsInput
        /// The peer has said that it will send nothing more. Writing is still possible.
        case closed
        /// Over: send the output, then close.
        case failed(CryptoError)
    }

    /// More unread encrypted bytes than this are refused; the owner reads after each `receive`.
    public static let inputByteCountMax = 16 * 1024 * 1024

    private enum Phase {
        case handshaking
        case open
        case closedByPeer
        case failed
    }

    /// What the peer should be, for error messages; nil on a server.
    let serverName: String?
    /// What the certificate check found wrong first.
    var verificationFailure: VerificationFailure?
    /// The first bytes from the peer, to tell what else it speaks if it is not TLS.
    private(set) var greeting: [UInt8] = []
    package let context: TLSContext
    let ssl: OpaquePointer

    private let pipe: UnsafeMutablePointer<TLSPipe>
    private var phase = Phase.handshaking
    private var failure: CryptoError?
    private var hasSentClose = false

    /// Starts a client session.
    ///
    /// - Parameters:
    ///   - context: From ``TLSContext/client(trust:identity:applicationProtocols:)``.
    ///   - serverName: The host name or IP address literal that the server's certificate must be for. A host
    ///     name is also sent to the server (SNI).
    /// - Throws: ``CryptoError/Code/invalidArgument`` if `serverName` is neither.
    public convenience init(client context: TLSContext, serverName: String) throws(CryptoError) {
        precondition(!context.isServer, "a client session needs a client context")
        if let address = IPAddress(serverName) {
            try self.init(context: context, serverName: address.description)
            let parameters = SSL_get0_param(ssl)
            guard X509_VERIFY_PARAM_set1_ip(parameters, address.bytes, address.bytes.count) == 1 else {
                throw OpenSSLErrorQueue.failure(in: "X509_VERIFY_PARAM_set1_ip")
            }
        } else {
            let hostName = try HostName(serverName)
            try self.init(context: context, serverName: hostName.text)
            SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard SSL_set1_host(ssl, hostName.text) == 1,
                belfry_ssl_set_server_name_indication(ssl, hostName.text) == 1
            else { throw OpenSSLErrorQueue.failure(in: "SSL_set1_host") }
        }
        SSL_set_connect_state(ssl)
    }

    /// Starts a server session.
    ///
    /// - Parameter context: From ``TLSContext/server(identity:clientCertificates:applicationProtocols:)``.
    /// - Throws: ``CryptoError/Code/internalFailure``.
    public convenience init(server context: TLSContext) throws(CryptoError) {
        precondition(context.isServer, "a server session needs a server context")
        try self.init(context: context, serverName: nil)
        SSL_set_accept_state(ssl)
    }

    private init(context: TLSContext, serverName: String?) throws(CryptoError) {
        OpenSSLErrorQueue.clear()
        guard let ssl = SSL_new(context.pointer) else { throw OpenSSLErrorQueue.failure(in: "SSL_new") }
        let pipe = UnsafeMutablePointer<TLSPipe>.allocate(capacity: 1)
        pipe.initialize(to: TLSPipe())
        guard let bio = TLSPipe.makeBIO(over: pipe) else {
            SSL_free(ssl)
            pipe.deinitialize(count: 1)
            pipe.deallocate()
            throw OpenSSLErrorQueue.failure(in: "BIO_new")
        }
        SSL_set_bio(ssl, bio, bio)
        self.context = context
        self.serverName = serverName
        self.ssl = ssl
        self.pipe = pipe
        // Unretained: OpenSSL calls back only inside calls of this object, which frees the SSL itself.
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_free(ssl)
        pipe.deinitialize(count: 1)
        pipe.deallocate()
    }

    // MARK: Encrypted side

    /// Takes bytes from the peer; all of them are kept until they are read.
    ///
    /// - Throws: ``CryptoError/Code/invalidState`` if more than ``inputByteCountMax`` bytes wait unread.
    public func receive(_ encrypted: UnsafeRawBufferPointer) throws(CryptoError) {
        guard let base = encrypted.baseAddress, encrypted.count > 0, phase != .failed else { return }
        guard pipe.pointee.input.count + encrypted.count <= TLSSession.inputByteCountMax else {
            throw CryptoError(
                .invalidState, "more than \(TLSSession.inputByteCountMax) bytes received and not read")
        }
        if phase == .handshaking && greeting.count < Greeting.byteCount {
            greeting += encrypted.prefix(Greeting.byteCount - greeting.count)
        }
        pipe.pointee.input.append(base, count: encrypted.count)
    }

    /// Notes that the peer has closed the transport; reading then tells an orderly end from a cut.
    public func receiveEnd() {
        pipe.pointee.hasEnded = true
    }

    /// Encrypted bytes that wait to be sent.
    public var pendingOutputByteCount: Int { pipe.pointee.output.count }

    /// Moves encrypted bytes to a buffer; returns how many.
    public func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        return pipe.pointee.output.take(into: base, maximum: buffer.count)
    }

    /// The encrypted bytes that wait, where they lie, to send them without a copy.
    ///
    /// The pointer is valid until the next call of this session. Follow with ``dropOutput(_:)``.
    public var pendingOutput: UnsafeRawBufferPointer { pipe.pointee.output.bytes }

    /// Removes bytes that were sent from ``pendingOutput``.
    public func dropOutput(_ count: Int) {
        pipe.pointee.output.drop(count)
    }

    /// Gives back the memory that is kept for the next bytes; for connections that have fallen idle.
    public func releaseIdleMemory() {
        pipe.pointee.input.releaseMemory()
        pipe.pointee.output.releaseMemory()
    }

    // MARK: Handshake

    var isHandshaking: Bool { phase == .handshaking }

    /// Carries the handshake on as far as the received bytes allow.
    public func handshake() -> Progress {
        switch phase {
        case .open, .closedByPeer: return .established
        case .failed: return .failed(failure ?? .sessionFailed)
        case .handshaking: break
        }
        OpenSSLErrorQueue.clear()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            phase = .open
            greeting = []
            releaseIdleMemory()
            return .established
        }
        if SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return .needsInput }
        return .failed(fail(diagnosedError()))
    }

    /// The application protocol both sides agreed on (ALPN), or nil.
    public var negotiatedApplicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// The TLS version in use, such as `TLSv1.3`.
    public var negotiatedVersion: String { String(cString: SSL_get_version(ssl)) }

    /// The cipher in use, such as `TLS_AES_128_GCM_SHA256`, or nil before the handshake.
    public var negotiatedCipher: String? {
        guard let cipher = SSL_get_current_cipher(ssl) else { return nil }
        return String(cString: SSL_CIPHER_get_name(cipher))
    }

    /// The certificate that the peer has shown, verified or not; nil if none.
    public var peerCertificate: Certificate? {
        guard let pointer = SSL_get1_peer_certificate(ssl) else { return nil }
        return Certificate(handle: CertificateHandle(takingOwnership: pointer))
    }

    /// Why the peer's certificate does not verify; nil if it does, or if there is none.
    public var peerCertificateError: String? { verificationFailure?.error(serverName: serverName).message }

    // MARK: Plain side

    /// Reads plain bytes: as many as there are and fit.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        switch phase {
        case .open: break
        case .handshaking: return .needsInput
        case .closedByPeer: return .closed
        case .failed: return .failed(failure ?? .sessionFailed)
        }
        guard let base = buffer.baseAddress, buffer.count > 0 else { return .bytes(0) }
        OpenSSLErrorQueue.clear()
        var filled = 0
        while filled < buffer.count {
            if pipe.pointee.input.count == 0 && SSL_has_pending(ssl) == 0 && !pipe.pointee.hasEnded { break }
            var count = 0
            if SSL_read_ex(ssl, base + filled, buffer.count - filled, &count) == 1 {
                filled += count
                continue
            }
            let end = endOfReading()
            // What was read before the end goes first; the end is asked for again and stays the same.
            return filled > 0 ? .bytes(filled) : end
        }
        return filled > 0 ? .bytes(filled) : .needsInput
    }

    /// Encrypts all of the bytes into the output.
    ///
    /// - Throws: ``CryptoError/Code/invalidState`` before the handshake is done, after a failure and after
    ///   ``sendCloseNotify()``.
    public func write(_ plain: UnsafeRawBufferPointer) throws(CryptoError) {
        guard (phase == .open || phase == .closedByPeer) && !hasSentClose else { throw .notOpen }
        OpenSSLErrorQueue.clear()
        var offset = 0
        while offset < plain.count, let base = plain.baseAddress {
            var count = 0
            guard SSL_write_ex(ssl, base + offset, plain.count - offset, &count) == 1 else {
                throw fail(diagnosedError())
            }
            offset += count
        }
    }

    /// Tells the peer that nothing more will be written; reading is still possible.
    public func sendCloseNotify() {
        guard (phase == .open || phase == .closedByPeer) && !hasSentClose else { return }
        hasSentClose = true
        OpenSSLErrorQueue.clear()
        if SSL_shutdown(ssl) < 0 { OpenSSLErrorQueue.clear() }
    }

    private func endOfReading() -> ReadResult {
        switch SSL_get_error(ssl, 0) {
        case SSL_ERROR_WANT_READ:
            return .needsInput
        case SSL_ERROR_ZERO_RETURN:
            phase = .closedByPeer
            return .closed
        default:
            return .failed(fail(diagnosedError()))
        }
    }

    private func fail(_ error: CryptoError) -> CryptoError {
        phase = .failed
        failure = error
        return error
    }
}

extension CryptoError {
    fileprivate static let sessionFailed = CryptoError(.invalidState, "the TLS session has failed")
    fileprivate static let notOpen = CryptoError(
        .invalidState, "the TLS session is not open for writing")
}
