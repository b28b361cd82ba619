internal import Crypto

/// How bytes pass: from the socket through TLS to the session and its handler, and back; and the clock.
extension HTTP2Connection {
    func feed(_ bytes: UnsafeRawBufferPointer) {
        do {
            try tls.receive(bytes)
        } catch {
            close(TransportError(.tls, error.message))
        }
    }

    func advanceHandshake() {
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
    func readPlain(now: UInt64) {
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

    func deliver(_ session: HTTP2Session) {
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
    func refusingOversized(_ streams: [HTTP2Stream]) -> [HTTP2Stream] {
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
    func send(_ session: HTTP2Session) {
        sendFrames(session)
        while session.hasEvents, !isDelivering, case .open = phase {
            deliver(session)
            sendFrames(session)
        }
    }

    func sendFrames(_ session: HTTP2Session) {
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

    func sendEncrypted() {
        guard let socket else { return }
        let output = tls.pendingOutput
        guard output.count > 0 else { return }
        socket.write(output)
        tls.dropOutput(output.count)
    }

    func closeIfOver() {
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

    func tick() {
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

    func endSlowRequests(_ session: HTTP2Session, now: UInt64) {
        let patience = configuration.requestTimeout.milliseconds
        for stream in session.open where stream.isAnswered || !stream.isComplete {
            let begin = stream.isAnswered ? stream.answeredAtMilliseconds : stream.openedAtMilliseconds
            if now >= begin + patience { reset(stream, errorCode: .cancel) }
        }
    }
}
