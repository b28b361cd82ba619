import Testing

@testable import Transport

/// A tunnel whose answers the testing macros may ask for.
private final class Tunnel {
    private var tunnel = ProxyTunnel()

    func receive(_ bytes: [UInt8]) -> ProxyTunnel.Progress { tunnel.receive(bytes) }
}

struct ProxyTunnelTests {
    @Test func `the request names host and port and carries the credentials`() {
        let text = String(
            decoding: ProxyTunnel.request(host: "api.push.apple.com", port: 443, authorization: "Basic eA=="),
            as: UTF8.self)
        #expect(
            text == "CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com:443\r\n"
                + "Proxy-Authorization: Basic eA==\r\n\r\n")
    }

    @Test func `an IPv6 address is put in brackets`() {
        let text = String(
            decoding: ProxyTunnel.request(host: "::1", port: 2197, authorization: nil), as: UTF8.self)
        #expect(text == "CONNECT [::1]:2197 HTTP/1.1\r\nHost: [::1]:2197\r\n\r\n")
    }

    @Test(arguments: [
        "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200\r\n\r\n",
        "HTTP/1.1 299 x\r\nA: b\r\nC: d\r\n\r\n",
    ])
    func `an answer of 2xx opens the tunnel, whole or byte by byte`(text: String) {
        let tunnel = Tunnel()
        #expect(tunnel.receive(Array(text.utf8)) == .open)
        let slow = Tunnel()
        for byte in text.utf8.dropLast() { #expect(slow.receive([byte]) == .needsInput) }
        #expect(slow.receive([10]) == .open)
    }

    @Test(arguments: [
        "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "HTTP/1.1 502\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/2 200\r\n\r\n", "SSH-2.0-x\r\n\r\n", "\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 99999999999999999999 x\r\n\r\n",
    ])
    func `any other answer is a proxy error`(text: String) {
        let tunnel = Tunnel()
        guard case .refused(let error) = tunnel.receive(Array(text.utf8)) else {
            return #expect(Bool(false), "\(text) opened the tunnel")
        }
        #expect(error.code == .proxy)
    }

    @Test func `the refusal carries the proxy's own words`() {
        let tunnel = Tunnel()
        let text = "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"
        guard case .refused(let error) = tunnel.receive(Array(text.utf8)) else {
            return #expect(Bool(false))
        }
        #expect(error.message.contains("407 Proxy Authentication Required"))
    }

    @Test func `bytes behind the answer are refused: the server speaks second`() {
        let tunnel = Tunnel()
        guard case .refused = tunnel.receive(Array("HTTP/1.1 200 OK\r\n\r\n\u{16}".utf8)) else {
            return #expect(Bool(false))
        }
    }

    @Test func `an answer without end is given up at the limit`() {
        let tunnel = Tunnel()
        let limit = ProxyTunnel.answerByteCountMax
        #expect(tunnel.receive(Array(repeating: 65, count: limit)) == .needsInput)
        guard case .refused(let error) = tunnel.receive([65]) else { return #expect(Bool(false)) }
        #expect(error.code == .proxy)
    }
}
