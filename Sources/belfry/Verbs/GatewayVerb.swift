import APNsGateway
import FoundationEssentials

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
    static let data = Option.value(
        "data", short: "d", .path("DIR"), default: "belfry-data",
        "Folder for devices, stored notifications, certificates and keys; made when missing.")
    static let isOpen = Option.flag(
        "open", "Accept every well-formed provider token and every device token: for load tests.")

    static let threads = Option.value(
        "threads", .integer("COUNT", 1...64), default: 1, "Event loops that serve providers.")
    static let journal = Option.value(
        "journal", .integer("COUNT", 1...10_000_000), default: 100_000, "How many requests the journal keeps.")
    static let names = Option.repeated(
        "name", .text("NAME"), "One more host name or address for the server's certificate.")
    static let hasVirtualClock = Option.flag(
        "virtual-clock", "Let the control API put the gateway's clock forward (POST /time).")

    static let declaration = VerbDeclaration(
        words: ["gateway"],
        summary: "run an APNs on this machine",
        discussion: """
            Listens like APNs does: HTTP/2 over TLS, one port for each environment, and refuses what Apple \
            refuses. Devices are registered, looked at and switched off through the control API.

            Prints one line when it accepts connections: where it listens, the certificate authority to \
            trust and the key to sign provider tokens with. SIGTERM and SIGINT end it: clients get a GOAWAY, \
            open requests are answered, devices and stored notifications are kept for the next start.
            """,
        options: [
            port.spec, sandboxPort.spec, controlPort.spec, host.spec, data.spec, isOpen.spec, threads.spec,
            journal.spec, names.spec, hasVirtualClock.spec,
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
        var configuration = GatewayConfiguration(folder: options[data])
        configuration.host = options[host]
        configuration.productionPort = options[port]
        configuration.sandboxPort = options[sandboxPort]
        configuration.controlPort = UInt16(clamping: options[controlPort])
        configuration.hostNames = options[names]
        configuration.isOpen = options[isOpen]
        configuration.hasVirtualClock = options[hasVirtualClock]
        configuration.threadCount = options[threads]
        configuration.journalCapacity = options[journal]
        let gateway: Gateway
        do throws(GatewayError) {
            gateway = try await Gateway.start(configuration)
        } catch {
            throw .unavailable(error.message)
        }
        context.console.print(ReadyLine(gateway.addresses).text(isJSON: context.isJSON))
        await context.stop.wait()
        context.log.info("stopping")
        await gateway.stop()
        return .done
    }

    /// The line that tells scripts where a gateway listens and what its clients need.
    struct ReadyLine: Encodable {
        let ready = true
        let apns: String?
        let sandbox: String?
        let control: String
        let ca: String
        let key: String
        let keyID: String
        let teamID: String

        private enum CodingKeys: String, CodingKey {
            case ready, apns, sandbox, control, ca, key
            case keyID = "key_id"
            case teamID = "team_id"
        }

        init(_ addresses: Gateway.Addresses) {
            apns = addresses.production
            sandbox = addresses.sandbox
            control = addresses.control
            ca = addresses.authorityPath
            key = addresses.signingKeyPath
            keyID = addresses.keyID
            teamID = addresses.teamID
        }

        func text(isJSON: Bool) -> String {
            if isJSON {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                if let data = try? encoder.encode(self) { return String(decoding: data, as: UTF8.self) }
            }
            let parts = [
                ("apns", apns), ("sandbox", sandbox), ("control", control), ("ca", ca), ("key", key),
                ("key_id", keyID), ("team_id", teamID),
            ]
            return "ready " + parts.compactMap { name, value in value.map { "\(name)=\($0)" } }
                .joined(separator: " ")
        }
    }
}
