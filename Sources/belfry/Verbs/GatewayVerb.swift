internal import APNsGateway

/// `belfry gateway`.
enum GatewayVerb: Verb {
    static let port = Option.value(
        "port", short: "p", .port, default: 2197, "Port of the production environment; 0 takes a free one.")
    static let sandboxPort = Option.value(
        "sandbox-port", .port, default: 2198, "Port of the sandbox environment; 0 takes a free one.")
    static let controlPort = Option.value(
        "control-port", .port, default: 8079, "Port of the control API; 0 takes a free one.")
    static let host = Option.value(
        "host", .text("ADDRESS"), default: "127.0.0.1",
        "Address to listen on. The control API has no password: open it to a network you trust only.")
    static let hostname = Option.repeated(
        "hostname", .text("NAME"),
        "A further name or address for the server's certificate, beside localhost, the machine's and Apple's."
    )
    static let data = Option.value(
        "data", short: "d", .path("DIR"), default: "belfry-data",
        "Folder for devices, stored notifications, certificates and keys; made when missing.")
    static let isOpen = Option.flag(
        "open",
        "Accept every well-formed provider token and every device token, and many streams from the start: for "
            + "load tests.")
    static let hasVirtualClock = Option.flag(
        "virtual-clock", "Let the control API put the clock forward (POST /time).")
    static let grace = Option.value(
        "grace", .duration(), default: .seconds(60), defaultText: "1m",
        "How long a token of a removed app is still accepted after a push has found it dead.")
    static let threads = Option.value(
        "threads", .integer("N", 1...64), default: 1, "Event loops that serve providers.")
    static let history = Option.value(
        "history", .integer("N", 1_000...10_000_000), default: 10_000,
        "Received notifications that are kept over all devices, the newest ones; each takes about 1 KB.")
    static let seed = Option.optional(
        "seed", .integer("N", 0...Int.max), "Seed of random choices, for runs that repeat.")

    static let declaration = VerbDeclaration(
        words: ["gateway"],
        summary: "run an APNs on this machine",
        discussion: """
            Listens like APNs does: HTTP/2 over TLS, one port for each environment, and refuses what Apple \
            refuses. Devices are registered, looked at and switched off through the control API.

            Prints one line when it accepts connections: where it listens, the certificate authority to \
            trust and the key to sign provider tokens with. SIGTERM and SIGINT end it: clients get a GOAWAY, \
            open requests are answered, devices and stored notifications are kept for the next start.

            The server's certificate also names Apple's hosts, so that a client that knows no others can be \
            led here by a resolver or /etc/hosts of your own.
            """,
        options: [
            port.spec, sandboxPort.spec, controlPort.spec, host.spec, hostname.spec, data.spec, isOpen.spec,
            hasVirtualClock.spec, grace.spec, threads.spec, history.spec, seed.spec,
        ],
        examples: [
            .init(purpose: "with Apple's alternative port", command: "belfry gateway"),
            .init(
                purpose: "in a test: free ports, a folder of its own, the ready line as JSON",
                command:
                    "belfry gateway --port 0 --sandbox-port 0 --control-port 0 --data \"$(mktemp -d)\" --json"
            ),
            .init(purpose: "for a load generator", command: "belfry gateway --open"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let gateway: Gateway
        do throws(GatewayError) {
            gateway = try await Gateway.start(configuration(options))
        } catch {
            throw .unavailable(error.message)
        }
        context.stop.expect()
        let ready = GatewayReadyLine(gateway.addresses)
        if context.isJSON {
            try context.console.printJSON(ready)
        } else {
            context.console.print(ready.text)
        }
        await context.stop.wait()
        context.log.info("stopping")
        await gateway.stop()
        context.log.debug("stopped")
        return .done
    }

    static func configuration(_ options: ParsedOptions) -> GatewayConfiguration {
        var configuration = GatewayConfiguration(folder: options[data])
        configuration.host = options[host]
        configuration.productionPort = options[port]
        configuration.sandboxPort = options[sandboxPort]
        configuration.controlPort = UInt16(options[controlPort])
        configuration.hostNames = AppleHosts.all + options[hostname]
        configuration.isOpen = options[isOpen]
        if options[isOpen] {
            // A load generator sends before it has read the limit, and counts refused streams as failures.
            let connections = configuration.policy.connections
            configuration.policy.connections.unauthenticatedStreamsMax = connections.authenticatedStreamsMax
        }
        configuration.hasVirtualClock = options[hasVirtualClock]
        configuration.threadCount = options[threads]
        configuration.seed = options[seed].map(UInt64.init)
        configuration.devicePolicy.deliveriesMax = options[history]
        configuration.devicePolicy.unregisteredGraceMilliseconds = options[grace].milliseconds
        return configuration
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
