import APNs
import Crypto
import Synchronization
import Transport

/// An HTTP/2 server that answers 200 with an id to everything, validating nothing.
///
/// What a client can reach is measured against this, not against the simulator, which checks and keeps
/// books on every request.
final class BareServer: Sendable {
    let server: HTTP2Server
    let authority: CertificateAuthority

    init(loops: EventLoopGroup, maxConcurrentStreams: Int) throws {
        let now = WallClock.system.secondsSince1970
        authority = try CertificateAuthority(commonName: "Belfry benchmark", validity: .days(2, from: now))
        let identity = try authority.issueServerIdentity(
            hostNames: ["localhost", "127.0.0.1"], validity: .days(1, from: now))
        server = HTTP2Server(
            loops: loops,
            tls: try TLSContext.server(
                identity: identity, clientCertificates: .none, applicationProtocols: ["h2"]),
            configuration: HTTP2ConnectionConfiguration(
                settings: HTTP2Settings(maxConcurrentStreams: maxConcurrentStreams)),
            makeHandler: { _ in Handler() })
    }

    private final class Handler: HTTP2ConnectionHandler {
        private var fields = HTTP2Fields()
        private var counter: UInt64 = 0

        func connectionReady(_ connection: HTTP2Connection) {}

        func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
            for stream in streams {
                counter &+= 1
                fields.removeAll()
                fields.append(name: ":status", value: "200")
                fields.append(name: "apns-id") {
                    NotificationID(high: 0x4000, low: counter).append(to: &$0, uppercased: true)
                }
                connection.respond(to: stream, fields: fields)
            }
        }

        func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {}
    }
}
