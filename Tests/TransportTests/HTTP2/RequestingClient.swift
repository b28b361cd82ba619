import Crypto
import Synchronization

@testable import Transport

/// A client that sends requests as soon as its connection stands and tells how everything ended.
final class RequestingClient: HTTP2ConnectionHandler {
    struct Answer: Sendable, Equatable {
        var tag: Int
        var status: String?
        var body: [UInt8]
        var errorCode: HTTP2ErrorCode
        var isFullySent: Bool
    }

    struct Report: Sendable {
        var answers: [Answer] = []
        var goAways: [HTTP2GoAway] = []
        var error: TransportError?
        var wasReady = false
    }

    private let bodies: [[UInt8]]
    private let closesAfterAnswers: Bool
    private var next = 0
    private var report = Report()
    private var done: (@Sendable (Report) -> Void)?

    init(bodies: [[UInt8]], closesAfterAnswers: Bool, done: @escaping @Sendable (Report) -> Void) {
        self.bodies = bodies
        self.closesAfterAnswers = closesAfterAnswers
        self.done = done
    }

    /// Sends POST requests with these bodies over one connection and waits for its end.
    static func run(
        port: Int, host: String = "localhost", bodies: [[UInt8]], closesAfterAnswers: Bool = true,
        context: TLSContext? = nil, proxy: HTTPProxy? = nil,
        configuration: HTTP2ConnectionConfiguration = HTTP2ConnectionConfiguration()
    ) async throws -> Report {
        let loop = EventLoop(name: "test-client")
        defer { loop.shutdown() }
        let connector = HTTP2Connector(
            host: host, port: port, tls: try context ?? LoopbackTrust.clientContext(), proxy: proxy,
            configuration: configuration)
        return try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                do {
                    _ = try connector.connect(
                        on: loop,
                        handler: RequestingClient(
                            bodies: bodies, closesAfterAnswers: closesAfterAnswers,
                            done: { continuation.resume(returning: $0) }))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    func connectionReady(_ connection: HTTP2Connection) {
        report.wasReady = true
        fill(connection)
    }

    func connectionChangedSettings(_ connection: HTTP2Connection) {
        fill(connection)
    }

    func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
        for stream in streams {
            report.answers.append(
                Answer(
                    tag: stream.tag, status: stream.fields.first(named: ":status"), body: stream.body,
                    errorCode: stream.errorCode, isFullySent: stream.isFullySent))
        }
        fill(connection)
        if closesAfterAnswers, report.answers.count == bodies.count { connection.closeAfterFlush() }
    }

    func connection(_ connection: HTTP2Connection, receivedGoAway goAway: HTTP2GoAway) {
        report.goAways.append(goAway)
    }

    func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {
        report.error = error
        done?(report)
        done = nil
    }

    private func fill(_ connection: HTTP2Connection) {
        while next < bodies.count, connection.mayOpenStreams,
            connection.openStreamCount < connection.peerMaxConcurrentStreams
        {
            var fields = HTTP2Fields()
            fields.append(name: ":method", value: "POST")
            fields.append(name: ":scheme", value: "https")
            fields.append(name: ":authority", value: "localhost")
            fields.append(name: ":path", value: "/\(next)")
            guard connection.open(fields: fields, body: bodies[next], tag: next) != nil else { return }
            next += 1
        }
    }
}

extension HTTP2Fields {
    mutating func append(name: StaticString, value: String) {
        append(name: name, value: Array(value.utf8))
    }
}
