internal import Transport

/// Where a request that changes something came from.
///
/// Browsers say it in `Origin` and `Sec-Fetch-Site`; pages of other sites are refused even if they knew a token.
enum RequestOrigin {
    /// Whether a request may change something.
    static func isOwn(_ request: HTTPRequest) -> Bool {
        if let site = request.headers.first(named: "sec-fetch-site"), site != "same-origin", site != "none" {
            return false
        }
        guard let origin = request.headers.first(named: "origin") else { return true }
        guard let host = request.headers.first(named: "host") else { return false }
        // `null` and what is no web address are not ours.
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
        }
        return false
    }

    /// Whether a browser reached us through TLS, as a proxy in front says.
    static func isSecure(_ request: HTTPRequest) -> Bool {
        request.headers.first(named: "x-forwarded-proto")?.lowercased() == "https"
    }
}

extension HTTPRequest {
    /// A cookie's value (RFC 6265 §4.2).
    func cookie(named name: String) -> String? {
        guard let header = headers.first(named: "cookie") else { return nil }
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        }
        return nil
    }
}
