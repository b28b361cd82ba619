internal import APNs
internal import APNsClient
internal import Crypto
internal import Transport

/// The options that say which APNs is meant, as `push` and `bench client` take them.
enum EndpointOptions {
    static let environment = Option.value(
        "environment", short: "e", ValueKind<Environment>.choice("NAME"), default: .production,
        defaultText: "production", "Which of Apple's two services.")
    static let url = Option.optional(
        "url", .text("URL", "a URL such as https://localhost:2197"),
        "Another server instead, such as a gateway.")
    static let authority = Option.optional(
        "ca", .path("FILE"),
        "Certificates (PEM) of the authorities to trust for --url, instead of the system's.")
    static let proxy = Option.optional(
        "proxy", .proxy, "A HTTP proxy to go through (CONNECT).")

    static let all = [environment.spec, url.spec, authority.spec, proxy.spec]

    /// The server that the options name.
    ///
    /// - Parameter environment: Apple's service to use when no URL is given.
    static func endpoint(
        _ options: ParsedOptions, environment: Environment
    ) throws(CommandError) -> Endpoint {
        let trust =
            try options[authority].map { path throws(CommandError) -> TLSContext.Trust in
                try Self.trust(path)
            } ?? .system
        guard let url = options[url] else {
            var endpoint = Endpoint(environment)
            endpoint.trust = trust
            return endpoint
        }
        do throws(APNsClientError) {
            return try Endpoint(url: url, trust: trust)
        } catch {
            throw .usage("--url: \(error.message)")
        }
    }

    static func trust(
        _ path: String, option: String = authority.spec.name
    ) throws(CommandError) -> TLSContext.Trust {
        let bytes = try InputFile.read(path)
        do throws(CryptoError) {
            return .certificates(try [Certificate](pemBundle: String(decoding: bytes, as: UTF8.self)))
        } catch {
            throw .usage("--\(option) \(path): \(error.message)")
        }
    }
}

extension ValueKind where Value == HTTPProxy {
    /// `http://host:port`, also without the scheme.
    static let proxy = Self(placeholder: "URL", allowed: "a URL such as http://proxy:3128") { text in
        guard
            let match = text.wholeMatch(
                of: #/(?:http://)?(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@?# ]+):([0-9]{1,5})/?/#),
            let port = Int(match.2), (1...65535).contains(port)
        else { return nil }
        let host = match.1.hasPrefix("[") ? match.1.dropFirst().dropLast() : match.1
        return HTTPProxy(host: String(host), port: port)
    }
}
