import Crypto
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct HTTP2ConnectionTests {
    @Test func `a thousand requests come back whole and each with its own body`() async throws {
        let server = try await LoopbackServer(answer: echo)
        let bodies = (0..<1000).map { Array("body \($0)".utf8) }
        let report = try await RequestingClient.run(port: server.port, bodies: bodies)
        #expect(report.error == nil)
        #expect(report.answers.count == 1000)
        #expect(report.answers.allSatisfy { $0.status == "200" && $0.errorCode == .noError })
        #expect(report.answers.allSatisfy { $0.body == bodies[$0.tag] })
    }

    @Test func `a body larger than windows and records arrives whole`() async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(settings: HTTP2Settings(bodyByteCountMax: 2 << 20)),
            answer: echo)
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let report = try await RequestingClient.run(
            port: server.port, bodies: [body],
            configuration: HTTP2ConnectionConfiguration(settings: HTTP2Settings(bodyByteCountMax: 2 << 20)))
        #expect(report.answers.first?.body == body)
    }

    @Test(arguments: [1, 2, 7])
    func `a client never has more streams open than the server allows`(limit: Int) async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(
                settings: HTTP2Settings(maxConcurrentStreams: limit)),
            answer: echo)
        let report = try await RequestingClient.run(
            port: server.port, bodies: Array(repeating: [1, 2, 3], count: 100))
        #expect(report.answers.count == 100)
        #expect(report.answers.allSatisfy { $0.errorCode == .noError })
    }

    @Test func `a port that nobody listens on is a connect error that names the address`() async throws {
        let report = try await RequestingClient.run(port: 1, host: "127.0.0.1", bodies: [[1]])
        #expect(report.error?.code == .connect)
        #expect(report.error?.message.contains("127.0.0.1") == true)
    }

    @Test func `a name that does not resolve is a resolution error`() async throws {
        let report = try await RequestingClient.run(port: 1, host: "no-such-host.invalid", bodies: [[1]])
        #expect(report.error?.code == .resolution)
    }

    @Test func `streams above the last id of a GOAWAY end as refused and the others are answered`()
        async throws
    {
        let server = try await LoopbackServer { connection, streams in
            // Answers the first two, then goes; the rest count as not processed.
            echo(connection, Array(streams.prefix(2)))
            if let last = streams.dropFirst().first {
                connection.goAway(debugData: Array(#"{"reason":"Shutdown"}"#.utf8), lastStreamID: last.id)
            }
        }
        let report = try await RequestingClient.run(
            port: server.port, bodies: Array(repeating: [7], count: 10))
        #expect(report.goAways.count == 1)
        #expect(report.answers.filter { $0.status == "200" }.count == 2)
        #expect(report.answers.filter { $0.errorCode == .refusedStream }.count == 8)
    }

    @Test func `a reset stream ends alone and its neighbours are answered`() async throws {
        let server = try await LoopbackServer { connection, streams in
            for stream in streams {
                if stream.body == [3] {
                    connection.reset(stream, errorCode: .internalError)
                } else {
                    echo(connection, [stream])
                }
            }
        }
        let report = try await RequestingClient.run(port: server.port, bodies: (0..<6).map { [$0] })
        #expect(report.answers.filter { $0.errorCode == .internalError }.map(\.tag) == [3])
        #expect(report.answers.filter { $0.status == "200" }.count == 5)
    }

    @Test func `a connection that is cut reports every open stream`() async throws {
        let server = try await LoopbackServer { connection, _ in connection.close(abruptly: true) }
        let report = try await RequestingClient.run(port: server.port, bodies: [[1], [2], [3]])
        #expect(report.answers.count == 3)
        #expect(report.answers.allSatisfy { $0.status == nil && $0.errorCode != .noError })
        #expect(report.error?.code == .connectionLost)
    }

    @Test func `a server that answers nothing is found out by a ping and given up`() async throws {
        // A raw socket that accepts and stays silent stands for a network that swallows packets.
        let silent = try await SilentListener()
        let report = try await RequestingClient.run(
            port: silent.port, bodies: [[1]],
            configuration: HTTP2ConnectionConfiguration(handshakeTimeout: .milliseconds(50)))
        #expect(report.error?.code == .timeout)
    }

    @Test func `connections above the limit are closed as they come`() async throws {
        let server = try await LoopbackServer(connectionCountMax: 0, answer: echo)
        let report = try await RequestingClient.run(port: server.port, bodies: [[1]])
        #expect(!report.wasReady)
        #expect(report.error != nil)
    }

    @Test func `a header list above the limit is answered with 431`() async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(settings: HTTP2Settings(headerListByteCountMax: 100)),
            answer: echo)
        let report = try await RequestingClient.run(port: server.port, bodies: [[1]])
        #expect(report.answers.map(\.status) == ["431"])
    }
}
