internal import APNs
internal import APNsClient
internal import PushConsole
internal import PushService
internal import PushStore
internal import Transport

/// `belfry serve`.
enum ServeVerb: Verb {
    static let port = Option.value(
        "port", short: "p", .port, default: 8080, "Port of the REST API; 0 takes a free one.")
    static let host = Option.value(
        "host", .text("ADDRESS"), default: "127.0.0.1",
        "Address to listen on. Put a server that speaks TLS in front of any other than loopback.")
    static let threads = Option.value(
        "threads", .integer("N", 1...64), default: 1, "Event loops for connections to APNs.")

    static let gatewayControl = Option.optional(
        "gateway-control", .text("URL", "a URL such as http://localhost:8079"),
        "The control interface of a gateway, to see its journal and set faults in the console.")

    static let declaration = VerbDeclaration(
        words: ["serve"],
        summary: "run the push service",
        discussion: """
            Answers LeanCloud's REST API: apps register their devices, backends send. Apps and their credentials \
            are made with 'belfry app' and 'belfry key', also while the service runs.

            Prints one line when it accepts connections. What it accepted is on the disk and reaches its end, \
            whatever happens to the process. SIGTERM and SIGINT end it: requests are answered, batches handed back.

            The console in the browser is at /console. While it has no user, the address where the first one is made \
            is printed on standard error; 'belfry user add' makes one too.

            With --database any number of services share one PostgreSQL database and its work, each with a data folder \
            of its own and all with the same secret. They may come and go at any time.
            """,
        options: [port.spec, host.spec, threads.spec, gatewayControl.spec] + ProbeOptions.all
            + StoreOptions.all,
        examples: [
            .init(purpose: "with Apple's servers", command: "belfry serve --data /var/lib/belfry"),
            .init(
                purpose: "with a gateway on this machine",
                command: "belfry serve --apns https://localhost:2197 --apns-sandbox https://localhost:2198"
                    + " --apns-ca belfry-data/ca.pem"),
            .init(
                purpose:
                    "one of several, with the database in BELFRY_DATABASE and the secret in BELFRY_SECRET",
                command: "belfry serve --data /var/lib/belfry --host 0.0.0.0"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let endpoints = try ProbeOptions.endpoints(options)
        let store = try await StoreOptions.open(options, for: .service)
        guard let lock = try FolderLock.take(options[StoreOptions.data]) else {
            await store.close()
            throw .unavailable("another belfry serve works on \(options[StoreOptions.data])")
        }
        defer { withExtendedLifetime(lock) {} }
        let process: PushServiceProcess
        do throws(CommandError) {
            let owner =
                store is PostgreSQLStore ? try StoreOptions.nodeName(options) : PushServiceProcess.sqliteOwner
            process = try PushServiceProcess.start(
                store: store,
                PushServiceProcess.Configuration(
                    host: options[host], port: UInt16(options[port]),
                    endpoints: ClientDirectory.Endpoints(
                        production: endpoints[.production] ?? Endpoint(.production),
                        sandbox: endpoints[.sandbox] ?? Endpoint(.sandbox),
                        proxy: options[ProbeOptions.proxy]),
                    threadCount: options[threads], owner: owner,
                    console: PushConsole.Configuration(
                        probe: try ProbeOptions.probe(options), gatewayControl: options[gatewayControl])),
                log: context.log)
        } catch {
            await store.close()
            throw error
        }
        context.stop.expect()
        let ready = ServiceReadyLine(
            host: options[host], port: process.server.port, store: try StoreOptions.place(options))
        if let path = await process.console.setUpPath() {
            context.console.printError("console: make its first user at \(ready.api)\(path)")
        }
        if context.isJSON {
            try context.console.printJSON(ready)
        } else {
            context.console.print(ready.text)
        }
        await process.run(until: context.stop)
        await store.close()
        return .done
    }
}
