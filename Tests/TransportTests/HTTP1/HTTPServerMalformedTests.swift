import Foundation
import Testing

@testable import Transport

extension HTTP1Sockets {
    /// What breaks the protocol gets a 4xx or 5xx or the end of its connection, and disturbs nobody.
    @Suite(.timeLimit(.minutes(5)))
    struct HTTPServerMalformedTests {
        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            var bytes: [UInt8]
            var status: Int
            /// False where libmicrohttpd answers before we see the request.
            var isOurs = true

            init(_ name: String, _ text: String, _ status: Int, isOurs: Bool = true) {
                self.name = name
                bytes = Array(text.utf8)
                self.status = status
                self.isOurs = isOurs
            }

            var testDescription: String { name }
        }

        private static let get = "GET / HTTP/1.1\r\nHost: h\r\n"
        private static let post = "POST / HTTP/1.1\r\nHost: h\r\n"

        static let cases: [Case] = [
            // Request smuggling: two readings of where the body ends.
            Case("CL and TE", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            Case("TE and CL", post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400),
            Case("two lengths", post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
            Case("the same length twice", post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
            Case(
                "two transfer codings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
                501),
            Case("gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
            Case("chunked, identity", post + "Transfer-Encoding: chunked, identity\r\n\r\n", 501),
            Case("identity", post + "Transfer-Encoding: identity\r\n\r\n", 501),
            Case("xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n", 501),
            Case("vertical tab before chunked", post + "Transfer-Encoding: \u{0B}chunked\r\n\r\n", 400),
            Case("TE in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            Case("blank before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
            Case("folded header", get + "X-A: 1\r\n 2\r\n\r\n", 400),
            Case("folded name", post + "Content-L: 5\r\n ength\r\n\r\nabcde", 400),
            Case("folded with a tab", get + "X-A: 1\r\n\t2\r\nX-B: 3\r\n\r\n", 400),
            Case("bare LF", get + "X-A: 1\nX-B: 2\r\n\r\n", 400),
            Case("bare LF after the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", 400),
            Case("bare LF ends the head", "GET / HTTP/1.1\r\nHost: h\r\n\n", 400),
            Case("bare CR in a value", get + "X-A: 1\r2\r\n\r\n", 400),
            Case("NUL in a value", get + "X-A: 1\0two\r\n\r\n", 400),
            Case("NUL at a value's end", get + "X-A: 1\0\r\n\r\n", 400),
            Case("NUL in a name", get + "X\0A: 1\r\n\r\n", 400, isOurs: false),
            Case("NUL hides a header", get + "X-A: 1\0\0\0Content-Length: 5\r\n\r\n", 400),
            Case("control character in a value", get + "X-A: \u{01}\r\n\r\n", 400),
            // Lengths.
            Case("negative length", post + "Content-Length: -1\r\n\r\n", 400, isOurs: false),
            Case("signed length", post + "Content-Length: +3\r\n\r\nabc", 400, isOurs: false),
            Case("hexadecimal length", post + "Content-Length: 0x3\r\n\r\nabc", 400, isOurs: false),
            Case("list of lengths", post + "Content-Length: 3, 3\r\n\r\nabc", 400, isOurs: false),
            Case("empty length", post + "Content-Length: \r\n\r\n", 400, isOurs: false),
            Case(
                "length beyond 64 bits", post + "Content-Length: 18446744073709551616\r\n\r\n", 413,
                isOurs: false
            ),
            Case("length of 64 bits", post + "Content-Length: 18446744073709551615\r\n\r\n", 413),
            // Chunks.
            Case(
                "chunk size not hexadecimal", post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400,
                isOurs: false),
            Case("negative chunk", post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n", 400, isOurs: false),
            Case("empty chunk size", post + "Transfer-Encoding: chunked\r\n\r\n\r\n", 400, isOurs: false),
            Case(
                "chunk longer than said", post + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
                400,
                isOurs: false),
            Case(
                "chunk beyond 64 bits", post + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n", 413,
                isOurs: false),
            // Lines.
            Case("no version", "GET /\r\n\r\n", 400, isOurs: false),
            Case("no target", "GET HTTP/1.1\r\nHost: h\r\n\r\n", 400, isOurs: false),
            Case("version in lower case", "GET / http/1.1\r\nHost: h\r\n\r\n", 400, isOurs: false),
            Case("HTTP/0.9", "GET / HTTP/0.9\r\n\r\n", 505, isOurs: false),
            Case("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, isOurs: false),
            Case("header without a colon", get + "nonsense\r\n\r\n", 400, isOurs: false),
            Case("empty header name", get + ": 1\r\n\r\n", 400),
            Case("header name with a bracket", get + "X[]: 1\r\n\r\n", 400),
            Case("method with a bracket", "GET[] / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("target without a slash", "GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("authority as target", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("no host", "GET / HTTP/1.1\r\n\r\n", 400),
            Case("two hosts", get + "Host: i\r\n\r\n", 400),
            Case("unknown expectation", post + "Expect: 200-ok\r\nContent-Length: 1\r\n\r\na", 417),
            // Escapes.
            Case("escape cut short", "GET /%4 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("escape not hexadecimal", "GET /%4g HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("escaped NUL", "GET /%00 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("escape not UTF-8", "GET /%ff HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("query escape not hexadecimal", "GET /?a=%zz HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("escaped NUL in the query", "GET /?a=%00 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            Case("NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ]

        @Test(arguments: cases)
        func `a malformed request is refused and never handled`(malformed: Case) async throws {
            let handled = Signal()
            try await withServer(
                handler: { request in
                    if request.path != "/fine" { handled.fire() }
                    return .text("fine")
                },
                body: { server in
                    try await offPool {
                        let client = try WireClient(port: server.port)
                        // A request behind it must not be taken for one: that is the smuggling.
                        try client.send(
                            malformed.bytes + Array("GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
                        let response = try client.response()
                        #expect(response.status == malformed.status)
                        if malformed.isOurs {
                            #expect(response.error != nil)
                            #expect(client.isClosed())
                        }
                        #expect(try WireClient(port: server.port).request("GET /fine").text == "fine")
                    }
                })
            #expect(handled.count == 0)
        }

        @Test func `arguments hidden behind a NUL byte do not spin`() async throws {
            // libmicrohttpd 0.9.75 keeps 64 bytes for each argument and spins when they outgrow its memory.
            try await withServer(handler: { _ in HTTPResponse() }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    let arguments = String(repeating: "a&", count: 3000)
                    try client.send("GET /\0HTTP/1.1\0\0?\(arguments) HTTP/1.1\r\nHost: h\r\n\r\n")
                    _ = client.readToEnd()
                    #expect(try WireClient(port: server.port).request("GET /").status == 200)
                }
            }
        }

        @Test func `a target or a head beyond all memory is refused`() async throws {
            try await withServer(handler: { _ in HTTPResponse() }) { server in
                try await offPool {
                    let long = String(repeating: "a", count: 1 << 20)
                    for (text, status) in [
                        ("GET /\(long) HTTP/1.1\r\n", "414"),
                        ("GET / HTTP/1.1\r\nHost: h\r\nX: \(long)\r\n\r\n", "431"),
                        (Self.get + (0..<20_000).map { "X\($0): 1\r\n" }.joined() + "\r\n", "431"),
                    ] {
                        let client = try WireClient(port: server.port)
                        // The server answers before it has read everything, so sending and reading may fail.
                        try? client.send(text)
                        let answer = String(decoding: client.readToEnd(), as: UTF8.self)
                        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(status) "))
                        #expect(try WireClient(port: server.port).request("GET /").status == 200)
                    }
                }
            }
        }

        @Test(arguments: 0..<8)
        func `garbage neither crashes nor hangs the server`(seed: UInt64) async throws {
            try await withServer(
                { $0.requestTimeout = .seconds(10) }, handler: { HTTPResponse(body: .bytes($0.body)) },
                body: { server in
                    try await offPool {
                        var generator = SplitMix(state: seed)
                        for _ in 0..<30 {
                            let client = try WireClient(port: server.port)
                            try? client.send(Self.garbage(using: &generator))
                            client.finishSending()
                            _ = client.readToEnd()
                        }
                        let client = try WireClient(port: server.port)
                        #expect(try client.request("POST /", body: "still here").text == "still here")
                    }
                })
        }

        /// Random bytes, or a valid request with some bytes changed.
        private static func garbage(using generator: inout SplitMix) -> [UInt8] {
            if Bool.random(using: &generator) {
                return (0..<Int.random(in: 1...3000, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            }
            let head = "POST /a/%41?b=c&d=%20 HTTP/1.1\r\nHost: h\r\nCookie: a=b; c=d\r\nX-One: 1\r\n"
            var bytes = Array(
                Bool.random(using: &generator)
                    ? (head + "Content-Length: 10\r\n\r\n0123456789").utf8
                    : (head
                        + "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n")
                        .utf8)
            bytes += bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert([0, 10, 13, 32, 58, 37].randomElement(using: &generator)!, at: index)
                default: bytes.insert(contentsOf: bytes[index..<min(index + 20, bytes.count)], at: index)
                }
            }
            return bytes
        }
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
