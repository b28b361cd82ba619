public import Crypto
internal import Synchronization

/// One HTTP/2 connection over TLS: socket, encryption, protocol and timeouts together.
///
/// Loop-confined: made, used and ended on one event loop's thread. A connection that is open keeps
/// itself alive; it lets go of its handler after ``HTTP2ConnectionHandler/connectionClosed(_:error:)``.
public final class HTTP2Connection: TCPStream.Delegate {
    enum Phase {
        case tunnelling(ProxyTunnel)
        case handshaking
        case open
        case ended
    }

    /// The loop that the connection lives on.
    public let eventLoop: EventLoop
    /// A number that no other connection of this process has.
    public let id: UInt64
    /// The peer's IP address.
    public private(set) var remoteAddress = ""
    /// Whether the peer's SETTINGS have come.
    public internal(set) var isReady = false
    /// Why the connection ended, known before its open streams are reported; nil while it lives and for an
    /// end that was asked for.
    public private(set) var endError: TransportError?
    /// Whether the peer has said that it takes no more streams.
    public internal(set) var hasReceivedGoAway = false

    let configuration: HTTP2ConnectionConfiguration
    let role: HTTP2Session.Role
    let tls: TLSSession
    /// Who is told what happens; nil once the connection has ended.
    public private(set) var handler: (any HTTP2ConnectionHandler)?
    var phase: Phase
    var socket: TCPStream?
    var session: HTTP2Session?
    var keepAlive: KeepAlive
    var ticker: EventLoopTimer?
    var startedAtMilliseconds: UInt64
    var heardAtMilliseconds: UInt64
    /// For the server that made the connection; runs once, after the handler heard of the end.
    var onEnd: (() -> Void)?
    var isDelivering = false
    var isFlushing = false
    var isCongested = false
    /// Since when a slow peer has been waited for.
    var stalledAtMilliseconds: UInt64?
    var closesWhenFlushed = false
    /// The end has been found and is only not carried out yet.
    var isEnding = false

    /// Bytes that may wait for a slow peer before no more are made and its requests are not read.
    static let pendingByteCountMax = 1024 * 1024
    /// Silence after which a connection without streams gives memory back.
    static let idleMilliseconds: UInt64 = 5000
    static let counter = Atomic<UInt64>(1)

    init(
        role: HTTP2Session.Role, eventLoop: EventLoop, tls: TLSSession,
        configuration: HTTP2ConnectionConfiguration, handler: any HTTP2ConnectionHandler
    ) {
        eventLoop.assertCurrent()
        self.role = role
        self.eventLoop = eventLoop
        self.tls = tls
        self.configuration = configuration
        self.handler = handler
        id = Self.counter.add(1, ordering: .relaxed).oldValue
        phase = .handshaking
        let now = eventLoop.nowMilliseconds
        startedAtMilliseconds = now
        heardAtMilliseconds = now
        keepAlive = KeepAlive(
            silence: configuration.pingAfterSilence ?? .seconds(1 << 31),
            busySilence: configuration.pingAfterBusySilence, timeout: configuration.pingTimeout, now: now)
    }

    // MARK: What the peer is

    /// The certificate that the peer showed.
    public var peerCertificate: Certificate? { tls.peerCertificate }

    /// Why the peer's certificate does not verify; nil when it does or none was shown.
    public var peerCertificateError: String? { tls.peerCertificateError }

    // MARK: Streams

    /// How many streams are open.
    public var openStreamCount: Int { session?.open.count ?? 0 }

    /// How many streams the server lets a client have open now.
    public var peerMaxConcurrentStreams: Int { session?.peerMaxConcurrentStreams ?? 0 }

    /// Whether a client may open another stream, its limit aside.
    public var mayOpenStreams: Bool {
        guard case .open = phase, isReady, !hasReceivedGoAway, !isEnding, socket?.isOpen == true,
            let session
        else { return false }
        return session.mayOpenStreams
    }

    /// Bytes of body that the line takes now: nothing while bytes wait for the kernel, else what the
    /// peer's window leaves.
    public var roomByteCount: Int {
        guard let session, !isCongested else { return 0 }
        return max(session.remoteWindowByteCount - session.queuedBodyByteCount, 0)
    }

    /// Client: opens a stream with a whole request.
    ///
    /// Nothing is sent before ``flush()``, or before the handler returns when called from one.
    /// - Parameters:
    ///   - fields: pseudo-header fields first.
    ///   - body: kept, not copied, until the stream ends.
    ///   - tag: comes back with the stream.
    /// - Returns: the stream, or nil when the connection takes no more; then nothing was sent.
    public func open(fields: borrowing HTTP2Fields, body: [UInt8], tag: Int) -> HTTP2Stream? {
        guard case .open = phase, !isEnding, socket?.isOpen == true else { return nil }
        return session?.submitRequest(fields: fields, body: body, tag: tag)
    }

