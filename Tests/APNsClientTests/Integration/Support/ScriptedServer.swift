import APNs
import Crypto
import Synchronization
import Transport

@testable import APNsClient

/// An HTTP/2 server whose connections behave as a test's subclass of ``ScriptedConnection`` says.
final class ScriptedServer: Sendable {
    typealias Make = @Sendable (ServerLog, Int) -> ScriptedConnection

    let log = ServerLog()
    let port: Int
    private let loops = EventLoopGroup(count: 1, name: "scripted")
    private let server: HTTP2Server

    /// Listens on a free port of the loopback address.
    ///
    /// - Parameters:
    ///   - hostNames: what the certificate is for.
    ///   - streamsMax: the stream limit of the first SETTINGS.
    ///   - make: makes the handler of each connection, given its number from 1.
    init(
        hostNames: [String] = ["localhost"], streamsMax: Int? = 1000,
        make: @escaping Make = { ScriptedConnection($0, $1) }
    ) async throws {
        let identity = try ScriptedTrust.authority.issueServerIdentity(
            hostNames: hostNames, validity: .days(1, from: WallClock.system.secondsSince1970))
        let log = log
        server = HTTP2Server(
            loops: loops,
            tls: try TLSContext.server(
                identity: identity, clientCertificates: .none, applicationProtocols: ["h2"]),
            configuration: HTTP2ConnectionConfiguration(
                settings: HTTP2Settings(maxConcurrentStreams: streamsMax)),
            makeHandler: { _ in make(log, log.nextConnection()) })
        port = try await server.listen(host: "127.0.0.1", port: 0)
    }

    deinit {
        loops.shutdown()
    }

    /// Runs a closure with the handlers of the open connections, on their loop.
    func forEachConnection(
        _ body: @escaping @Sendable (HTTP2Connection, ScriptedConnection) -> Void
    ) {
        server.forEachConnection { connection in
            guard let handler = connection.handler as? ScriptedConnection else { return }
            body(connection, handler)
            connection.flush()
        }
    }

    var endpoint: Endpoint { ScriptedTrust.endpoint(port: port) }

    /// A client of this server that gives up soon and looks at its timeouts often.
    func client(
        port: Int? = nil, configure: (inout APNsClient.Configuration) -> Void = { _ in }
    ) throws -> APNsClient {
        try ScriptedTrust.client(of: ScriptedTrust.endpoint(port: port ?? self.port), configure: configure)
    }
}

/// The authority of scripted servers and clients that trust it.
enum ScriptedTrust {
    static let authority: CertificateAuthority = {
        guard
            let authority = try? CertificateAuthority(
                commonName: "Client Test CA", validity: .days(2, from: WallClock.system.secondsSince1970))
        else { preconditionFailure("OpenSSL could not make a certificate authority") }
        return authority
    }()

    static func endpoint(host: String = "localhost", port: Int) -> Endpoint {
        Endpoint(host: host, port: port, trust: .certificates([authority.certificate]))
    }

    static func source(clock: WallClock = .system) throws -> ProviderTokenSource {
        try ProviderTokenSource(
            keyID: "ABC123DEFG", teamID: "DEF123GHIJ", signingKey: SigningKey.generate(), clock: clock)
    }

    static func client(
        of endpoint: Endpoint, configure: (inout APNsClient.Configuration) -> Void = { _ in }
    ) throws -> APNsClient {
        var configuration = APNsClient.Configuration(endpoint: endpoint, credential: .token(try source()))
        // A server's timeout, which makes the connection look at the time every 50 ms.
        configuration.connection.requestTimeout = .milliseconds(100)
        configure(&configuration)
        return try APNsClient(configuration)
    }
}

/// What a scripted server has seen, on all its connections.
final class ServerLog: Sendable {
    struct Request: Sendable {
        var connection: Int
        var stream: Int32
        var path: String
        var authorization: String?
        /// When it came, by the monotonic clock.
        var nanoseconds = EventLoop.monotonicNanoseconds
        var isAnswered = false
    }

    private struct State {
        var connections = 0
        var requests: [Request] = []
        var openMax = 0
        var abandoned: [Int32] = []
    }

    private let state = Mutex(State())
    /// Fires for each request.
    let received = Signal()
    /// Fires for each request that the client gave up.
    let gaveUp = Signal()
    /// Fires for each connection that has ended.
    let ended = Signal()

    var connectionCount: Int { state.withLock { $0.connections } }
    var requests: [Request] { state.withLock { $0.requests } }
    var openMax: Int { state.withLock { $0.openMax } }
    var abandoned: [Int32] { state.withLock { $0.abandoned } }

    /// How often each path was answered with 200.
    var answerCounts: [String: Int] {
        requests.filter(\.isAnswered).reduce(into: [:]) { $0[$1.path, default: 0] += 1 }
    }

    func nextConnection() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    func note(_ request: Request, openCount: Int) {
        state.withLock { state in
            state.requests.append(request)
            state.openMax = max(state.openMax, openCount)
        }
        received.fire()
    }

    func noteAnswer(connection: Int, stream: Int32) {
        state.withLock { state in
            let index = state.requests.lastIndex { $0.connection == connection && $0.stream == stream }
            if let index { state.requests[index].isAnswered = true }
        }
    }

    func noteAbandoned(_ stream: Int32) {
        state.withLock { $0.abandoned.append(stream) }
        gaveUp.fire()
    }
}

/// One connection of a scripted server; accepts everything unless a subclass knows better. Loop-confined.
class ScriptedConnection: HTTP2ConnectionHandler {
    let log: ServerLog
    let number: Int
    /// Requests that have no answer yet.
    var open: [HTTP2Stream] = []

    init(_ log: ServerLog, _ number: Int) {
        self.log = log
        self.number = number
    }

    /// What a subclass decides: called with the requests of one read, which are in `open` by then.
    func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
        for stream in streams { accept(stream, on: connection) }
    }

    func accept(_ stream: HTTP2Stream, on connection: HTTP2Connection) {
        log.noteAnswer(connection: number, stream: stream.id)
        answer(stream, status: "200", on: connection)
    }

    func refuse(
        _ stream: HTTP2Stream, _ status: String, _ reason: Reason, on connection: HTTP2Connection
    ) {
        answer(stream, status: status, body: ErrorBody(reason: reason).encoded, on: connection)
    }

    func answer(
        _ stream: HTTP2Stream, status: String, body: [UInt8] = [], on connection: HTTP2Connection
    ) {
        open.removeAll { $0 === stream }
        var fields = HTTP2Fields()
        fields.append(name: ":status", value: Array(status.utf8))
        connection.respond(to: stream, fields: fields, body: body)
    }

    func reset(_ stream: HTTP2Stream, _ errorCode: HTTP2ErrorCode, on connection: HTTP2Connection) {
        open.removeAll { $0 === stream }
        connection.reset(stream, errorCode: errorCode)
    }

    // MARK: HTTP2ConnectionHandler

    func connectionReady(_ connection: HTTP2Connection) {}

    func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
        open += streams
        for stream in streams {
            log.note(
                .init(
                    connection: number, stream: stream.id,
                    path: stream.fields.first(named: ":path") ?? "",
                    authorization: stream.fields.first(named: "authorization")),
                openCount: open.count)
        }
        handle(streams, on: connection)
    }

    func connection(_ connection: HTTP2Connection, abandoned streams: [HTTP2Stream]) {
        for stream in streams {
            open.removeAll { $0 === stream }
            log.noteAbandoned(stream.id)
        }
    }

    func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {
        log.ended.fire()
    }
}
