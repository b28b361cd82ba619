import Crypto
import Synchronization
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct HTTP2ServerTests {
    @Test func `shutting down with requests in flight sends GOAWAY and lets the answers arrive`() async throws
    {
        let came = Signal()
        let server = try await LoopbackServer { connection, streams in
            let held = streams
            came.fire()
            connection.eventLoop.schedule(after: .milliseconds(100)) {
                echo(connection, held)
                connection.flush()
            }
        }
        async let report = RequestingClient.run(
            port: server.port, bodies: (0..<20).map { [$0] }, closesAfterAnswers: false)
        await came.wait()
        await server.server.shutdown(deadline: .seconds(20))
        let result = try await report
        #expect(server.server.connectionCount == 0)
        #expect(result.goAways.map(\.errorCode) == [.noError])
        #expect(result.answers.count == 20)
        #expect(result.answers.filter { $0.status != "200" }.allSatisfy { $0.errorCode == .refusedStream })
        #expect(result.answers.contains { $0.status == "200" })
    }

    @Test func `shutting down lets a slow reader take the answers that wait for it`() async throws {
        let server = try await LoopbackServer { connection, streams in
            var fields = HTTP2Fields()
            fields.append(name: ":status", value: "200")
            for stream in streams {
                connection.respond(to: stream, fields: fields, body: Array(repeating: 9, count: 900_000))
            }
        }
        let port = server.port
        let window = RawFrames.frame(.windowUpdate, RawFrames.number(1 << 24))
        let stopped = Signal()
        async let frames = offPool { () -> Int in
            let client = try RawTLSClient(port: port, receiveBufferByteCount: 4096)
            // SETTINGS_INITIAL_WINDOW_SIZE of 16 MB: nothing but the socket holds the answer back.
            try client.begin(settings: [0, 4] + RawFrames.number(1 << 24))
            try client.send(window + RawFrames.request(1))
            _ = try client.read(until: .headers)
            stopped.fire()
            return client.readToEnd().filter { $0.kind == 0 }.reduce(0) { $0 + $1.payload.count }
        }
        await stopped.wait()
        await server.server.shutdown(deadline: .seconds(20))
        #expect(try await frames == 900_000)
    }

    @Test func `the deadline of a shutdown cuts connections that stay silent`() async throws {
        let server = try await LoopbackServer { _, _ in }
        let port = server.port
        let isThere = Signal()
        async let end: Void = offPool {
            let silent = try WireClient(port: UInt16(port))
            let busy = try RawTLSClient(port: port)
            try busy.begin()
            try busy.send(RawFrames.request(1))
            _ = try busy.read(until: .settings)
            isThere.fire()
            busy.readToEnd()
            _ = silent.readToEnd()
        }
        await isThere.wait()
        await server.server.shutdown(deadline: .milliseconds(200))
        try await end
        #expect(server.server.connectionCount == 0)
    }

    @Test func `shutting down twice, and without connections, returns`() async throws {
        let server = try await LoopbackServer(answer: echo)
        await server.server.shutdown(deadline: .seconds(1))
        await server.server.shutdown(deadline: .seconds(1))
        let report = try await RequestingClient.run(port: server.port, bodies: [[1]])
        #expect(report.error?.code == .connect)
    }

    @Test func `of connections up to the limit all are served and the next is closed`() async throws {
        let server = try await LoopbackServer(connectionCountMax: 3, answer: echo)
        let port = server.port
        try await offPool {
            var clients: [RawTLSClient] = []
            for _ in 0..<3 {
                let client = try RawTLSClient(port: port)
                try client.begin()
                clients.append(client)
            }
            let above = try WireClient(port: UInt16(port))
            #expect(above.isClosed())
            for client in clients {
                try client.send(RawFrames.request(1))
                #expect(try client.read(until: .headers, stream: 1) != nil)
            }
            clients[0].wire.close()
            // Its place is free again, as soon as the server has seen the end.
            var isServed = false
            while !isServed {
                let next = try RawTLSClient(port: port)
                isServed = (try? next.begin()) != nil && (try? next.read(until: .settings)) ?? nil != nil
            }
        }
    }

    @Test func `a handshake that stops half way ends in time`() async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(handshakeTimeout: .seconds(3)), answer: echo)
        let port = server.port
        try await offPool {
            let silent = try WireClient(port: UInt16(port))
            let half = try WireClient(port: UInt16(port))
            // The head of a TLS record that never comes.
            try half.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])
            let noPreface = try RawTLSClient(port: port)
            try noPreface.handshake()
            #expect(silent.isClosed())
            #expect(half.isClosed())
            noPreface.readToEnd()
        }
    }

    @Test func `a body that comes too slowly is cancelled and the connection goes on`() async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(requestTimeout: .seconds(1)), answer: echo)
        let port = server.port
        try await offPool {
            let client = try RawTLSClient(port: port)
            try client.begin()
            try client.send(RawFrames.request(1, ends: false) + RawFrames.frame(.data, stream: 1, [1]))
            #expect(try client.read(until: .resetStream, stream: 1) == RawFrames.number(8))
            try client.send(RawFrames.request(3))
            #expect(try client.read(until: .headers, stream: 3) != nil)
        }
    }

    @Test func `an answer that the peer gives no window for is cancelled in time`() async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(requestTimeout: .seconds(1))
        ) { connection, streams in
            var fields = HTTP2Fields()
            fields.append(name: ":status", value: "200")
            for stream in streams { connection.respond(to: stream, fields: fields, body: [1, 2, 3]) }
        }
        let port = server.port
        try await offPool {
            let client = try RawTLSClient(port: port)
            try client.begin(settings: [0, 4] + RawFrames.number(0))
            try client.send(RawFrames.request(1))
            #expect(try client.read(until: .resetStream, stream: 1) == RawFrames.number(8))
        }
    }

    @Test func `a client that does not read makes the server stop reading and is given up in time`()
        async throws
    {
        let answered = Mutex(0)
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(stallTimeout: .milliseconds(300))
        ) { connection, streams in
            var fields = HTTP2Fields()
            fields.append(name: ":status", value: "200")
            for stream in streams {
                connection.respond(to: stream, fields: fields, body: Array(repeating: 0, count: 16_000))
            }
            answered.withLock { $0 += streams.count }
        }
        let port = server.port
        let requests = 20_000
        try await offPool {
            let client = try RawTLSClient(port: port, receiveBufferByteCount: 4096)
            try client.begin(settings: [0, 4] + RawFrames.number(1 << 30))
            let body = [UInt8](repeating: 1, count: 16_000)
            do {
                try client.send(RawFrames.frame(.windowUpdate, RawFrames.number(1 << 30)))
                for number in 0..<requests {
                    let stream = UInt32(number * 2 + 1)
                    try client.send(
                        RawFrames.request(stream, ends: false)
                            + RawFrames.frame(.data, flags: RawFrames.endStream, stream: stream, body))
                }
                Issue.record("the server took 320 MB from a client that reads nothing")
            } catch {
                // The server has given up: the kernel refuses more.
            }
        }
        // What was answered fits the sockets' buffers, the server's limit of waiting bytes, and the requests
        // of one read that came on top.
        #expect(answered.withLock { $0 } < 1000)
    }

    @Test func `a certificate for another host ends the connection and the error names the host`()
        async throws
    {
        let loops = EventLoopGroup(count: 1, name: "test-other")
        defer { loops.shutdown() }
        let server = HTTP2Server(
            loops: loops, tls: try LoopbackTrust.serverContext(hostNames: ["example.com"]),
            makeHandler: { _ in MuteHandler() })
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        for host in ["localhost", "127.0.0.1"] {
            let report = try await RequestingClient.run(port: port, host: host, bodies: [[1]])
            #expect(!report.wasReady)
            #expect(report.answers.isEmpty)
            #expect(report.error?.code == .tls)
            #expect(report.error?.message.contains(host) == true)
        }
    }

    @Test func `a flood of resets is answered with GOAWAY and cut off`() async throws {
        let server = try await LoopbackServer(
            configuration: HTTP2ConnectionConfiguration(settings: HTTP2Settings(maxConcurrentStreams: 100)),
            answer: echo)
        let port = server.port
        try await offPool {
            let client = try RawTLSClient(port: port)
            try client.begin()
            var flood: [UInt8] = []
            for number in 0..<3000 {
                let stream = UInt32(number * 2 + 1)
                flood += RawFrames.request(stream, ends: false) + RawFrames.reset(stream)
            }
            try? client.send(flood)
            let goAway = client.readToEnd().last { $0.kind == RawFrames.Kind.goAway.rawValue }
            #expect(goAway.map { Array($0.payload[4..<8]) } == RawFrames.number(0xb))
        }
        let report = try await RequestingClient.run(port: server.port, bodies: [[1]])
        #expect(report.answers.map(\.status) == ["200"])
    }

    private final class MuteHandler: HTTP2ConnectionHandler {
        func connectionReady(_ connection: HTTP2Connection) {}
        func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {}
        func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {}
    }
}
