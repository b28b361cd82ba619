public import Crypto
internal import Synchronization

/// One HTTP/2 connection over TLS: socket, encryption, protocol and timeouts together.
///
/// Loop-confined: made, used and ended on one event loop's thread. A connection that is open keeps
/// itself alive; it lets go of its handler after ``HTTP2ConnectionHandler/connectionClosed(_:error:)``.
public final class HTTP2Connection: TCPStream.Delegate {
    private enum Phase {
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
    public private(set) var isReady = false
    /// Why the connection ended, known before its open streams are reported; nil while it lives and for an
    /// end that was asked for.
    public private(set) var endError: TransportError?
    /// Whether the peer has said that it takes no more streams.
    public private(set) var hasReceivedGoAway = false

    private let configuration: HTTP2ConnectionConfiguration
    private let role: HTTP2Session.Role
    private let tls: TLSSession
    /// Who is told what happens; nil once the connection has ended.
    public private(set) var handler: (any HTTP2ConnectionHandler)?
    private var phase: Phase
    private var socket: TCPStream?
    private var session: HTTP2Session?
    private var keepAlive: KeepAlive
    private var ticker: EventLoopTimer?
    private var startedAtMilliseconds: UInt64
    private var heardAtMilliseconds: UInt64
    /// For the server that made the connection; runs once, after the handler heard of the end.
    var onEnd: (() -> Void)?
    private var isDelivering = false
    private var isFlushing = false
    private var isCongested = false
    /// Since when a slow peer has been waited for.
    private var stalledAtMilliseconds: UInt64?
    private var closesWhenFlushed = false
    /// The end has been found and is only not carried out yet.
    private var isEnding = false

    /// Bytes that may wait for a slow peer before no more are made and its requests are not read.
    static let pendingByteCountMax = 1024 * 1024
    /// Silence after which a connection without streams gives memory back.
    private static let idleMilliseconds: UInt64 = 5000
    private static let counter = Atomic<UInt64>(1)

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

