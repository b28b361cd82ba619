import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import Transport

extension HTTP1Sockets {
    @Suite(.timeLimit(.minutes(5)))
    struct HTTPServerTests {
        /// Answers what it got, as lines.
        private static func echo(_ request: HTTPRequest) -> HTTPResponse {
            var lines = ["\(request.method) \(request.path)"]
            lines += request.query.map { "?\($0.name)=\($0.value)" }
            lines += request.headers.map { "\($0.name): \($0.value)" }
            lines.append("from \(request.remoteAddress)")
            return .text(
                lines.joined(separator: "\n") + "\n\n" + String(decoding: request.body, as: UTF8.self))
        }

        @Test func `a request reaches the handler whole and its answer the client`() async throws {
            try await withServer(handler: { Self.echo($0) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    let response = try client.request(
                        "POST /a%20b/c?x=1&y=%C3%A4+z&flag",
                        headers: ["X-One: 1", "x-one: 2", "Cookie: a=b", "Cookie: c"],
                        body: "hello")
                    #expect(response.status == 200)
                    #expect(
                        response.text == """
                            POST /a b/c
                            ?x=1
                            ?y=ä z
                            ?flag=
                            Host: test
                            X-One: 1, 2
                            Cookie: a=b; c
                            Content-Length: 5
                            from 127.0.0.1

                            hello
                            """)
                    #expect(response.header("date") != nil)
                    #expect(response.header("content-length") == "\(response.body.count)")
                }
            }
        }

