public import APNs
public import Crypto

/// Where notifications are sent: Apple's production or sandbox service, or a server of one's own.
public struct Endpoint: Sendable {
    /// The host's name, also checked against its certificate.
    public var host: String
    /// The port; Apple takes 443 and 2197 (Apple: Sending notification requests to APNs).
    public var port: Int
    /// The authorities that may have signed the server's certificate.
    public var trust: TLSContext.Trust

    /// Describes a server.
    public init(host: String, port: Int = 443, trust: TLSContext.Trust = .system) {
        self.host = host
        self.port = port
        self.trust = trust
    }

    /// Apple's service for an environment.
    public init(_ environment: Environment, port: Int = 443) {
        self.init(host: environment.host, port: port)
    }

    /// Reads `https://host[:port]`.
    ///
    /// - Parameters:
    ///   - url: an absolute URL without a path.
    ///   - trust: the authorities that may have signed the server's certificate.
    /// - Throws: a ``APNsClientError`` with code `endpoint` that says what is wrong with the text.
    public init(url: String, trust: TLSContext.Trust = .system) throws(APNsClientError) {
        func refuse(_ why: String) -> APNsClientError {
            APNsClientError(.endpoint, "'\(url)': \(why); a URL such as https://localhost:2197 is needed")
        }
        let scheme = "https://"
        guard url.lowercased().hasPrefix(scheme) else { throw refuse("APNs is spoken over https only") }
        var authority = url.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority.removeLast() }
        guard !authority.contains(where: { "/?#@ ".contains($0) }) else {
            throw refuse("a path, query or user has no place here")
        }
        var host = authority
        var port = 443
        let colonSearch = authority.hasPrefix("[") ? authority.lastIndex(of: "]") : authority.startIndex
        guard let searchStart = colonSearch else { throw refuse("']' is missing") }
        if let colon = authority[searchStart...].lastIndex(of: ":") {
            guard let number = Int(authority[authority.index(after: colon)...]), (1...65535).contains(number)
            else { throw refuse("the port is not a number from 1 to 65535") }
            port = number
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw refuse("the host is missing") }
        self.init(host: String(host), port: port, trust: trust)
    }

    /// The request's `:authority`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }
}
