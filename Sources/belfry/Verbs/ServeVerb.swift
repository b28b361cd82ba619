internal import APNsClient
internal import Crypto
internal import PushService
internal import PushStore

/// `belfry serve`.
enum ServeVerb: Verb {
    static let port = Option.value(
        "port", short: "p", .port, default: 8080, "Port of API and console; 0 takes a free one.")
    static let host = Option.value(
        "host", .text("ADDRESS"), default: "127.0.0.1",
        "Address to listen on. It speaks plain HTTP: for any other network put a proxy with TLS in front of it.")
    static let apns = Option.optional(
        "apns", .text("URL", "a URL such as https://localhost:2197"),
        "Another server instead of Apple's production service, such as a gateway.")
    static let sandbox = Option.optional(
        "apns-sandbox", .text("URL", "a URL such as https://localhost:2198"),
        "Another server instead of Apple's sandbox.")
    static let authority = Option.optional(
        "apns-ca", .path("FILE"),
        "Certificates (PEM) of the authorities to trust for --apns and --apns-sandbox, instead of the system's.")

    static let declaration = VerbDeclaration(
        words: ["serve"],
        summary: "run the push service",
        discussion: """
            Answers LeanCloud's REST API and sends what it is asked to send. Apps and credentials are managed with \
            belfry app and belfry key, whether the service runs or not.

            Prints one line when it accepts connections. SIGTERM and SIGINT end it: requests that are being answered \
            get their answer, and what has not been sent yet is sent after the next start.
            """,
        options: [port.spec, host.spec, apns.spec, sandbox.spec, authority.spec] + StoreOptions.all,
        examples: [
            .init(
                purpose: "behind a proxy, with Apple's servers",
                command: "belfry serve --data /var/lib/belfry"),
            .init(
                purpose: "in front of a gateway on this machine",
                command: "belfry serve --apns https://localhost:2197 --apns-sandbox https://localhost:2198"
                    + " --apns-ca belfry-data/ca.pem"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let endpoints = try endpoints(options)
        let store = try await StoreOptions.open(options, SQLiteStore.Configuration())
        let lock: FolderLock
        do throws(CommandError) {
            lock = try FolderLock(folder: options[StoreOptions.data])
        } catch {
            await store.close()
            throw error
        }
        defer { lock.release() }
        let service = try await RunningService.start(
            store, host: options[host], port: UInt16(options[port]), endpoints: endpoints,
            now: { context.preciseInstant }, log: context.log)
        let ready = ServeReadyLine(host: options[host], port: service.port)
        if context.isJSON {
            try context.console.printJSON(ready)
        } else {
            context.console.print(ready.text)
        }
        await context.stop.wait()
        context.log.info("stopping")
        await service.stop()
        context.log.debug("stopped")
        return .done
    }

    private static func endpoints(
        _ options: ParsedOptions
    ) throws(CommandError) -> ClientDirectory.Endpoints {
        let trust = try options[authority].map(EndpointOptions.trust) ?? .system
        var endpoints = ClientDirectory.Endpoints()
        if let url = options[apns] { endpoints.production = try endpoint("--apns", url, trust) }
        if let url = options[sandbox] { endpoints.sandbox = try endpoint("--apns-sandbox", url, trust) }
        return endpoints
    }

    private static func endpoint(
        _ option: String, _ url: String, _ trust: TLSContext.Trust
    ) throws(CommandError) -> Endpoint {
        do throws(APNsClientError) {
            return try Endpoint(url: url, trust: trust)
        } catch {
            throw .usage("\(option): \(error.message)")
        }
    }
}
