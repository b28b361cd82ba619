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
        options: [port.spec, sandboxPort.spec, controlPort.spec, host.spec, data.spec, isOpen.spec],
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
        throw .unavailable("the gateway is not part of this build yet")
    }
}
