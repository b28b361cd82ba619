import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct DelayRelayTests {
    private func relay(to port: Int, delay: Duration) async throws -> (loop: EventLoop, port: Int) {
        let loop = EventLoop(name: "test-relay")
        let relay = DelayRelay(to: "127.0.0.1", port: port, delay: delay, loop: loop)
        return (loop, try await relay.listen(host: "127.0.0.1", port: 0))
    }

    @Test(arguments: [0, 3]) func `bytes arrive whole and in order`(milliseconds: Int) async throws {
        let settings = HTTP2ConnectionConfiguration(settings: HTTP2Settings(bodyByteCountMax: 4 << 20))
        let server = try await LoopbackServer(configuration: settings, answer: echo)
        let relay = try await relay(to: server.port, delay: .milliseconds(milliseconds))
        defer { relay.loop.shutdown() }
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let report = try await RequestingClient.run(
            port: relay.port, bodies: [body, [1, 2, 3]], configuration: settings)
        #expect(report.answers.count == 2)
        #expect(report.answers.first { $0.tag == 0 }?.body == body)
        #expect(report.answers.first { $0.tag == 1 }?.body == [1, 2, 3])
    }

    @Test func `an answer takes at least the round trips of handshake and request`() async throws {
        let server = try await LoopbackServer(answer: echo)
        let relay = try await relay(to: server.port, delay: .milliseconds(20))
        defer { relay.loop.shutdown() }
        let start = ContinuousClock.now
        let report = try await RequestingClient.run(port: relay.port, bodies: [[1]])
        #expect(report.answers.first?.body == [1])
        // TLS 1.3 takes one round trip, a request another.
        #expect(ContinuousClock.now - start >= .milliseconds(80))
    }

    @Test func `a target that nobody listens on ends the connection`() async throws {
        let relay = try await relay(to: 1, delay: .zero)
        defer { relay.loop.shutdown() }
        let report = try await RequestingClient.run(port: relay.port, bodies: [[1]])
        // The end may come before the client has seen that it is connected.
        #expect(report.error?.code == .connectionLost || report.error?.code == .connect)
        #expect(!report.wasReady)
    }

    @Test func `the end of the server's connection reaches the client after its last bytes`() async throws {
        let server = try await LoopbackServer { connection, streams in
            echo(connection, streams)
            connection.goAway()
            connection.closeAfterFlush()
        }
        let relay = try await relay(to: server.port, delay: .milliseconds(5))
        defer { relay.loop.shutdown() }
        let report = try await RequestingClient.run(
            port: relay.port, bodies: [[7]], closesAfterAnswers: false)
        #expect(report.answers.first?.body == [7])
        #expect(report.goAways.count == 1)
    }

    @Test func `an address that is none is named`() async throws {
        let loop = EventLoop(name: "test-relay")
        defer { loop.shutdown() }
        let relay = DelayRelay(to: "127.0.0.1", port: 1, delay: .zero, loop: loop)
        let error = await #expect(throws: TransportError.self) {
            try await relay.listen(host: "nowhere", port: 0)
        }
        #expect(error?.message.contains("nowhere") == true)
    }
}
