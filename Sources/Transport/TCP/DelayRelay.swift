/// Passes TCP connections on to another server, each byte late by a fixed time: distance without a network.
///
/// For benchmarks and tests. The rate is not limited; what is on its way is, by pausing the sender. The
/// opening of a connection is not delayed. Callable from any thread.
package final class DelayRelay: Sendable {
    private let loop: EventLoop
    private let host: String
    private let port: Int
    private let delayNanoseconds: UInt64
    private let listener: LoopBound<TCPListener>

    /// Describes a relay; nothing listens before ``listen(host:port:)``.
    ///
    /// - Parameters:
    ///   - host: a name or address to pass connections on to.
    ///   - port: the port there.
    ///   - delay: how late each byte arrives, in either direction: half of the round trip.
    ///   - loop: the thread to work on.
    package init(to host: String, port: Int, delay: Duration, loop: EventLoop) {
        self.loop = loop
        self.host = host
        self.port = port
        delayNanoseconds = delay.milliseconds * 1_000_000
        listener = LoopBound(loop: loop)
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - host: an IP address to bind to.
    ///   - port: 0 lets the system choose.
    /// - Returns: the port that is listened on.
    /// - Throws: a ``TransportError`` with code `listen` or `argument`.
    package func listen(host: String, port: Int) async throws(TransportError) -> Int {
        guard let address = SocketAddress(literal: host, port: port) else {
            throw TransportError(
                .argument, "'\(host)' port \(port): an IPv4 or IPv6 address and a port up to 65535 are needed"
            )
        }
        let result: Result<Int, TransportError> = await withCheckedContinuation { continuation in
            let isRunning = loop.execute { [self] in
                continuation.resume(returning: open(address))
            }
            if !isRunning {
                continuation.resume(returning: .failure(TransportError(.closed, "the event loop ended")))
            }
        }
        return try result.get()
    }

    /// Stops listening; connections that stand go on.
    package func close() {
        loop.execute { [listener] in listener.value?.close() }
    }

    private func open(_ address: SocketAddress) -> Result<Int, TransportError> {
        do throws(TransportError) {
            let listener = try TCPListener(address: address, loop: loop) { [self] in accept(from: $0) }
            self.listener.value = listener
            return .success(listener.port)
        } catch {
            return .failure(error)
        }
    }

    private func accept(from listener: TCPListener) {
        let near = TCPStream(loop: loop)
        do throws(TransportError) {
            try near.accept(from: listener)
        } catch {
            return near.close()
        }
        Resolver.resolve(host: host, port: port, on: loop) { [self] result in
            switch result {
            case .success(let addresses): connect(near, to: addresses[...])
            case .failure: near.close(abruptly: true)
            }
        }
    }

    /// Tries the addresses of the target in turn.
    private func connect(_ near: TCPStream, to addresses: ArraySlice<SocketAddress>) {
        guard let address = addresses.first else { return near.close(abruptly: true) }
        let far = TCPStream(loop: loop)
        far.connect(to: address) { [self] error in
            guard error == nil else {
                far.close()
                return connect(near, to: addresses.dropFirst())
            }
            let out = DelayLine(from: near, to: far, delayNanoseconds: delayNanoseconds)
            let back = DelayLine(from: far, to: near, delayNanoseconds: delayNanoseconds)
            out.opposite = back
            back.opposite = out
            near.start(delegate: out)
            far.start(delegate: back)
        }
    }
}

/// One direction of a relayed connection: bytes that are on their way.
///
/// Loop-confined.
private final class DelayLine: TCPStream.Delegate {
    private struct Piece {
        var bytes: [UInt8]
        var dueNanoseconds: UInt64
    }

    private let source: TCPStream
    private let sink: TCPStream
    private let delayNanoseconds: UInt64
    /// Weak: each line is kept by the socket it reads from.
    weak var opposite: DelayLine?
    private var pieces: [Piece] = []
    private var head = 0
    private var byteCount = 0
    private var isPaused = false
    private var isTimerSet = false
    private var hasSourceEnded = false

    /// Bytes on their way before the sender is paused: 10 Gbit/s at 50 ms one way.
    private static let byteCountMax = 64 * 1024 * 1024

    init(from source: TCPStream, to sink: TCPStream, delayNanoseconds: UInt64) {
        self.source = source
        self.sink = sink
        self.delayNanoseconds = delayNanoseconds
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
        let due = EventLoop.monotonicNanoseconds + delayNanoseconds
        pieces.append(Piece(bytes: Array(bytes), dueNanoseconds: due))
        byteCount += bytes.count
        if byteCount >= Self.byteCountMax, !isPaused {
            isPaused = true
            source.pauseReading()
        }
        deliver()
    }

    /// The source has room again, into which the other direction writes.
    func drained() {
        opposite?.deliver()
    }

    func ended(_ error: TransportError?) {
        hasSourceEnded = true
        deliver()
    }

    /// Hands on what is due, as far as the receiver takes it.
    private func deliver() {
        let now = EventLoop.monotonicNanoseconds
        while head < pieces.count, pieces[head].dueNanoseconds <= now, sink.pendingByteCount == 0 {
            pieces[head].bytes.withUnsafeBytes { sink.write($0) }
            byteCount -= pieces[head].bytes.count
            pieces[head].bytes = []
            head += 1
        }
        if head == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            head = 0
            // The rest goes with the socket's last bytes, so the end waits for them.
            if hasSourceEnded, sink.pendingByteCount == 0 { sink.close() }
        } else {
            if head >= 1024 {
                pieces.removeFirst(head)
                head = 0
            }
            if pieces[head].dueNanoseconds > now { setTimer(nanoseconds: pieces[head].dueNanoseconds - now) }
        }
        if isPaused, byteCount < Self.byteCountMax / 2 {
            isPaused = false
            source.resumeReading()
        }
    }

    private func setTimer(nanoseconds: UInt64) {
        guard !isTimerSet else { return }
        isTimerSet = true
        sink.loop.schedule(after: .nanoseconds(Int64(nanoseconds))) { [self] in
            isTimerSet = false
            deliver()
        }
    }
}
