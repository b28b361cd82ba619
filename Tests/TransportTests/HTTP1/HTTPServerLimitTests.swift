import Foundation
import Testing

@testable import Transport

extension HTTP1Sockets {
    @Suite(.timeLimit(.minutes(5)))
    struct HTTPServerLimitTests {
        @Test func `a target of the limit is served and one byte more is not`() async throws {
            try await withServer({ $0.targetByteCountMax = 100 }, handler: { .text($0.path) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    let path = "/" + String(repeating: "a", count: 99)
                    #expect(try client.request("GET \(path)").text == path)
                    let refused = try client.request("GET \(path)a")
                    #expect(refused.status == 414)
                    #expect(refused.error != nil)
                    #expect(client.isClosed())
                }
            }
        }

        @Test func `the query counts towards the target`() async throws {
            try await withServer({ $0.targetByteCountMax = 100 }, handler: { _ in HTTPResponse() }) {
                server in
                try await offPool { () throws in
                    let value = String(repeating: "b", count: 96)
                    #expect(try WireClient(port: server.port).request("GET /?x=\(value)").status == 200)
                    #expect(try WireClient(port: server.port).request("GET /?xx=\(value)").status == 414)
                }
            }
        }

        @Test func `a head of the limit is served and one byte more is not`() async throws {
            try await withServer({ $0.headByteCountMax = 500 }, handler: { _ in HTTPResponse() }) { server in
                try await offPool {
                    let fixed = "GET / HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n".utf8.count
                    for (byteCount, status) in [(500, 200), (501, 431)] {
                        let client = try WireClient(port: server.port)
                        let value = String(repeating: "x", count: byteCount - fixed)
                        try client.send("GET / HTTP/1.1\r\nHost: h\r\nX: \(value)\r\n\r\n")
                        let response = try client.response()
                        #expect(response.status == status)
                        #expect((response.error != nil) == (status == 431))
                    }
                }
            }
        }

        @Test func `as many headers as allowed are served and one more is not`() async throws {
            try await withServer({ $0.headerCountMax = 50 }, handler: { .text("\($0.headers.count)") }) {
                server in
                try await offPool {
                    let headers = (1..<50).map { "X-\($0): 1" }
                    let served = try WireClient(port: server.port).request("GET /", headers: headers)
                    #expect(served.text == "50")
                    let refused = try WireClient(port: server.port).request(
                        "GET /", headers: headers + ["Y: 1"])
                    #expect(refused.status == 431)
                    #expect(refused.error != nil)
                }
            }
        }

        @Test(arguments: [false, true])
        func `a body of the limit is served and one byte more is not`(isChunked: Bool) async throws {
            try await withServer(
                { $0.bodyByteCountMax = 10_000 }, handler: { .text("\($0.body.count)") },
                body: { server in
                    try await offPool {
                        let client = try WireClient(port: server.port)
                        for (byteCount, status) in [(10_000, 200), (10_001, 413), (10_000, 200)] {
                            let body = String(repeating: "b", count: byteCount)
                            if isChunked {
                                let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                try client.send(
                                    head + String(byteCount, radix: 16) + "\r\n\(body)\r\n0\r\n\r\n")
                            } else {
                                try client.send(
                                    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(byteCount)\r\n\r\n\(body)"
                                )
                            }
                            let response = try client.response()
                            // The connection is still in step after a refusal.
                            #expect(response.status == status)
                            #expect((response.error != nil) == (status == 413))
                        }
                    }
                })
        }

        @Test func `no body is allowed where the limit is zero`() async throws {
            try await withServer({ $0.bodyByteCountMax = 0 }, handler: { _ in HTTPResponse() }) { server in
                try await offPool { () throws in
                    #expect(try WireClient(port: server.port).request("POST /", body: "").status == 200)
                    #expect(try WireClient(port: server.port).request("POST /", body: "a").status == 413)
                }
            }
        }

        @Test func `a client that asks before it sends is refused before it sends`() async throws {
            try await withServer({ $0.bodyByteCountMax = 10 }, handler: { _ in HTTPResponse() }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send(
                        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
                    #expect(try client.response().status == 413)
                    #expect(client.isClosed())
                }
            }
        }

        @Test func `a body beyond all measure is refused at once`() async throws {
            try await withServer({ $0.bodyByteCountMax = 10 }, handler: { _ in HTTPResponse() }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999\r\n\r\n")
                    #expect(try client.response().status == 413)
                }
            }
        }

        @Test func `a chunked body beyond all measure is cut`() async throws {
            try await withServer({ $0.bodyByteCountMax = 10 }, handler: { _ in HTTPResponse() }) { server in
                let failed = try await offPool {
                    let client = try WireClient(port: server.port)
                    try client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
                    let chunk = "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n"
                    do {
                        for _ in 0..<64 { try client.send(chunk) }
                        return false
                    } catch { return true }
                }
                #expect(failed)
            }
        }

        @Test func `connections above the limit wait until one closes`() async throws {
            try await withServer({ $0.connectionCountMax = 4 }, handler: { _ in .text("in") }) { server in
                try await offPool {
                    var clients = try (0..<4).map { _ in try WireClient(port: server.port) }
                    for client in clients { #expect(try client.request("GET /").text == "in") }
                    let fifth = try WireClient(port: server.port)
                    try fifth.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                    var timeout = timeval(tv_sec: 0, tv_usec: 200_000)
                    setsockopt(
                        fifth.socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size)
                    )
                    #expect(throws: WireClient.Failure.self) { try fifth.response() }
                    timeout.tv_sec = 20
                    setsockopt(
                        fifth.socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size)
                    )
                    clients.removeFirst()
                    #expect(try fifth.response().text == "in")
                }
            }
        }

        @Test func `connections of one address above the limit are refused`() async throws {
            try await withServer(
                {
                    $0.host = "::"
                    $0.connectionCountMaxPerAddress = 3
                },
                handler: { _ in .text("in") },
                body: { server in
                    try await offPool {
                        var clients = try (0..<3).map { _ in try WireClient(port: server.port) }
                        for client in clients { #expect(try client.request("GET /").text == "in") }
                        let refused = try WireClient(port: server.port).response()
                        #expect(refused.status == 429)
                        #expect(refused.error?.contains("127.0.0.1") == true)
                        // Another address is not affected.
                        #expect(try WireClient(port: server.port, host: "::1").request("GET /").text == "in")

                        clients.removeAll()
                        // The server notices the closed connections in its own time.
                        var status = 429
                        for _ in 0..<1000 where status == 429 {
                            usleep(2000)
                            status = (try? WireClient(port: server.port).request("GET /").status) ?? 429
                        }
                        #expect(status == 200)
                    }
                })
        }

        @Test func `hundreds of arguments and headers fit together`() async throws {
            try await withServer({ $0.headerCountMax = 200 }, handler: { .text("\($0.query.count)") }) {
                server in
                try await offPool {
                    let query = (0..<2000).map { "\($0)" }.joined(separator: "&")
                    let headers = (1..<190).map { "X-\($0): \(String(repeating: "v", count: 20))" }
                    let response = try WireClient(port: server.port).request(
                        "GET /?\(query.prefix(8000))", headers: headers)
                    #expect(response.text == "\(query.prefix(8000).split(separator: "&").count)")
                }
            }
        }
    }
}
