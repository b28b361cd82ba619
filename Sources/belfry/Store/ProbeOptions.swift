internal import APNs
internal import APNsClient
internal import Crypto
internal import PushService
internal import Transport

/// The options that say where APNs is, for verbs that use both environments.
enum ProbeOptions {
    static let production = Option.optional(
        "apns", .text("URL", "a URL such as https://localhost:2197"),
        "The server for production instead of Apple's, such as a gateway.")
    static let sandbox = Option.optional(
        "apns-sandbox", .text("URL", "a URL such as https://localhost:2198"),
        "The server for the sandbox instead of Apple's.")
    static let authority = Option.optional(
        "apns-ca", .path("FILE"),
        "Certificates (PEM) of the authorities to trust for both, instead of the system's.")
    static let proxy = EndpointOptions.proxy

    static let all = [production.spec, sandbox.spec, authority.spec, proxy.spec]

    /// The servers by environment.
    static func endpoints(_ options: ParsedOptions) throws(CommandError) -> [Environment: Endpoint] {
        let trust =
            try options[authority].map { path throws(CommandError) in try self.trust(path) } ?? .system
        var endpoints: [Environment: Endpoint] = [:]
        for (environment, option) in [(Environment.production, production), (.sandbox, sandbox)] {
            do throws(APNsClientError) {
                if let url = options[option] {
                    endpoints[environment] = try Endpoint(url: url, trust: trust)
                } else {
                    endpoints[environment] = Endpoint(environment)
                    endpoints[environment]?.trust = trust
                }
            } catch {
                throw .usage("--\(option.spec.name): \(error.message)")
            }
        }
        return endpoints
    }

    /// The probe for credentials.
    static func probe(_ options: ParsedOptions) throws(CommandError) -> CredentialProbe {
        CredentialProbe(endpoints: try endpoints(options), proxy: options[proxy])
    }

    private static func trust(_ path: String) throws(CommandError) -> TLSContext.Trust {
        let bytes = try InputFile.read(path)
        do throws(CryptoError) {
            return .certificates(try [Certificate](pemBundle: String(decoding: bytes, as: UTF8.self)))
        } catch {
            throw .usage("--apns-ca \(path): \(error.message)")
        }
    }
}
