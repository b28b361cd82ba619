import Crypto
import Foundation
import Synchronization
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct HTTPClientTests {
    private static func code(_ body: () async throws(TransportError) -> Void) async -> TransportError.Code? {
        do throws(TransportError) {
            try await body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a request arrives as it was made, and so does its answer`() async throws {
        let handler: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            let head = "\(request.method) \(request.path) \(request.headers.first(named: "x-mine") ?? "-")"
            let types = request.headers.first(named: "content-type") ?? "none"
            let agent = request.headers.first(named: "user-agent") ?? "-"
            return HTTPResponse(
                status: 202, headers: [("X-Answer", "a")],
                body: .bytes(Array("\(head)|\(types)|\(agent)|".utf8) + request.body))
        }
        try await withServer(handler: handler) { server in
            let client = HTTPClient()
            let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
            let response = try await client.send(
                HTTPClientRequest(
                    method: "POST", url: "http://127.0.0.1:\(server.port)/a%20b?c",
                    headers: [HTTPHeaders.Field(name: "X-Mine", value: "ä")], body: body))
            #expect(response.status == 202)
            #expect(response.headers.first(named: "x-answer") == "a")
            #expect(response.body == Array("POST /a b ä|none|Belfry|".utf8) + body)
        }
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
    func `every method works without a body`(method: String) async throws {
        try await withServer(handler: { .text("\($0.method) \($0.body.count)") }) { server in
            let response = try await HTTPClient().send(
                HTTPClientRequest(method: method, url: "http://127.0.0.1:\(server.port)/"))
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == (method == "HEAD" ? "" : "\(method) 0"))
        }
    }

    @Test func `a thousand requests at once are all answered, over few connections`() async throws {
        let addresses = Mutex<Set<String>>([])
        try await withServer(handler: { request in
            addresses.withLock { _ = $0.insert(request.remoteAddress) }
            return HTTPResponse(body: .bytes(request.body))
        }) { server in
            let client = HTTPClient()
            let url = "http://127.0.0.1:\(server.port)/"
            let right = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let body = Array("\(number)".utf8)
                        return try await client.send(HTTPClientRequest(method: "POST", url: url, body: body))
                            .body == body
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(right == 1_000)
        }
    }

    @Test func `a redirect is an answer, not an order`() async throws {
        try await withServer(handler: { request in
            request.path == "/"
                ? HTTPResponse(status: 302, headers: [("Location", "/else")]) : .text("followed")
        }) { server in
            let response = try await HTTPClient().send(
                HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/"))
            #expect(response.status == 302)
            #expect(response.headers.first(named: "location") == "/else")
        }
    }

    @Test func `an answer above the limit is an error, and one at the limit is not`() async throws {
        try await withServer(handler: { _ in HTTPResponse(body: .bytes([UInt8](repeating: 1, count: 5_000))) }
        ) { server in
            let client = HTTPClient()
            let url = "http://127.0.0.1:\(server.port)/"
            let code = await Self.code { () throws(TransportError) in
                _ = try await client.send(HTTPClientRequest(url: url, responseByteCountMax: 4_999))
            }
            #expect(code == .limit)
            let response = try await client.send(HTTPClientRequest(url: url, responseByteCountMax: 5_000))
            #expect(response.body.count == 5_000)
        }
    }

    @Test func `a server that says nothing costs no more than the timeout`() async throws {
        let listener = try await SilentListener()
        let client = HTTPClient()
        let code = await Self.code { () throws(TransportError) in
            _ = try await client.send(
                HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/", timeout: .milliseconds(200)))
        }
        #expect(code == .timeout)
    }

    @Test func `a cancelled request ends at once`() async throws {
        let listener = try await SilentListener()
        let client = HTTPClient()
        let task = Task {
            await Self.code { () throws(TransportError) in
                _ = try await client.send(
                    HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/", timeout: .seconds(1_000)))
            }
        }
        task.cancel()
        #expect(await task.value == .closed)
    }

    @Test func `closing ends what runs and what waits`() async throws {
        let listener = try await SilentListener()
        var configuration = HTTPClient.Configuration()
        configuration.transferCountMax = 1
        let client = HTTPClient(configuration: configuration)
        let url = "http://127.0.0.1:\(listener.port)/"
        let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await Self.code { () throws(TransportError) in
                        _ = try await client.send(HTTPClientRequest(url: url, timeout: .seconds(1_000)))
                    }
                }
            }
            group.addTask {
                client.close()
                return .closed
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [.closed, .closed, .closed, .closed])
        let late = await Self.code { () throws(TransportError) in
            _ = try await client.send(HTTPClientRequest(url: url))
        }
        #expect(late == .closed)
    }

    @Test func `more than may wait fail at once`() async throws {
        let listener = try await SilentListener()
        var configuration = HTTPClient.Configuration()
        configuration.transferCountMax = 1
        configuration.waitingCountMax = 0
        let client = HTTPClient(configuration: configuration)
        let code = await Self.code { () throws(TransportError) in
            _ = try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/"))
        }
        #expect(code == .limit)
    }

    @Test(arguments: [
        ("GET", "file:///etc/passwd"), ("GET", "ftp://localhost/"), ("GET", "localhost:80"),
        ("GET", "http:/x"),
        ("GET", "http://local host/"), ("GET", "http://localhost/\u{0}"), ("GET", "http://localhost/\n"),
        ("GET", ""),
        ("", "http://localhost/"), ("GE T", "http://localhost/"), ("GET\r\nX: y", "http://localhost/"),
    ])
    func `what is no request is refused before it reaches the network`(method: String, url: String) async {
        let code = await Self.code { () throws(TransportError) in
            _ = try await HTTPClient().send(HTTPClientRequest(method: method, url: url))
        }
        #expect(code == .argument)
    }

    @Test(arguments: [("X\r\nY", "z"), ("", "z"), ("X", "a\r\nY: b"), ("X", "a\u{0}b"), ("X:", "y")])
    func `a header cannot smuggle another one in`(name: String, value: String) async {
        let code = await Self.code { () throws(TransportError) in
            _ = try await HTTPClient().send(
                HTTPClientRequest(
                    url: "http://127.0.0.1:1/", headers: [HTTPHeaders.Field(name: name, value: value)]))
        }
        #expect(code == .argument)
    }

    @Test func `names and ports where nobody is are told apart`() async {
        let refused = await Self.code { () throws(TransportError) in
            _ = try await HTTPClient().send(HTTPClientRequest(url: "http://127.0.0.1:1/"))
        }
        #expect(refused == .connect)
        let unknown = await Self.code { () throws(TransportError) in
            _ = try await HTTPClient().send(HTTPClientRequest(url: "http://nobody.invalid/"))
        }
        #expect(unknown == .resolution)
    }

    // MARK: - TLS

    private static let answer =
        "HTTP/1.1 200 OK\r\nX-Empty:\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"

    private static func trusting(_ authority: CertificateAuthority) throws -> HTTPClient {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-\(UUID()).pem")
        try authority.certificate.pem.write(to: file, atomically: true, encoding: .utf8)
        var configuration = HTTPClient.Configuration()
        configuration.certificateFile = file.path
        return HTTPClient(configuration: configuration)
    }

    @Test func `a server with a certificate of the given authority is trusted`() async throws {
        let server = try TLSAnswerer(answer: Self.answer)
        let client = try Self.trusting(LoopbackTrust.authority)
        let response = try await client.send(HTTPClientRequest(url: "https://localhost:\(server.port)/"))
        #expect(response.status == 200)
        #expect(response.headers.first(named: "x-empty") == "")
        #expect(response.body == Array("hi".utf8))
    }

    @Test func `no other certificate is`() async throws {
        let other = try CertificateAuthority(
            commonName: "Other CA", validity: .days(2, from: WallClock.system.secondsSince1970))
        let server = try TLSAnswerer(answer: Self.answer)
        let elsewhere = try TLSAnswerer(answer: Self.answer, hostNames: ["elsewhere.example"])
        for (client, port) in [
            (try Self.trusting(other), server.port), (HTTPClient(), server.port),
            (try Self.trusting(LoopbackTrust.authority), elsewhere.port),
        ] {
            let code = await Self.code { () throws(TransportError) in
                _ = try await client.send(HTTPClientRequest(url: "https://localhost:\(port)/"))
            }
            #expect(code == .tls)
        }
    }

    @Test(arguments: [
        "nonsense", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\nhi", "\r\n\r\n",
    ])
    func `a server that breaks HTTP is an error`(answer: String) async throws {
        let server = try TLSAnswerer(answer: answer)
        let client = try Self.trusting(LoopbackTrust.authority)
        let code = await Self.code { () throws(TransportError) in
            _ = try await client.send(
                HTTPClientRequest(url: "https://localhost:\(server.port)/", timeout: .milliseconds(500)))
        }
        #expect(code == .connectionLost || code == .timeout)
    }
}
