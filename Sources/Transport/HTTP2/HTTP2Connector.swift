public import Crypto

/// Opens HTTP/2 connections: resolves, connects, tunnels, encrypts.
public struct HTTP2Connector: Sendable {
    /// The server's host name, also checked against its certificate.
    public var host: String
    /// The server's port.
    public var port: Int
    /// How the server is trusted and which certificate is shown to it; must offer `h2`.
    public var tls: TLSContext
    /// A proxy to tunnel through.
    public var proxy: HTTPProxy?
    /// Limits and timeouts.
    public var configuration: HTTP2ConnectionConfiguration

    /// Describes connections to a server.
    public init(
        host: String, port: Int, tls: TLSContext, proxy: HTTPProxy? = nil,
        configuration: HTTP2ConnectionConfiguration = HTTP2ConnectionConfiguration()
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.proxy = proxy
        self.configuration = configuration
    }

    /// Starts a connection; its handler hears of success or failure.
    ///
    /// Loop only.
    public func connect(
        on loop: EventLoop, handler: any HTTP2ConnectionHandler
    ) throws(TransportError) -> HTTP2Connection {
        let session: TLSSession
        do {
            session = try TLSSession(client: tls, serverName: host)
        } catch {
            throw TransportError(.tls, error.message)
        }
        let connection = HTTP2Connection(
            role: .client, eventLoop: loop, tls: session, configuration: configuration, handler: handler)
        Attempt(connector: self, connection: connection, loop: loop).begin()
        return connection
    }
}

/// One try to reach a server: its addresses in turn, until one answers or time is up.
private final class Attempt {
    private let connector: HTTP2Connector
    private let connection: HTTP2Connection
    private let loop: EventLoop
    private var addresses: ArraySlice<SocketAddress> = []
    private var socket: TCPStream?
    private var deadline: EventLoopTimer?
    private var patience: EventLoopTimer?
    private var lastError = TransportError(.connect, "no address")
    private var isOver = false

    /// An address that swallows packets must leave time for the next ones.
    private static let addressesTriedMax = 4

    init(connector: HTTP2Connector, connection: HTTP2Connection, loop: EventLoop) {
        self.connector = connector
        self.connection = connection
        self.loop = loop
    }

    func begin() {
        deadline = loop.schedule(after: connector.configuration.connectTimeout) { [self] in
            fail(TransportError(.timeout, "\(name) could not be reached in time (\(lastError.message))"))
        }
        let target = connector.proxy.map { ($0.host, $0.port) } ?? (connector.host, connector.port)
        Resolver.resolve(host: target.0, port: target.1, on: loop) { [self] result in
            guard !isOver else { return }
            switch result {
            case .success(let found):
                addresses = found.prefix(Self.addressesTriedMax)
                tryNext()
            case .failure(let error):
                fail(error)
            }
        }
    }

    private var name: String {
        let target = connector.proxy.map { ($0.host, $0.port) } ?? (connector.host, connector.port)
        return "\(target.0):\(target.1)"
    }

    private func tryNext() {
        guard let address = addresses.popFirst() else {
            return fail(TransportError(.connect, "\(name): \(lastError.message)"))
        }
        let socket = TCPStream(loop: loop)
        self.socket = socket
        // Each address gets its share of what time there is.
        let share = connector.configuration.connectTimeout / (addresses.count + 1)
        if !addresses.isEmpty {
            patience = loop.schedule(after: share) { [self] in
                lastError = TransportError(.timeout, "\(address.text) does not answer")
                socket.close()
                self.socket = nil
                tryNext()
            }
        }
        socket.connect(to: address) { [self] error in
            guard !isOver, self.socket === socket else { return }
            patience?.cancel()
            if let error {
                lastError = TransportError(.connect, "\(address.text) \(error.message)")
                socket.close()
                tryNext()
            } else {
                succeed(socket)
            }
        }
    }

    private func succeed(_ socket: TCPStream) {
        end()
        connection.start(
            socket,
            tunnel: connector.proxy.map { (connector.host, connector.port, $0.authorization) })
    }

    private func fail(_ error: TransportError) {
        guard !isOver else { return }
        socket?.close()
        end()
        connection.failToStart(error)
    }

    private func end() {
        isOver = true
        deadline?.cancel()
        patience?.cancel()
        socket = nil
    }
}