        @Test func `URLSession is served`() async throws {
            try await withServer(handler: { Self.echo($0) }) { server in
                var request = URLRequest(
                    url: try #require(URL(string: "http://127.0.0.1:\(server.port)/u?q=1")))
                request.httpMethod = "PUT"
                request.httpBody = Data("body".utf8)
                let (data, response) = try await URLSession.shared.data(for: request)
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
                let text = String(decoding: data, as: UTF8.self)
                #expect(text.hasPrefix("PUT /u\n?q=1\n"))
                #expect(text.hasSuffix("\n\nbody"))
            }
        }

        @Test func `ten thousand requests go over one connection`() async throws {
            let count = 10_000
            try await withServer(handler: { HTTPResponse(body: .bytes($0.body)) }) { server in
                let correct = try await offPool {
                    let client = try WireClient(port: server.port)
                    var correct = 0
                    for number in 0..<count {
                        let response = try client.request("POST /", body: "\(number)")
                        if response.status == 200, response.text == "\(number)" { correct += 1 }
                    }
                    return correct
                }
                #expect(correct == count)
            }
        }

        @Test func `pipelined requests are answered in order`() async throws {
            try await withServer(handler: { .text($0.path) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    // More than fits into the server's read buffer at once.
                    let requests = (0..<1000).map {
                        "GET /\($0) HTTP/1.1\r\nHost: test\r\nX-Filler: \($0)\r\n\r\n"
                    }
                    try client.send(requests.joined())
                    for number in 0..<1000 { #expect(try client.response().text == "/\(number)") }
                }
            }
        }

        @Test func `a request may arrive byte by byte`() async throws {
            try await withServer(handler: { Self.echo($0) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    for byte in Array("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".utf8) {
                        try client.send([byte])
                    }
                    #expect(try client.response().text.hasSuffix("\n\nabc"))
                }
            }
        }

        @Test func `two hundred slow handlers run at once`() async throws {
            let started = Signal()
            let gate = Signal()
            try await withServer(
                handler: { request in
                    started.fire()
                    await gate.wait()
                    return .text(request.path)
                },
                body: { server in
                    async let paths = offPool {
                        let clients = try (0..<200).map { number in
                            let client = try WireClient(port: server.port)
                            try client.send("GET /\(number) HTTP/1.1\r\nHost: test\r\n\r\n")
                            return client
                        }
                        return try clients.map { try $0.response().text }
                    }
                    // All of them wait in their handlers before the first is let go.
                    await started.wait(count: 200)
                    gate.fire()
                    let texts = try await paths
                    #expect(texts == (0..<200).map { "/\($0)" })
                })
        }

        @Test func `HEAD has the headers of GET and no body`() async throws {
            try await withServer(handler: { _ in .text("twelve bytes") }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    let head = try client.request("HEAD /")
                    #expect(head.status == 200)
                    #expect(head.header("content-length") == "12")
                    // The connection goes on in step.
                    #expect(try client.request("GET /").text == "twelve bytes")
                }
            }
        }

        @Test(arguments: ["OPTIONS /x", "OPTIONS *", "DELETE /x", "PATCH /x", "BREW /x"])
        func `any method is passed to the handler`(line: String) async throws {
            try await withServer(handler: { .text("\($0.method) \($0.path)") }) { server in
                try await offPool {
                    let text = try WireClient(port: server.port).request(line).text
                    #expect(text == line)
                }
            }
        }

        @Test(arguments: [200, 201, 204, 304, 404, 418, 500, 599])
        func `a status is sent as it is`(status: Int) async throws {
            try await withServer(handler: { _ in HTTPResponse(status: status) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    #expect(try client.request("GET /").status == status)
                    #expect(try client.request("GET /").status == status)
                }
            }
        }

        @Test(arguments: [
            HTTPResponse(status: 99), HTTPResponse(status: 101), HTTPResponse(status: 1000),
            HTTPResponse(headers: [("X-Split", "a\r\nX-Forged: b")]), HTTPResponse(headers: [("X Y", "a")]),
            HTTPResponse(headers: [("", "a")]),
        ])
        func `an answer that cannot be sent becomes a 500`(response: HTTPResponse) async throws {
            try await withServer(handler: { _ in response }) { server in
                try await offPool {
                    let answer = try WireClient(port: server.port).request("GET /")
                    #expect(answer.status == 500)
                    #expect(answer.error != nil)
                    #expect(answer.header("x-forged") == nil)
                }
            }
        }

        @Test func `a chunked body is put together and its trailers dropped`() async throws {
            try await withServer(handler: { Self.echo($0) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send(
                        """
                        POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r
                        3\r\nabc\r\n5;name=value\r\ndefgh\r\n0\r\nX-Trailer: 1\r\n\r\n
                        """)
                    let response = try client.response()
                    #expect(response.text.hasSuffix("\n\nabcdefgh"))
                    #expect(!response.text.contains("Trailer:"))
                }
            }
        }

        @Test func `a client that expects 100-continue gets it before it sends`() async throws {
            try await withServer(handler: { Self.echo($0) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send(
                        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n")
                    #expect(try client.response().status == 100)
                    try client.send("ok")
                    #expect(try client.response().text.hasSuffix("\n\nok"))
                }
            }
        }

        @Test func `HTTP 1.0 gets its answer and the end of the connection`() async throws {
            try await withServer(handler: { _ in .text("old") }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send("GET / HTTP/1.0\r\n\r\n")
                    #expect(try client.response().text == "old")
                    #expect(client.isClosed())
                }
            }
        }

        @Test func `Connection close is obeyed on both sides`() async throws {
            try await withServer(
                handler: { HTTPResponse(headers: $0.path == "/close" ? [("Connection", "close")] : []) },
                body: { server in
                    try await offPool {
                        let asking = try WireClient(port: server.port)
                        #expect(try asking.request("GET /", headers: ["Connection: close"]).status == 200)
                        #expect(asking.isClosed())
                        let asked = try WireClient(port: server.port)
                        #expect(try asked.request("GET /close").header("connection") == "close")
                        #expect(asked.isClosed())
                    }
                })
        }

        @Test func `an IPv6 address is listened on and reported`() async throws {
            try await withServer({ $0.host = "::1" }, handler: { .text($0.remoteAddress) }) { server in
                try await offPool {
                    let text = try WireClient(port: server.port, host: "::1").request("GET /").text
                    #expect(text == "::1")
                }
            }
        }

        @Test func `an IPv4 client of an IPv6 socket is reported as IPv4`() async throws {
            try await withServer({ $0.host = "::" }, handler: { .text($0.remoteAddress) }) { server in
                try await offPool {
                    let text = try WireClient(port: server.port).request("GET /").text
                    #expect(text == "127.0.0.1")
                }
            }
        }

        @Test func `a large answer arrives whole`() async throws {
            let block = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let body = Array(repeatElement(block, count: 100).joined())
            try await withServer(handler: { _ in HTTPResponse(body: .bytes(body)) }) { server in
                let received = try await offPool { try WireClient(port: server.port).request("GET /").body }
                #expect(received == body)
            }
        }

        @Test func `a port in use is an error that says so`() async throws {
            try await withServer(handler: { _ in HTTPResponse() }) { server in
                let second = HTTPServer(configuration: .init(port: server.port)) { _ in HTTPResponse() }
                let error = #expect(throws: TransportError.self) { try second.start() }
                #expect(error?.code == .listen)
                #expect(error?.message.contains("in use") == true)
                #expect(second.port == 0)
                await second.stop()
            }
        }

        @Test func `a port is free again at once after a stop`() async throws {
            let first = HTTPServer { _ in .text("first") }
            try first.start()
            let port = first.port
            let firstText = try await offPool { try WireClient(port: port).request("GET /").text }
            #expect(firstText == "first")
            await first.stop()
            let second = HTTPServer(configuration: .init(port: port)) { _ in .text("second") }
            try second.start()
            let secondText = try await offPool { try WireClient(port: port).request("GET /").text }
            #expect(secondText == "second")
            await second.stop()
        }

        @Test(arguments: ["example.com", "", "300.0.0.1", "127.0.0.1:80"])
        func `a host that is not an address is refused`(host: String) {
            let server = HTTPServer(configuration: .init(host: host)) { _ in HTTPResponse() }
            #expect(throws: TransportError.self) { try server.start() }
        }

        @Test func `settings that cannot work are refused`() {
            var tooFewThreads = HTTPServer.Configuration()
            tooFewThreads.threadCount = 1
            var noTime = HTTPServer.Configuration()
            noTime.handlerTimeout = .zero
            var negativeBody = HTTPServer.Configuration()
            negativeBody.bodyByteCountMax = -1
            for configuration in [tooFewThreads, noTime, negativeBody] {
                let server = HTTPServer(configuration: configuration) { _ in HTTPResponse() }
                let error = #expect(throws: TransportError.self) { try server.start() }
                #expect(error?.code == .argument)
            }
        }

        @Test func `a handler is cancelled when its client closes`() async throws {
            let started = Signal()
            let cancelled = Signal()
            try await withServer(
                handler: { _ in
                    started.fire()
                    await withTaskCancellationHandler {
                        await cancelled.wait()
                    } onCancel: {
                        cancelled.fire()
                    }
                    return HTTPResponse()
                },
                body: { server in
                    let client = try await offPool {
                        let client = try WireClient(port: server.port)
                        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                        return client
                    }
                    await started.wait()
                    client.finishSending()
                    await cancelled.wait()
                })
        }
    }
}
