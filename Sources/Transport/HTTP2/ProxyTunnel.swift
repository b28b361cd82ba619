/// An HTTP proxy that opens tunnels (RFC 9110 §9.3.6).
public struct HTTPProxy: Sendable, Hashable {
    /// The proxy's host name or address.
    public var host: String
    /// The proxy's port.
    public var port: Int
    /// The value of `Proxy-Authorization`, such as `Basic …`; a secret.
    public var authorization: String?

    /// Describes a proxy.
    public init(host: String, port: Int, authorization: String? = nil) {
        self.host = host
        self.port = port
        self.authorization = authorization
    }
}

/// The opening of a tunnel through a proxy: one request out, one head of an answer in.
struct ProxyTunnel {
    enum Progress: Hashable {
        case needsInput
        case open
        case refused(TransportError)
    }

    /// The proxy's answer has no business being longer.
    static let answerByteCountMax = 8192

    private var answer: [UInt8] = []

    /// The bytes that ask for the tunnel.
    static func request(host: String, port: Int, authorization: String?) -> [UInt8] {
        let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var text = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
        if let authorization { text += "Proxy-Authorization: \(authorization)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Takes bytes from the proxy.
    ///
    /// The peer behind it says nothing before we do, so nothing may follow.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> Progress {
        answer.append(contentsOf: bytes)
        guard let end = Self.endOfHead(answer) else {
            return answer.count > Self.answerByteCountMax
                ? .refused(TransportError(.proxy, "the proxy's answer is no HTTP")) : .needsInput
        }
        guard end == answer.count else {
            return .refused(TransportError(.proxy, "the proxy sent bytes before the tunnel was used"))
        }
        let line = answer.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            return .refused(TransportError(.proxy, "the proxy's answer is no HTTP"))
        }
        guard (200..<300).contains(status) else {
            return .refused(
                TransportError(.proxy, "the proxy refused the tunnel: \(words[1...].joined(separator: " "))"))
        }
        return .open
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= end.count else { return nil }
        return (0...(bytes.count - end.count)).first { bytes[$0..<($0 + end.count)].elementsEqual(end) }
            .map { $0 + end.count }
    }
}
