internal import Transport

/// Keeps pages from elsewhere away from phones, which have no password: browsers name a page in `Origin`, and a name
/// that was made to point at this machine shows in `Host`.
enum LoopbackGuard {
    static func refusal(_ request: HTTPRequest) -> HTTPResponse? {
        if let origin = request.headers.first(named: "origin") {
            let host = origin.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
            guard isLoopback(String(host)) else {
                return .error(
                    403, "requests of web pages from elsewhere are refused; found \(origin.prefix(100))")
            }
        }
        if let host = request.headers.first(named: "host"), !isLoopback(host) {
            return .error(403, "found the host \(host.prefix(100)), allowed: localhost, 127.0.0.1, [::1]")
        }
        return nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber)
        }
    }
}