    /// Server: answers a stream; one that has ended is left alone.
    public func respond(to stream: HTTP2Stream, fields: borrowing HTTP2Fields, body: [UInt8] = []) {
        session?.submitResponse(to: stream, fields: fields, body: body)
    }

    /// Ends a stream with RST_STREAM.
    public func reset(_ stream: HTTP2Stream, errorCode: HTTP2ErrorCode) {
        session?.reset(stream, errorCode: errorCode)
    }

    // MARK: Connection

    /// Tells the peer how many streams it may have open from now on.
    public func setMaxConcurrentStreams(_ count: Int) {
        session?.submitMaxConcurrentStreams(count)
    }

    /// Asks the peer for a sign of life.
    public func ping() {
        session?.submitPing()
    }

    /// Tells the peer that no more streams are taken; open ones may end.
    ///
    /// - Parameters:
    ///   - errorCode: why.
    ///   - debugData: such as APNs' JSON object with a reason.
    ///   - lastStreamID: streams above it count as not processed; nil means all that came.
    public func goAway(
        errorCode: HTTP2ErrorCode = .noError, debugData: [UInt8] = [], lastStreamID: Int32? = nil
    ) {
        guard let session else { return }
        session.submitGoAway(
            lastStreamID: lastStreamID ?? session.lastProcessedStreamID, errorCode: errorCode,
            debugData: debugData)
    }

    /// Sends what was submitted so far; of use outside of a handler's call, and before a GOAWAY.
    public func flush() {
        guard let session, case .open = phase else { return }
        send(session)
        if !isDelivering { closeIfOver() }
    }

    /// Sends what is queued, then closes.
    public func closeAfterFlush() {
        closesWhenFlushed = true
        flush()
        closeIfOver()
    }

    /// Closes at once.
    ///
    /// - Parameters:
    ///   - error: handed to the handler.
    ///   - abruptly: by a TCP reset, dropping what is queued.
    public func close(_ error: TransportError? = nil, abruptly: Bool = false) {
        if case .ended = phase { return }
        isEnding = true
        if !abruptly {
            tls.sendCloseNotify()
            sendEncrypted()
        }
        if let socket {
            // A client closes when it has nothing to say or to hear any more.
            if role == .server, !abruptly {
                socket.closeInOrder(error)
            } else {
                socket.close(error, abruptly: abruptly)
            }
        } else {
            ended(error)
        }
    }

    // MARK: Starting

    /// Goes on with a socket that is connected.
    func start(_ socket: TCPStream, tunnel: (host: String, port: Int, authorization: String?)?) {
        if case .ended = phase { return socket.close() }
        self.socket = socket
        startTicker()
        if let tunnel {
            phase = .tunnelling(ProxyTunnel())
            socket.start(delegate: self)
            let request = ProxyTunnel.request(
                host: tunnel.host, port: tunnel.port, authorization: tunnel.authorization)
            request.withUnsafeBytes { socket.write($0) }
        } else {
            socket.start(delegate: self)
            advanceHandshake()
        }
        remoteAddress = socket.remoteAddress
    }

    /// Ends a connection whose socket never came to be.
    func failToStart(_ error: TransportError) {
        if socket == nil { ended(error) }
    }

    func startTicker() {
        let interval = configuration.tickInterval
        startedAtMilliseconds = eventLoop.nowMilliseconds
        ticker = eventLoop.schedule(after: interval, repeating: interval) { [unowned self] in tick() }
    }

    // MARK: TCPStream.Delegate

    func received(_ bytes: UnsafeRawBufferPointer) {
        let now = eventLoop.nowMilliseconds
        heardAtMilliseconds = now
        keepAlive.heard(now: now)
        switch phase {
        case .ended:
            return
        case .tunnelling(var tunnel):
            switch tunnel.receive(bytes) {
            case .needsInput:
                phase = .tunnelling(tunnel)
            case .refused(let error):
                close(error)
            case .open:
                phase = .handshaking
                advanceHandshake()
            }
        case .handshaking:
            feed(bytes)
            advanceHandshake()
        case .open:
            feed(bytes)
            readPlain(now: now)
        }
    }

    func receivedEnd() {
        tls.receiveEnd()
        if case .handshaking = phase { advanceHandshake() }
    }

    func drained() {
        stalledAtMilliseconds = nil
        guard isCongested else { return closeIfOver() }
        isCongested = false
        socket?.resumeReading()
        if let session { send(session) }
        handler?.connectionHasRoom(self)
        flush()
        closeIfOver()
    }

    func ended(_ error: TransportError?) {
        if case .ended = phase { return }
        phase = .ended
        endError = error
        ticker?.cancel()
        ticker = nil
        if let session {
            session.abandonOpenStreams(errorCode: .connectError)
            deliver(session)
        }
        let handler = handler
        self.handler = nil
        socket = nil
        handler?.connectionClosed(self, error: error)
        onEnd?()
        onEnd = nil
    }
}
