internal import Transport

/// Keeps web pages away from a control API that has no password.
///
/// A page of any site can make a browser send requests to localhost. Browsers name the page in `Origin`; and a page
/// whose own name was made to point at this machine (DNS rebinding) shows in `Host`. Other clients send no `Origin`.
struct RequestGuard: Sendable {
    /// Whether only loopback names and addresses in `Host` are served; for an API that listens on loopback.
    var checksHost: Bool

    /// The refusal; nil for a request that may pass.
    func refusal(_ request: HTTPRequest) -> HTTPResponse? {
        if let origin = request.headers.first(named: "origin"), !RequestGuard.isLoopback(origin: origin) {
            return .error(
                403,
                "requests of web pages from elsewhere are refused; found the origin \(origin.prefix(100))")
        }
        if checksHost, let host = request.headers.first(named: "host"), !RequestGuard.isLoopback(host: host) {
            return .error(
                403, "found the host \(host.prefix(100)), allowed: localhost, 127.0.0.1, [::1]")
        }
        return nil
    }

    private static func isLoopback(origin: String) -> Bool {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return isLoopback(host: String(origin.dropFirst(scheme.count)))
        }
        return false
    }

    /// A name or address, perhaps with a port.
    static func isLoopback(host: String) -> Bool {
        let host = host.lowercased()
        for name in ["localhost", "127.0.0.1", "[::1]"] {
            if host == name { return true }
            guard host.hasPrefix(name + ":") else { continue }
            let port = host.dropFirst(name.count + 1)
            return !port.isEmpty && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        return false
    }
}
