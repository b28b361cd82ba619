#if canImport(VirtualPhone)
internal import APNsGateway
internal import PushStore
internal import VirtualPhone

/// `belfry demo`.
enum DemoVerb: Verb {
    static let port = Option.value(
        "port", short: "p", .port, default: 8080,
        "Port of the console, the phones and the REST API; 0 takes a free one.")
    static let data = Option.value(
        "data", short: "d", .path("DIR"), default: "belfry-demo",
        "The demo's data folder; made when missing, taken up when there.")

    static let declaration = VerbDeclaration(
        words: ["demo"],
        summary: "run everything in one process: service, console, APNs, people, two phones",
        discussion: """
            A push service with its console, an APNs gateway, a few thousand made-up installations over many zones and \
            languages, and two simulated iPhones whose pages can be tapped, one in Shanghai, one in New York. The \
            first push is on their lock screens when it is ready. A phone's page moves everybody's clock on: tomorrow \
            at nine comes in seconds.

            Everything is on the loopback address. Ctrl-C ends it and leaves the data folder; another start goes on \
            where it was.
            """,
        options: [port.spec, data.spec],
        examples: [
            .init(purpose: "see it work", command: "belfry demo"),
            .init(purpose: "beside something else on port 8080", command: "belfry demo --port 8090"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let folder = options[data]
        do {
            let demo = try await Demo.start(
                .init(folder: folder, port: UInt16(options[port])), log: context.log)
            context.stop.expect()
            try await demo.run(until: context.stop) {
                if context.isJSON {
                    // A ready line has nothing that cannot be written.
                    try? context.console.printJSON(demo.ready)
                } else {
                    context.console.print(text(demo.ready))
                }
            }
        } catch let error as CommandError {
            throw error
        } catch let error as GatewayError {
            throw .unavailable(error.message)
        } catch let error as StoreError {
            throw CommandError(error)
        } catch let error as PhoneError {
            throw .failed(error.message)
        } catch {
            throw .failed("\(error)")
        }
        return .done
    }

    private static func text(_ ready: Demo.Ready) -> String {
        let head = """
            -H "X-LC-Id: \(DemoService.appID)" -H "X-LC-Key: \(DemoService.masterKey),master" \
            -H "Content-Type: application/json"
            """
        return """
            ready console=\(ready.console) phone=\(ready.phones.joined(separator: " phone="))

            Sign in as \(ready.user) with the password \(ready.password). \(ready.installations) installations are there.
            Try in another terminal, with a phone's page open:

            # send now
            curl \(ready.api)/1.1/push \(head) \\
                -d '{"channels": ["news"], "data": {"alert": "Hello from the demo"}}'

            # every day at nine, on every phone's own clock; then move a phone's clock to 09:00
            curl \(ready.api)/1.1/push \(head) \\
                -d '{"channels": ["news"], "data": {"alert": "Good morning"},
                     "schedule": {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "device"}}'

            # why did a device get it, or not: PUSH is the objectId of the first answer
            curl "\(ready.api)/1.1/explain?push=PUSH&installation=\(DemoAudience.objectID(1))" \(head)

            Ctrl-C ends the demo.
            """
    }
}
#endif
