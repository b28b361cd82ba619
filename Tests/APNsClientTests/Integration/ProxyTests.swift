import APNs
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct ProxyTests {
    private static func send(
        through relay: TestRelay, to port: Int = 443, handshakeTimeout: Duration = .seconds(15)
    ) async throws -> Outcome {
        let client = try ScriptedTrust.client(of: ScriptedTrust.endpoint(port: port)) {
            $0.proxy = HTTPProxy(host: "127.0.0.1", port: relay.port)
            $0.connection.handshakeTimeout = handshakeTimeout
            $0.unreachableAfter = .seconds(5)
        }
        return await client.send(try Sample.notification(Sample.token(0)))
    }

    @Test(arguments: [nil, "Basic dXNlcjpwYXNz"])
    func `notifications go through a tunnel to the server by its name`(authorization: String?) async throws {
        let server = try await ScriptedServer()
        let proxy = try await TestRelay(.tunnel(to: server.port))
        let client = try server.client {
            $0.proxy = HTTPProxy(host: "localhost", port: proxy.port, authorization: authorization)
        }
        let outcomes = await client.send(try Sample.notifications(100))
        #expect(outcomes.allSatisfy { $0.isAccepted })
        var head = "CONNECT localhost:\(server.port) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
        if let authorization { head += "Proxy-Authorization: \(authorization)\r\n" }
        #expect(proxy.heads == [head + "\r\n"])
    }

    @Test(arguments: ["407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway"])
    func `a proxy's refusal is named`(status: String) async throws {
        let proxy = try await TestRelay(.answer("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"))
        let outcome = try await Self.send(through: proxy)
        #expect(outcome.notSentError?.code == .proxy)
        #expect(outcome.notSentError?.message.contains(status) == true)
    }

    @Test(arguments: [
        "220 mail.example.com ESMTP\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "\r\n\r\n",
        "HTTP/2 200\r\n\r\n", String(repeating: "x", count: 10_000),
        "HTTP/1.1 200 OK\r\n\r\nbut the peer says nothing first",
    ])
    func `a proxy that does not speak HTTP is named`(answer: String) async throws {
        let proxy = try await TestRelay(.answer(answer))
        let outcome = try await Self.send(through: proxy)
        #expect(outcome.notSentError?.code == .proxy)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n"])
    func `a proxy that does not answer to the end runs into the timeout`(answer: String) async throws {
        let proxy = try await TestRelay(.answer(answer))
        let outcome = try await Self.send(through: proxy, handshakeTimeout: .milliseconds(300))
        #expect(outcome.notSentError?.code == .timeout)
        #expect(outcome.notSentError?.message.contains("proxy") == true)
    }

    @Test func `a proxy that nobody runs is named, not the server behind it`() async throws {
        let client = try ScriptedTrust.client(of: ScriptedTrust.endpoint(host: "api.example.com", port: 443))
        {
            $0.proxy = HTTPProxy(host: "127.0.0.1", port: 1)
            $0.unreachableAfter = .seconds(5)
        }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.notSentError?.code == .connect)
        #expect(outcome.notSentError?.message.contains("127.0.0.1:1") == true)
    }

    @Test func `the server's certificate is checked through the tunnel`() async throws {
        let server = try await ScriptedServer(hostNames: ["other.example"])
        let proxy = try await TestRelay(.tunnel(to: server.port))
        let outcome = try await Self.send(through: proxy, to: server.port)
        #expect(outcome.notSentError?.code == .tls)
        #expect(server.log.requests.isEmpty)
    }
}