    private func startTicker() {
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

    // MARK: Bytes

    private func feed(_ bytes: UnsafeRawBufferPointer) {
        do {
            try tls.receive(bytes)
        } catch {
            close(TransportError(.tls, error.message))
        }
    }

    private func advanceHandshake() {
        guard case .handshaking = phase else { return }
        let progress = tls.handshake()
        sendEncrypted()
        switch progress {
        case .needsInput:
            return
        case .failed(let error):
            // The alert has been sent; closing in order lets it arrive.
            socket?.close(TransportError(.tls, error.message))
        case .established:
            // A server also takes clients that do not use ALPN at all, as Apple does: aioapns is one.
            let chosen = tls.negotiatedApplicationProtocol
            guard chosen == "h2" || (chosen == nil && role == .server) else {
                return close(TransportError(.http2, "the peer does not offer HTTP/2 (ALPN h2)"))
            }
            do {
                let now = eventLoop.nowMilliseconds
                let settings =
                    handler?.connection(self, willStartWith: configuration.settings)
                    ?? configuration.settings
                let session = try HTTP2Session(role: role, settings: settings, nowMilliseconds: now)
                self.session = session
                phase = .open
                send(session)
                readPlain(now: now)
            } catch {
                close(error)
            }
        }
    }

    /// Decrypts what has come, feeds the session, then tells the handler once.
    private func readPlain(now: UInt64) {
        guard let session else { return }
        session.nowMilliseconds = now
        var end: TransportError?
        var isPeerDone = false
        reading: while true {
            switch tls.read(into: eventLoop.scratchBuffer) {
            case .bytes(let count):
                do {
                    try session.receive(UnsafeRawBufferPointer(rebasing: eventLoop.scratchBuffer[..<count]))
                } catch {
                    end = error
                    break reading
                }
            case .needsInput:
                break reading
            case .closed:
                isPeerDone = true
                break reading
            case .failed(let error):
                end = TransportError(.tls, error.message)
                break reading
            }
        }
        // A handler must not open streams on what it does not know to be over.
        isEnding = isEnding || end != nil || isPeerDone
        deliver(session)
        if session.isFlooded, end == nil {
            goAway(errorCode: .enhanceYourCalm)
            end = TransportError(.limit, "the peer floods the connection with resets or empty frames")
        }
        send(session)
        if let end { return close(end) }
        if isPeerDone {
            return close(TransportError(.connectionLost, "the peer closed the connection"))
        }
        closeIfOver()
    }

    private func deliver(_ session: HTTP2Session) {
        isDelivering = true
        let events = session.takeEvents()
        if events.receivedSettings {
            if isReady {
                handler?.connectionChangedSettings(self)
            } else if case .open = phase {
                isReady = true
                handler?.connectionReady(self)
            }
        }
        for goAway in events.goAways {
            hasReceivedGoAway = true
            handler?.connection(
                self,
                receivedGoAway: HTTP2GoAway(
                    lastStreamID: goAway.lastStreamID, errorCode: goAway.errorCode,
                    debugData: goAway.debugData))
        }
        if !events.streams.isEmpty {
            let streams = role == .server ? refusingOversized(events.streams) : events.streams
            handler?.connection(self, received: streams)
        }
        if !events.abandoned.isEmpty {
            handler?.connection(self, abandoned: events.abandoned)
        }
        session.recycle(events)
        isDelivering = false
    }

    /// Answers requests whose header list is beyond the limit (RFC 6585 §5); the others are left.
    private func refusingOversized(_ streams: [HTTP2Stream]) -> [HTTP2Stream] {
        guard streams.contains(where: \.isOversized) else { return streams }
        for stream in streams where stream.isOversized {
            var fields = HTTP2Fields()
            fields.append(name: ":status", value: "431")
            respond(to: stream, fields: fields)
        }
        return streams.filter { !$0.isOversized }
    }

    /// Sends what the session has, and tells the handler what sending itself brought about, such as the
    /// end of a stream that was reset.
    private func send(_ session: HTTP2Session) {
        sendFrames(session)
        while session.hasEvents, !isDelivering, case .open = phase {
            deliver(session)
            sendFrames(session)
        }
    }

    private func sendFrames(_ session: HTTP2Session) {
        // TLS may have an answer of its own, such as to a key update.
        sendEncrypted()
        guard !isFlushing, !isCongested else { return }
        isFlushing = true
        defer { isFlushing = false }
        do throws(TransportError) {
            try session.produce(
                into: eventLoop.scratchBuffer,
                while: { (socket?.pendingByteCount ?? 0) < Self.pendingByteCountMax },
                write: { piece throws(TransportError) in
                    do throws(CryptoError) {
                        try tls.write(piece)
                    } catch {
                        throw TransportError(.tls, error.message)
                    }
                    sendEncrypted()
                })
        } catch {
            return close(error)
        }
        if let socket, socket.pendingByteCount >= Self.pendingByteCountMax {
            isCongested = true
            stalledAtMilliseconds = stalledAtMilliseconds ?? eventLoop.nowMilliseconds
            // Only one end may wait like this: two would wait for each other.
            if role == .server { socket.pauseReading() }
        }
    }

    private func sendEncrypted() {
        guard let socket else { return }
        let output = tls.pendingOutput
        guard output.count > 0 else { return }
        socket.write(output)
        tls.dropOutput(output.count)
    }

    private func closeIfOver() {
        guard let session, case .open = phase, !isCongested else { return }
        if session.isOver || (closesWhenFlushed && session.open.isEmpty) {
            // Closing would drop what the kernel has not taken yet.
            if let socket, socket.pendingByteCount > 0 {
                stalledAtMilliseconds = stalledAtMilliseconds ?? eventLoop.nowMilliseconds
                return
            }
            close(closesWhenFlushed ? nil : TransportError(.connectionLost, "the HTTP/2 session ended"))
        }
    }

    // MARK: Time

    private func tick() {
        let now = eventLoop.nowMilliseconds
        guard isReady, let session else {
            if now >= startedAtMilliseconds + configuration.handshakeTimeout.milliseconds {
                var what = "no TLS and HTTP/2 handshake in time"
                if case .tunnelling = phase { what = "the proxy did not answer in time" }
                close(TransportError(.timeout, what), abruptly: true)
            }
            return
        }
        if let stalledAtMilliseconds,
            now >= stalledAtMilliseconds + configuration.stallTimeout.milliseconds
        {
            return close(TransportError(.timeout, "the peer does not read what it is sent"), abruptly: true)
        }
        session.nowMilliseconds = now
        if role == .server { endSlowRequests(session, now: now) }
        handler?.connectionTicked(self, nowMilliseconds: now)
        // Thousands of idle connections must not each keep the buffers of their last burst.
        if session.open.isEmpty, now >= heardAtMilliseconds + Self.idleMilliseconds {
            tls.releaseIdleMemory()
        }
        switch keepAlive.tick(now: now, isOwedAnswers: role == .client && !session.open.isEmpty) {
        case .none:
            break
        case .ping:
            session.submitPing()
        case .giveUp:
            return close(
                TransportError(.timeout, "the peer answers nothing, not even a ping"), abruptly: true)
        }
        send(session)
        closeIfOver()
    }

    private func endSlowRequests(_ session: HTTP2Session, now: UInt64) {
        let patience = configuration.requestTimeout.milliseconds
        for stream in session.open where stream.isAnswered || !stream.isComplete {
            let begin = stream.isAnswered ? stream.answeredAtMilliseconds : stream.openedAtMilliseconds
            if now >= begin + patience { reset(stream, errorCode: .cancel) }
        }
    }
}
