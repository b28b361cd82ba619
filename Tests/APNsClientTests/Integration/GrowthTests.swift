import APNs
import Testing

@testable import APNsClient
@testable import Transport

/// How many connections the pool opens.
@Suite(.timeLimit(.minutes(5)))
struct GrowthTests {
    @Test func `a far server gets more connections, although its answers come in bursts`() async throws {
        let server = try await ScriptedServer(streamsMax: 10)
        let loop = EventLoop(name: "test-relay")
        defer { loop.shutdown() }
        // Longer than the pool's tick, so that most ticks hear of no connection.
        let relay = DelayRelay(to: "127.0.0.1", port: server.port, delay: .milliseconds(100), loop: loop)
        let client = try server.client(port: try await relay.listen(host: "127.0.0.1", port: 0)) {
            $0.connectionCountMax = 4
        }
        let outcomes = await client.send(try Sample.notifications(600))
        #expect(outcomes.allSatisfy { $0.isAccepted })
        #expect(server.log.connectionCount == 4)
        await client.shutdown()
    }

    /// Answers 404, as a server does that knows no APNs.
    private final class NotFound: ScriptedConnection {
        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            var fields = HTTP2Fields()
            fields.append(name: ":status", value: "404" as StaticString)
            for stream in streams { connection.respond(to: stream, fields: fields) }
        }
    }

    @Test func `refusals of the notifications themselves keep no connection from being used`() async throws {
        let server = try await ScriptedServer(streamsMax: 10) { NotFound($0, $1) }
        let loop = EventLoop(name: "test-relay")
        defer { loop.shutdown() }
        let relay = DelayRelay(to: "127.0.0.1", port: server.port, delay: .milliseconds(25), loop: loop)
        let client = try server.client(port: try await relay.listen(host: "127.0.0.1", port: 0)) {
            $0.connectionCountMax = 2
        }
        let outcomes = await client.send(try Sample.notifications(500))
        #expect(outcomes.allSatisfy { if case .rejected(404, _, _) = $0.result { true } else { false } })
        #expect(server.log.connectionCount == 2)
        await client.shutdown()
    }
}
