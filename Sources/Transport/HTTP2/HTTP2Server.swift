public import Crypto
internal import Synchronization

/// A server for HTTP/2 over TLS on any number of event loops.
///
/// The first loop accepts; connections go to the loops in turn. All methods are callable from any
/// thread.
public final class HTTP2Server: Sendable {
    /// Makes the handler of a new connection, on the connection's loop.
    public typealias MakeHandler = @Sendable (_ loop: EventLoop) -> any HTTP2ConnectionHandler

    private struct State {
        var isStopping = false
        var connectionCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let loops: EventLoopGroup
    private let tls: TLSContext
    private let configuration: HTTP2ConnectionConfiguration
    private let connectionCountMax: Int
    private let makeHandler: MakeHandler
    private let state = Mutex(State())
    private let listener: LoopBound<TCPListener>
    private let rosters: [LoopBound<Roster>]

    /// Describes a server; nothing listens before ``listen(host:port:)``.
    ///
    /// - Parameters:
    ///   - loops: outlive the server.
    ///   - tls: must offer `h2`.
    ///   - configuration: limits and timeouts of each connection.
    ///   - connectionCountMax: above it connections are closed as they come.
    ///   - makeHandler: makes each connection's handler.
    public init(
        loops: EventLoopGroup, tls: TLSContext,
        configuration: HTTP2ConnectionConfiguration = HTTP2ConnectionConfiguration(),
        connectionCountMax: Int = 10_000,
        makeHandler: @escaping MakeHandler
    ) {
        self.loops = loops
        self.tls = tls
        self.configuration = configuration
        self.connectionCountMax = connectionCountMax
        self.makeHandler = makeHandler
        listener = LoopBound(loop: loops.loops[0])
        rosters = loops.loops.map { LoopBound(loop: $0) }
    }

    /// How many connections are open.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - host: an IP address to bind to, `0.0.0.0` or `::` for all.
    ///   - port: 0 lets the system choose.
    /// - Returns: the port that is listened on.
    /// - Throws: a ``TransportError`` with code `listen`.
    public func listen(host: String, port: Int) async throws(TransportError) -> Int {
        guard let address = SocketAddress(literal: host, port: port) else {
            throw TransportError(
                .argument, "'\(host)' port \(port): an IPv4 or IPv6 address and a port up to 65535 are needed"
            )
        }
        let result: Result<Int, TransportError> = await withCheckedContinuation { continuation in
            let accepted = loops.loops[0].execute { [self] in
                continuation.resume(returning: open(address))
            }
            if !accepted {
                continuation.resume(returning: .failure(TransportError(.closed, "the event loop ended")))
            }
        }
        return try result.get()
    }

    /// Stops accepting; tells every handler's connection by `each`; waits until all have ended.
    ///
    /// - Parameters:
    ///   - deadline: after which what is still open is cut.
    ///   - each: runs on each connection's loop, such as to send GOAWAY.
    public func shutdown(
        deadline: Duration, each: @escaping @Sendable (HTTP2Connection) -> Void = { $0.goAway() }
    ) async {
        let first = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        if first {
            await stopListening()
            for (loop, roster) in zip(loops.loops, rosters) {
                loop.execute {
                    for connection in roster.value?.connections.values.map({ $0 }) ?? [] {
                        each(connection)
                        connection.closeAfterFlush()
                    }
                    loop.schedule(after: deadline) {
                        for connection in roster.value?.connections.values.map({ $0 }) ?? [] {
                            connection.close(
                                TransportError(.closed, "the server stopped"), abruptly: true)
                        }
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.connectionCount > 0 { state.waiters.append(continuation) }
                return state.connectionCount == 0
            }
            if isOver { continuation.resume() }
        }
    }

    /// Returns when the port is free.
    private func stopListening() async {
        await withCheckedContinuation { continuation in
            let isAccepted = loops.loops[0].execute { [self] in
                guard let listener = listener.value else { return continuation.resume() }
                listener.close { continuation.resume() }
            }
            if !isAccepted { continuation.resume() }
        }
    }

    /// Runs a closure with every open connection, on each connection's loop.
    public func forEachConnection(_ body: @escaping @Sendable (HTTP2Connection) -> Void) {
        for (loop, roster) in zip(loops.loops, rosters) {
            loop.execute {
                for connection in roster.value?.connections.values.map({ $0 }) ?? [] { body(connection) }
            }
        }
    }

    private func open(_ address: SocketAddress) -> Result<Int, TransportError> {
        do {
            let listener = try TCPListener(address: address, loop: loops.loops[0]) { [self] in accept($0) }
            self.listener.value = listener
            return .success(listener.port)
        } catch {
            return .failure(error)
        }
    }

    private func accept(_ listening: TCPListener) {
        let home = loops.loops[0]
        let socket = TCPStream(loop: home)
        do {
            try socket.accept(from: listening)
        } catch {
            return socket.close()
        }
        let isWelcome = state.withLock { state in
            guard !state.isStopping, state.connectionCount < connectionCountMax else { return false }
            state.connectionCount += 1
            return true
        }
        guard isWelcome else { return socket.close() }

        let index = nextIndex()
        guard index != 0 else { return begin(socket, index: 0) }
        // Moves to its loop as a second descriptor of the same socket.
        guard let descriptor = socket.duplicateFileDescriptor() else {
            socket.close()
            return forget()
        }
        socket.close()
        loops.loops[index].execute { [self] in
            let moved = TCPStream(loop: loops.loops[index])
            do {
                try moved.open(fileDescriptor: descriptor)
                begin(moved, index: index)
            } catch {
                moved.close()
                forget()
            }
        }
    }

    private func nextIndex() -> Int {
        let next = loops.next()
        return loops.loops.firstIndex { $0 === next } ?? 0
    }

    private func begin(_ socket: TCPStream, index: Int) {
        let loop = loops.loops[index]
        // The connections of this loop may have been told to end while this one was on its way here.
        guard !state.withLock({ $0.isStopping }) else {
            socket.close()
            return forget()
        }
        do {
            let session = try TLSSession(server: tls)
            let roster = rosters[index].value ?? Roster()
            rosters[index].value = roster
            let connection = HTTP2Connection(
                role: .server, eventLoop: loop, tls: session, configuration: configuration,
                handler: makeHandler(loop))
            connection.onEnd = { [weak self, unowned connection] in
                roster.connections[connection.id] = nil
                self?.forget()
            }
            roster.connections[connection.id] = connection
            connection.start(socket, tunnel: nil)
        } catch {
            socket.close()
            forget()
        }
    }

    private func forget() {
        let waiters = state.withLock { state in
            state.connectionCount -= 1
            guard state.connectionCount == 0 else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// The connections of one loop.
private final class Roster {
    var connections: [UInt64: HTTP2Connection] = [:]
}
