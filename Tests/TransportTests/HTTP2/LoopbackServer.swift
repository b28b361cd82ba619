import Crypto
import Synchronization
import Testing

@testable import Transport

/// A certificate authority and a server identity for localhost, made once.
enum LoopbackTrust {
    static let authority: CertificateAuthority = {
        guard
            let authority = try? CertificateAuthority(
                commonName: "Test CA", validity: .days(2, from: WallClock.system.secondsSince1970))
        else {
            fatalError("OpenSSL could not make a certificate authority")
        }
        return authority
    }()

    static func serverContext(hostNames: [String] = ["localhost", "127.0.0.1"]) throws -> TLSContext {
        let identity = try authority.issueServerIdentity(
            hostNames: hostNames, validity: .days(1, from: WallClock.system.secondsSince1970))
        return try TLSContext.server(
            identity: identity, clientCertificates: .none, applicationProtocols: ["h2"])
    }

    static func clientContext() throws -> TLSContext {
        try TLSContext.client(
            trust: .certificates([authority.certificate]), identity: nil, applicationProtocols: ["h2"])
    }
}

/// A server whose connections are handled by a closure given all requests of one read.
final class LoopbackServer: Sendable {
    typealias Answer = @Sendable (HTTP2Connection, [HTTP2Stream]) -> Void

    let loops = EventLoopGroup(count: 2, name: "test-server")
    let server: HTTP2Server
    let port: Int

    init(
        configuration: HTTP2ConnectionConfiguration = HTTP2ConnectionConfiguration(),
        connectionCountMax: Int = 10_000,
        answer: @escaping Answer
    ) async throws {
        server = HTTP2Server(
            loops: loops, tls: try LoopbackTrust.serverContext(), configuration: configuration,
            connectionCountMax: connectionCountMax,
            makeHandler: { _ in ClosureHandler(answer: answer) })
        port = try await server.listen(host: "127.0.0.1", port: 0)
    }

    deinit {
        loops.shutdown()
    }

    private final class ClosureHandler: HTTP2ConnectionHandler {
        let answer: Answer

        init(answer: @escaping Answer) {
            self.answer = answer
        }

        func connectionReady(_ connection: HTTP2Connection) {}

        func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
            answer(connection, streams)
        }

        func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {}
    }
}

/// Answers every request with a status and the request's body.
@Sendable func echo(_ connection: HTTP2Connection, _ streams: [HTTP2Stream]) {
    var fields = HTTP2Fields()
    for stream in streams {
        fields.removeAll()
        fields.append(name: ":status", value: "200")
        connection.respond(to: stream, fields: fields, body: stream.body)
    }
}
