internal import APNs

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
        "proxy", .text("URL", "a URL such as http://proxy:3128"), "A HTTP proxy to go through (CONNECT).")

    static let all = [environment.spec, url.spec, authority.spec, proxy.spec]
}
