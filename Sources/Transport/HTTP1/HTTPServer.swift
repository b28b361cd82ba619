internal import Synchronization

/// An HTTP/1.1 server for APIs and event streams, on libmicrohttpd.
///
/// A request is handed to the handler once it has been received whole; the handler runs as a task on
/// Swift's pool, as many at a time as there are connections. Meanwhile the connection waits, so a slow
/// handler holds up nobody else. A handler is cancelled when its time is over, when the client closes the
/// connection and when the server stops; its answer is then dropped.
///
/// Requests that are malformed, ambiguous or beyond a limit are answered by the server, with
/// `{"error": "…"}`. Two kinds are answered by libmicrohttpd itself, in HTML: what it cannot parse at all, and
/// a body length it cannot read (0.9.75 sends that answer's head twice before it closes).
///
/// Bind it to the loopback address or put a TLS proxy in front of it: it speaks plain HTTP.
public final class HTTPServer: Sendable {
    private enum State {
        case new
        case running(HTTPServerSupervisor, port: UInt16)
    }

    private let configuration: Configuration
    private let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    private let state = Mutex(State.new)

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, and the limits.
    ///   - handler: answers every request; runs many times at once.
    public init(
        configuration: Configuration = Configuration(),
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.configuration = configuration
        self.handler = handler
    }

    deinit {
        state.withLock { state in
            if case .running(let supervisor, _) = state { supervisor.stop(by: .now, waiting: nil) }
        }
    }

    /// Binds and begins to serve, without blocking.
    ///
    /// - Throws: `argument` when a setting cannot work or the server has been started before, `listen` when
    ///   the address cannot be bound, `limit` when the system refuses threads.
    public func start() throws(TransportError) {
        try configuration.validate()
        try state.withLock { state throws(TransportError) in
            guard case .new = state else {
                throw TransportError(.argument, "an HTTP server can be started once")
            }
            let listener = try ListeningSocket(host: configuration.host, port: configuration.port)
            do throws(TransportError) {
                let core = HTTPServerCore(
                    configuration: configuration, watch: try SocketWatch(), handler: handler)
                let daemon = try MHDDaemon(core: core)
                let supervisor = HTTPServerSupervisor(core: core, daemon: daemon, listener: listener)
                do throws(TransportError) {
                    try OwnedThread.start(name: "http-\(listener.port)") { supervisor.run() }
                } catch {
                    daemon.stop()
                    throw error
                }
                state = .running(supervisor, port: listener.port)
            } catch {
                listener.close()
                throw error
            }
        }
    }

    /// The port that is listened on; 0 before ``start()``.
    public var port: UInt16 {
        state.withLock { state in
            if case .running(_, let port) = state { port } else { 0 }
        }
    }

    /// Stops listening, closes idle connections, ends event streams and lets running handlers finish.
    ///
    /// Callable from any task, more than once: every call returns when everything has ended, and the
    /// earliest deadline counts. Threads are joined on a thread of the server's own.
    ///
    /// - Parameter deadline: how long handlers and slow clients get, from now; then handlers are cancelled and
    ///   connections cut.
    public func stop(deadline: Duration = .seconds(10)) async {
        let supervisor: HTTPServerSupervisor? = state.withLock { state in
            if case .running(let supervisor, _) = state { supervisor } else { nil }
        }
        guard let supervisor else { return }
        await withCheckedContinuation { continuation in
            supervisor.stop(by: .now + deadline, waiting: continuation)
        }
    }
}
