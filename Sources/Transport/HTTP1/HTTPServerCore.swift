internal import Synchronization

/// What the threads of one running ``HTTPServer`` share: its handler, its limits and its connections.
final class HTTPServerCore: Sendable {
    private struct State {
        var connections: [UInt64: HTTPConnection] = [:]
        var nextID = SocketWatch.firstID
        /// Accepted sockets, among them those libmicrohttpd has not started yet.
        var acceptedCount = 0
        var countsByAddress: [String: Int] = [:]
        var isDraining = false
        var isStopped = false
    }

    let configuration: HTTPServer.Configuration
    let timeLimits: HTTPConnectionMachine.Limits
    let sizeLimits: RequestAssembler.Limits
    let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    let watch: SocketWatch

    private let state = Mutex(State())

    init(
        configuration: HTTPServer.Configuration, watch: SocketWatch,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.configuration = configuration
        timeLimits = configuration.timeLimits
        sizeLimits = configuration.sizeLimits
        self.watch = watch
        self.handler = handler
    }

    // MARK: - Counting

    /// Accepted sockets that are not closed yet.
    var acceptedCount: Int { state.withLock { $0.acceptedCount } }

    /// Counts an accepted socket, unless its address has too many.
    func admit(_ address: String) -> Bool {
        state.withLock { state in
            let count = state.countsByAddress[address, default: 0]
            guard count < configuration.connectionCountMaxPerAddress ?? .max else { return false }
            state.countsByAddress[address] = count + 1
            state.acceptedCount += 1
            return true
        }
    }

    /// Counts a socket that is gone.
    func dismiss(_ address: String) {
        let wasFull = state.withLock { state in
            let count = state.countsByAddress[address, default: 1] - 1
            state.countsByAddress[address] = count > 0 ? count : nil
            state.acceptedCount -= 1
            return state.isDraining || state.acceptedCount + 1 >= configuration.connectionCountMax
        }
        // The supervisor waits for the last one, or has stopped accepting.
        if wasFull { watch.wakeUp() }
    }

    // MARK: - Connections

    /// libmicrohttpd has taken a socket, and says so on the connection's thread.
    func started(_ handle: MHDConnection) -> HTTPConnection {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        let connection = HTTPConnection(id: id, handle: handle, core: self)
        let (isDraining, isStopped) = state.withLock { state in
            state.connections[id] = connection
            return (state.isDraining, state.isStopped)
        }
        // Registered before the flags were read, or else `drain` and `stop` find it.
        if isStopped { connection.stop() } else if isDraining { connection.drain() }
        watch.watch(hangUpOf: handle.socket, id: id)
        return connection
    }

    /// A connection's socket is about to be closed on the connection's thread.
    func closed(_ connection: HTTPConnection) {
        state.withLock { $0.connections[connection.id] = nil }
        dismiss(connection.remoteAddress)
    }

    /// The connection of a number, if it is still open.
    func connection(_ id: UInt64) -> HTTPConnection? {
        state.withLock { $0.connections[id] }
    }

    /// Every open connection.
    var connections: [HTTPConnection] { state.withLock { Array($0.connections.values) } }

    /// Takes no further requests.
    func drain() {
        state.withLock { $0.isDraining = true }
        for connection in connections { connection.drain() }
    }

    /// Ends every connection: afterwards none is suspended, and none will be.
    func stop() {
        state.withLock { state in
            state.isDraining = true
            state.isStopped = true
        }
        for connection in connections { connection.stop() }
    }
}
