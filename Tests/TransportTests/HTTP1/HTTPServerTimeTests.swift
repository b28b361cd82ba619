import Foundation
import Synchronization
import Testing

@testable import Transport

extension HTTP1Sockets {
    /// Limits of time, made small; what is measured may take longer on a busy machine, never shorter. What never comes
    /// runs into the suite's own limit.
    @Suite(.timeLimit(.minutes(5)))
    struct HTTPServerTimeTests {
        private static func elapsed(_ body: () throws -> Void) rethrows -> Duration {
            let start = ContinuousClock.now
            try body()
            return .now - start
        }

        @Test func `a connection that says nothing is closed`() async throws {
            try await withServer({ $0.idleTimeout = .milliseconds(200) }, handler: { _ in HTTPResponse() }) {
                server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    let time = Self.elapsed { #expect(client.isClosed()) }
                    #expect(time > .milliseconds(150))
                }
            }
        }

        @Test func `a connection is closed when nothing follows its request`() async throws {
            try await withServer({ $0.idleTimeout = .seconds(4) }, handler: { _ in HTTPResponse() }) {
                server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    // Together longer than the timeout, which each request begins anew.
                    for _ in 0..<3 {
                        #expect(try client.request("GET /").status == 200)
                        usleep(1_500_000)
                    }
                    #expect(client.isClosed())
                }
            }
        }

        @Test func `a request line that trickles is cut`() async throws {
            try await withServer({ $0.idleTimeout = .milliseconds(300) }, handler: { _ in HTTPResponse() }) {
                server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    #expect(throws: (any Error).self) {
                        try Self.trickle("GET /" + String(repeating: "a", count: 4000), client)
                    }
                    #expect(client.isClosed())
                }
            }
        }

        @Test(arguments: [
            "GET / HTTP/1.1\r\nHost: h\r\nX: " + String(repeating: "x", count: 8000),
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9000\r\n\r\n"
                + String(repeating: "x", count: 8000),
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "1\r\nx\r\n", count: 2000),
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                + String(repeating: "X: x\r\n", count: 1000),
        ])
        func `a request that trickles is answered 408 and cut`(request: String) async throws {
            let handled = Signal()
            try await withServer(
                { $0.requestTimeout = .milliseconds(300) },
                handler: { _ in
                    handled.fire()
                    return HTTPResponse()
                },
                body: { server in
                    try await offPool {
                        let client = try WireClient(port: server.port)
                        #expect(throws: (any Error).self) { try Self.trickle(request, client) }
                        let answer = String(decoding: client.readToEnd(), as: UTF8.self)
                        // The bytes still coming may have reset the connection before the answer was read.
                        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
                    }
                })
            #expect(handled.count == 0)
        }

        @Test func `a request that stops midway is answered 408`() async throws {
            try await withServer({ $0.requestTimeout = .milliseconds(200) }, handler: { _ in HTTPResponse() })
            {
                server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
                    let response = try client.response()
                    #expect(response.status == 408)
                    #expect(response.error != nil)
                    #expect(client.isClosed())
                }
            }
        }

        @Test func `a slow loris holds up nobody else`() async throws {
            try await withServer({ $0.requestTimeout = .seconds(10) }, handler: { _ in .text("ok") }) {
                server in
                try await offPool {
                    let lorises = try (0..<200).map { _ in
                        let client = try WireClient(port: server.port)
                        try client.send("GET / HTTP/1.1\r\nX-A: ")
                        return client
                    }
                    for _ in 0..<100 {
                        #expect(try WireClient(port: server.port).request("GET /").text == "ok")
                    }
                    for loris in lorises { #expect(try loris.response().status == 408) }
                }
            }
        }

        @Test func `a handler over its time is answered for and cancelled, and its answer dropped`()
            async throws
        {
            let cancelled = Signal()
            let answered = Signal()
            try await withServer(
                { $0.handlerTimeout = .seconds(5) },
                handler: { request in
                    guard request.path == "/slow" else { return .text("quick") }
                    await withTaskCancellationHandler {
                        await cancelled.wait()
                    } onCancel: {
                        cancelled.fire()
                    }
                    answered.fire()
                    return .text("too late")
                },
                body: { server in
                    try await offPool {
                        let client = try WireClient(port: server.port)
                        let refused = try client.request("GET /slow")
                        #expect(refused.status == 503)
                        #expect(refused.error != nil)
                        // The connection goes on, and the late answer is not taken for another request's.
                        for _ in 0..<10 { #expect(try client.request("GET /").text == "quick") }
                    }
                    await answered.wait()
                })
        }

        @Test func `an event stream answered too late is closed`() async throws {
            let cancelled = Signal()
            let closed = Signal()
            try await withServer(
                { $0.handlerTimeout = .milliseconds(100) },
                handler: { _ in
                    await withTaskCancellationHandler {
                        await cancelled.wait()
                    } onCancel: {
                        cancelled.fire()
                    }
                    let stream = EventStream()
                    stream.onClose { closed.fire() }
                    return .events(stream)
                },
                body: { server in
                    let status = try await offPool {
                        try WireClient(port: server.port).request("GET /").status
                    }
                    #expect(status == 503)
                    await closed.wait()
                })
            #expect(closed.count == 1)
        }

        @Test func `a client that takes nothing of its answer is cut`() async throws {
            let body = [UInt8](repeating: 7, count: 32 << 20)
            try await withServer(
                {
                    $0.idleTimeout = .seconds(1)
                    $0.connectionCountMax = 1
                },
                handler: { HTTPResponse(body: .bytes($0.path == "/large" ? body : [])) },
                body: { server in
                    try await offPool {
                        let stalled = try WireClient(port: server.port, receiveBufferByteCount: 4096)
                        try stalled.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
                        // Only one connection is allowed: this one is served when the other has been cut.
                        let time = try Self.elapsed { () throws in
                            #expect(try WireClient(port: server.port).request("GET /").status == 200)
                        }
                        #expect(time > .milliseconds(500))
                        #expect(stalled.readToEnd().count < body.count)
                    }
                })
        }

        /// A byte every few milliseconds; throws once the server has cut the connection.
        private static func trickle(_ text: String, _ client: WireClient) throws {
            for byte in text.utf8 {
                try client.send([byte])
                usleep(2000)
            }
        }
    }
}
